/** Which events stand together in the list, what is proposed for a new one, and what a change or deletion does. Pure. */

import type { components } from "../../paths.ts";
import { Refused } from "../../shared/call.ts";
import { isPast, localTime, whenText, zoneOf } from "../../shared/dates.ts";
import { phaseOf } from "../../shared/opening.ts";
import type { Event, EventWithCounts, Question, Registration } from "../../shared/types.ts";
import { mayMove, type Stated, wordsOf } from "../registrations/moves.ts";
import { plain } from "../registrations/people.ts";
import type { Entries, Entry } from "../schema.ts";

/** Says what a person has to do first. */
export const refuse = (message: string): Refused => new Refused(400, { message });

/** Whether visitors see an event. @param now epoch milliseconds */
export const isVisible = ({ isPublished, publishAt }: Event, now: number): boolean =>
  isPublished || (publishAt !== undefined && Date.parse(publishAt) <= now);

/** The groups of the list, with their titles. */
export const groupTitles = {
  ...{ now: "On now", ahead: "Upcoming", scheduled: "Waiting to be published", drafts: "Drafts", past: "Past" },
} as const;
export type Group = keyof typeof groupTitles;

/** @param now epoch milliseconds */
export function groupOf(event: Event, now: number): Group {
  if (isPast(event, now)) return "past";
  if (!isVisible(event, now)) return event.publishAt ? "scheduled" : "drafts";
  return event.startDate !== undefined && Date.parse(event.startDate) <= now ? "now" : "ahead";
}

/** What is worth knowing about an event in the list. */
export function statesOf(event: Event, now: number): readonly string[] {
  const phases = { open: "Registration open", soon: "Opens later", ended: "Registration ended", over: "" };
  const isShown = isVisible(event, now);
  return [
    isShown ? phases[phaseOf(event, now)] : event.publishAt ? "Scheduled" : "Hidden",
    event.isApplicationBased ? "Applications" : "",
    event.nonBizTechAllowed ? "" : "Members only",
  ].filter((state) => state !== "");
}

const startOf = ({ startDate }: Event): number => (startDate ? Date.parse(startDate) : Number.POSITIVE_INFINITY);

/** The events that a search finds, by group: the next one first, of the past ones the last. */
export function groupsOf(events: readonly Event[], search: string, now: number): readonly [Group, readonly Event[]][] {
  const words = plain(search).split(/\s+/);
  const found = events.filter(({ ename, id, year, elocation = "" }) => {
    const text = plain(`${ename} ${id} ${year} ${elocation}`);
    return words.every((word) => text.includes(word));
  });
  const inOrder = found.toSorted((one, other) => startOf(one) - startOf(other) || one.ename.localeCompare(other.ename));
  return (Object.keys(groupTitles) as Group[])
    .map((group): [Group, Event[]] => [group, inOrder.filter((event) => groupOf(event, now) === group)])
    .map(([group, those]): [Group, Event[]] => [group, group === "past" ? those.reverse() : those])
    .filter(([, those]) => those.length > 0);
}

const text = (entry: unknown): string => (typeof entry === "string" ? entry : "");

/** `Après-Ski & Pitch` as `apres-ski-pitch`. */
export const slugOf = (name: string): string =>
  (plain(name).match(/[a-z0-9]+/g) ?? []).join("-").slice(0, 64).replace(/-$/, "");

/** The id and year of a new event. */
export function proposalOf({ ename, startDate }: Entries, now: number): Entries {
  const year = text(startDate).slice(0, 4) || String(new Date(now).getFullYear());
  const name = text(ename).trimEnd();
  return { id: slugOf(name.endsWith(year) ? name.slice(0, -year.length) : name), year };
}

/** The entries of a copy in the next year: on the same day of the week, at the same time. */
export function copyOf({ id, year, ename, startDate, wholeDays, ...zoned }: Event, stageZone: string): Entries {
  const [date = "", ...time] = (wholeDays?.startDate ?? localTime(startDate ?? "", zoneOf(zoned, stageZone))).split(
    "T",
  );
  const later = (weeks: number) => new Date(Date.parse(date) + weeks * 7 * 86_400_000).toISOString().slice(0, 10);
  const day = date && [52, 53].map(later).find((one) => !one.startsWith(date.slice(0, 4)));
  const next = String(year + 1);
  return { id, year: next, ename: ename.replaceAll(String(year), next), startDate: [day, ...time].join("T") };
}

/** An event as the form takes it: each price once, and no reminders as a word. */
export const formRecord = ({ pricing: { member, nonMember }, reminders, ...event }: EventWithCounts): object => ({
  ...{ ...event, pricing: { member, nonMember }, reminders: reminders?.length === 0 ? ["none"] : reminders },
});

