/** The addresses of the desk. Pure. */
import { eventPath } from "../shared/addresses.ts";

export { eventPath } from "../shared/addresses.ts";

export const deskPages = {
  events: "/desk/",
  newEvent: "/desk/new",
  mails: "/desk/mails",
  template: "/desk/mails/template",
  money: "/desk/money",
  journal: "/desk/money/journal",
  accounts: "/desk/people",
  audit: "/desk/people/audit",
  table: "/desk/people/table",
  prizes: "/desk/prizes",
  game: "/desk/game",
} as const;

/** An event, as its path names it. */
export interface EventKey {
  readonly id: string;
  readonly year: number;
}

/** What a page of an event is given by the router. */
export interface EventParams {
  readonly id: string;
  readonly year: string;
}
export const keyOf = ({ id, year }: EventParams): EventKey => ({ id, year: Number(year) });

/** @param part a page of the event; absent: the event itself */
export const eventDesk = (
  event: EventKey,
  part?: "people" | "codes" | "applications" | "evening" | "report" | "table",
): string => `/desk/${eventPath(event).replace(/^\/events/, "event")}${part ? `/${part}` : ""}`;

export const personDesk = (event: EventKey, email: string): string =>
  `${eventDesk(event, "people")}/${encodeURIComponent(email)}`;

export const accountDesk = (email: string): string => `${deskPages.accounts}/${encodeURIComponent(email)}`;

export const templateDesk = (name: string): string => `${deskPages.template}/${encodeURIComponent(name)}`;

export const campaignDesk = (id: string): string => `/desk/mails/campaign/${encodeURIComponent(id)}`;
