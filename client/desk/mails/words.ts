/** Audiences, placeholders and progress of campaigns in words. Pure. */
import type { components } from "../../paths.ts";
import { mayEnter, type Visitor } from "../evening/at-door.ts";

export type Campaign = components["schemas"]["Campaign"];
export type AskedAudience = components["schemas"]["NewCampaign"]["audience"];
export type Status = NonNullable<AskedAudience["status"]>[number];

/** The statuses that an audience may have. */
export const statuses: readonly Status[] = [
  ...([
    "registered",
    "checkedIn",
    "waitlist",
    "incomplete",
    "accepted",
    "acceptedPending",
    "acceptedComplete",
  ] as const),
  ...(["cancelled", "rejected"] as const),
];

type Row = Pick<Visitor, "email" | "registrationStatus">;

/** No mail goes to people who are erased (`lambda/domain/people/users/erasures.ts`). */
const isErased = ({ email }: Row): boolean => email.endsWith("@erased.invalid");

/** The addresses of an event's people with these statuses. @param chosen none: all with a confirmed seat */
export function audienceOf(
  rows: readonly Row[],
  chosen: readonly string[],
  takesApplications: boolean,
): readonly string[] {
  const isConfirmed = (status: string) => status === "checkedIn" || mayEnter(status, takesApplications);
  const isMeant = (status: string) => (chosen.length > 0 ? chosen.includes(status) : isConfirmed(status));
  return rows.filter((row) => isMeant(row.registrationStatus) && !isErased(row)).map(({ email }) => email);
}

/** The addresses that were typed or pasted, each once. */
export const addressesIn = (text: string): readonly string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter(Boolean),
  ),
];

const figure = (number: number): string => number.toLocaleString("en-US");

/** How many people get a mail, and how many of an audience do not. @param without who gets no campaigns */
export function reachOf(emails: readonly string[], without: readonly string[]) {
  const left = emails.filter((email) => without.includes(email)).length;
  const goes = emails.length - left;
  const people = goes === 1 ? "1 person" : `${figure(goes)} people`;
  return { people, text: left === 0 ? people : `${people}; left out, as they get no campaigns: ${figure(left)}` };
}

/** Whom a campaign was for. @param text as the API stores it */
export function audienceText(text: string): string {
  if (text === "members") return "All members";
  return text === "emails" ? "Single addresses" : text.replace(/^event (.*) (\d+)$/, "People of $1 $2");
}

export const isUnderWay = ({ state }: Pick<Campaign, "state">): boolean => state === "queued" || state === "sending";

/** How far a campaign is: `Sending: 120 of 2,000`. @param momentOf a time in words */
export function progressText(
  { state, recipients, sent, pending, sendAt, stoppedBecause }: Campaign,
  momentOf: (at: number | undefined) => string,
): string {
  if (state === "scheduled") return `Goes out ${momentOf(sendAt)}; now to ${figure(recipients)}`;
  if (stoppedBecause) return `Not sent: its ${stoppedBecause === "no event" ? "event" : "template"} is deleted`;
  const [done, all] = [figure(recipients - pending), figure(recipients)];
  if (state === "queued") return "About to begin";
  if (state === "sending") return `Sending: ${done} of ${all}`;
  return state === "stopped" ? `Stopped after ${done} of ${all}` : `Done: ${figure(sent)} of ${all} sent`;
}

/** What a template may show. */
export const placeholders: readonly (readonly [written: string, meaning: string])[] = [
  ["{{ fname }}", "First name"],
  ['{{ fname | default: "there" }}', "First name, or “there” without one"],
  ["{{ lname }}", "Last name"],
  ["{{ email }}", "Address of the person"],
  ["{{ event.ename }}", "Name of the event"],
  ["{{ event.when }}", "Its time in words; event.startDate and event.endDate are its ends"],
  ["{{ event.elocation }}", "Its place"],
  ["{{ event.url }}", 'Address of its page, in a link: <a href="{{ event.url }}">'],
  ["{{ unsubscribe }}", "Address to ask for no more campaigns, in a link, too"],
  ["{% if event.elocation %} … {% endif %}", "Only where there is a place"],
];