/** The body of a form as the API takes it. */
export const bodyToSend = (body: Record<string, unknown>): Record<string, unknown> =>
  Array.isArray(body.reminders) && body.reminders.includes("none") ? { ...body, reminders: [] } : body;

const textOf = (entry: Entry): string => JSON.stringify(entry || "");

/** The fields that both have changed, differently. @param base what both began with */
export const conflictsOf = (base: Entries, mine: Entries, theirs: Entries): readonly string[] =>
  Object.keys({ ...mine, ...theirs }).filter(
    (name) => new Set([base, mine, theirs].map((version) => textOf(version[name]))).size === 3,
  );

/** An entry as a text for people. */
export function entryText(entry: Entry): string {
  if (entry === undefined || entry === "") return "(empty)";
  if (typeof entry === "boolean") return entry ? "Yes" : "No";
  if (typeof entry === "string") return entry;
  if (Array.isArray(entry)) return entry.map((one, index) => `${index + 1}. ${entryText(one)}`).join("\n");
  const { questionId: _, ...fields } = entry as Entries;
  return Object.values(fields).map(entryText).join(", ");
}

/** What a visitor would see of an event. @param body of a new event, whose times have no zone */
export function previewOf(body: Readonly<Record<string, unknown>>) {
  const [start, end] = [text(body.startDate), text(body.endDate)];
  const utc = (date: string) => (date.includes("T") ? `${date}Z` : date);
  const whole = (date: string) => (date.includes("T") ? "" : date);
  const wholeDays = { startDate: whole(start), ...(end && { endDate: whole(end) }) };
  const when = whenText({ startDate: utc(start), endDate: utc(end), wholeDays }, "UTC");
  const questions = (name: string) =>
    ((body[name] ?? []) as Question[]).map((one, index) => ({ ...one, questionId: `${name}-${index}` }));
  const { member = 0, nonMember = 0 } = (body.pricing ?? {}) as Partial<Event["pricing"]>;
  return {
    ...(body as Pick<Event, "elocation" | "description" | "imageUrl" | "capac">),
    ...{ ename: text(body.ename) || "An event without a name", startDate: undefined, endDate: undefined },
    ...(when && { when: when.replaceAll(" UTC", "") }),
    pricing: { member, members: member, ...(body.nonBizTechAllowed !== false && { nonMember }) },
    questions: [questions("registrationQuestions"), questions("partnerRegistrationQuestions")] as const,
  };
}

/** Width to height, as the pages show a banner. */
export const bannerRatio = 2.2;

/** Which part of a picture is shown: its place from 0, left and top, to 1; zoom 1 is as much as fits. */
export type Crop = Readonly<Record<"x" | "y" | "zoom", number>>;

/** The part of a picture that a banner shows, in pixels. */
export function cutOf(picture: { readonly width: number; readonly height: number }, { x, y, zoom }: Crop) {
  const width = Math.min(picture.width, picture.height * bannerRatio) / zoom;
  const height = width / bannerRatio;
  return { left: (picture.width - width) * x, top: (picture.height - height) * y, width, height };
}

/**
 * What the deletion of an event ends, and the cents that are refunded for its paid seats unless that is refused. Seats of people
 * who are checked in are not. A seat is paid by its person's last payment: what the club has kept of one before stays.
 */
export function deletionOf(
  registrations: readonly (Stated & Pick<Registration, "isPartner" | "email">)[],
  payments: readonly components["schemas"]["Payment"][],
): { live: number; byStatus: [string, number][]; paidSeats: number; refunds: number } {
  const live = registrations.filter(
    ({ registrationStatus: status }) => status !== "cancelled" && status !== "rejected",
  );
  const counts = new Map<string, number>();
  for (const row of live) {
    const status = `${wordsOf(row)}${row.isPartner ? " (partners)" : ""}`;
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  const confirmed = new Set(live.filter((row) => mayMove("checkIn", row)).map(({ email }) => email));
  const seats = payments
    .filter(({ email, settledAs }) => settledAs === "seat" && confirmed.has(email))
    .toSorted((one, other) => one.settledAt - other.settledAt);
  const due = [...new Map(seats.map((payment) => [payment.email, payment])).values()]
    .map(({ amount, wentBack, open, frozen, lost }) => amount - wentBack - open - frozen - lost)
    .filter((rest) => rest > 0);
  const refunds = due.reduce((sum, rest) => sum + rest, 0);
  return { live: live.length, byStatus: [...counts], paidSeats: due.length, refunds };
}
