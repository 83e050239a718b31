/** The properties of every operation of the reference, with new random requests every time. */
import { givenSettings } from "../settings.ts";

// What must be true at rest is told by rules that stand beside stores, and a store asks for the name of its table.
givenSettings({ TABLE_NAME: "Club" });
await import("../service/document/properties.suite.ts");
