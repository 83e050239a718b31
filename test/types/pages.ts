/** What a document tells the application of the pages, which imports nothing of the service. */
import type { PageSettings } from "#api/pages/document.ts";
import type { Settings } from "../../client/shared/types.ts";

export const read = (written: PageSettings): Settings => written;

export const missing = ({ contact, ...written }: PageSettings): Settings =>
  // @ts-expect-error the application shows the contact
  written;
