import type { EventKey } from "#domain/events/event.ts";
import type { MailSettings } from "./settings.ts";

/** The page where a person looks at the event, pays, confirms and cancels. */
export const eventUrl = ({ id, year }: EventKey, { webAppUrl }: Pick<MailSettings, "webAppUrl">): string =>
  `${webAppUrl.replace(/\/+$/, "")}/events/${encodeURIComponent(id)}/${year}`;
