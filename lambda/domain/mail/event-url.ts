import type { EventKey } from "#domain/events/event.ts";
import type { MailSettings } from "./settings.ts";

/** The web application's page of an event, where a person sees the event, pays, confirms and cancels. */
export const eventUrl = ({ id, year }: EventKey, { webAppUrl }: Pick<MailSettings, "webAppUrl">): string =>
  `${webAppUrl.replace(/\/+$/, "")}/events/${encodeURIComponent(id)}/${year}`;
