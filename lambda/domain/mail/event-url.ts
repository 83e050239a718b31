import type { MailSettings } from "./settings.ts";

/** The settings from which the URL of an event's page is built. */
export type EventPages = Pick<MailSettings, "webAppUrl" | "eventPage">;

/** The web application's page of an event, where a person sees the event, pays, confirms and cancels. */
export const eventUrl = (
  { id, year }: { readonly id: string; readonly year: number },
  { webAppUrl, eventPage }: EventPages,
): string =>
  webAppUrl.replace(/\/+$/, "") +
  eventPage.replaceAll("{id}", () => encodeURIComponent(id)).replaceAll("{year}", () => `${year}`);
