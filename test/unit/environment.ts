/** Every unit test begins with the settings of a function. */
import { givenSettings } from "../settings.ts";

givenSettings({ TABLE_NAME: "Unit", AWS_ACCESS_KEY_ID: "unit", AWS_SECRET_ACCESS_KEY: "unit" });
