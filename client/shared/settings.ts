/** The settings of the stage, as the document brings them (`lambda/api/pages/document.ts`). */
import type { Settings } from "./types.ts";

export const settings: Settings = JSON.parse(document.getElementById("settings")?.textContent ?? "{}");

/** Whether this document is of the executives' desk, whose tokens and drafts end with the tab. */
export const isDesk = location.pathname.startsWith("/desk/");
