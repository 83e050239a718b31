/** Which events stand together in the list, what is proposed for a new one, and what a change or deletion does. Pure. */
import { phaseOf } from "../../pages/opening.ts";
import { Refused } from "../../shared/call.ts";
import { isPast, localTime } from "../../shared/dates.ts";
import type { Event, EventWithCounts, Question, Registration } from "../../shared/types.ts";
import { type Entries, type Entry, entriesOf, type Schema } from "../schema.ts";

/** Says what a person has to do first. */
export const refuse = (message: string): Refused => new Refused(400, { message });

type Times = Pick<EventWithCounts, "startDate" | "endDate" | "wholeDays" | "isPublished" | "publishAt">;

/** Whether visitors see an event. @param now epoch milliseconds */
export const isVisible = ({ isPublished, publishAt }: Pick<Times, "isPublished" | "publishAt">, now: number): boolean =>
  isPublished || (publishAt !== undefined && Date.parse(publishAt) <= now);

/** The groups of the list, with their titles. */
export const groupTitles = {
  now: "On now",
  ahead: "Upcoming",
  scheduled: "Waiting to be published",
  drafts: "Drafts",
  past: "Past",
} as const;
export type Group = keyof typeof groupTitles;

/** @param now epoch milliseconds */
export function groupOf(event: Times, now: number): Group {
  if (isPast(event, now)) return "past";
  if (!isVisible(event, now)) return event.publishAt ? "scheduled" : "drafts";
  return event.startDate !== undefined && Date.parse(event.startDate) <= now ? "now" : "ahead";
}

/** What is worth knowing about an event in the list. */
export function statesOf(event: Event, now: number): readonly string[] {
  const phase = phaseOf(event, now);
  return [
    !isVisible(event, now) && (event.publishAt ? "Scheduled" : "Hidden"),
    { open: "Registration open", soon: "Opens later", ended: "Registration ended", over: false as const }[phase],
    event.isApplicationBased && "Applications",
    !event.nonBizTechAllowed && "Members only",
  ].filter((state) => typeof state === "string");
}

const startOf = ({ startDate }: Times): number => (startDate ? Date.parse(startDate) : Number.POSITIVE_INFINITY);

/** Without accents and capitals. */
const folded = (text: string): string => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** The events that a search finds, by group: the next one first, of the past ones the last. */
export function groupsOf(events: readonly Event[], search: string, now: number): readonly [Group, readonly Event[]][] {
  const words = folded(search).split(/\s+/);
  const found = events.filter(({ ename, id, year, elocation = "" }) => {
    const text = folded(`${ename} ${id} ${year} ${elocation}`);
    return words.every((word) => text.includes(word));
  });
  const inOrder = found.toSorted((one, other) => startOf(one) - startOf(other) || one.ename.localeCompare(other.ename));
  return (Object.keys(groupTitles) as Group[]).flatMap((group) => {
    const those = inOrder.filter((event) => groupOf(event, now) === group);
    return those.length > 0 ? [[group, group === "past" ? those.reverse() : those] as [Group, Event[]]] : [];
  });
}

const text = (entry: Entry): string => (typeof entry === "string" ? entry : "");

/** `Après-Ski & Pitch` as `apres-ski-pitch`. */
export const slugOf = (name: string): string =>
  folded(name)
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+/g, "")
    .slice(0, 64)
    .replace(/-+$/, "");

/** The id and year of a new event. */
export function proposalOf({ ename, startDate }: Entries, now: number): Entries {
  const year = text(startDate).slice(0, 4) || String(new Date(now).getFullYear());
  return { id: slugOf(text(ename).replace(new RegExp(`\\s*${year}\\s*$`), "")), year };
}

/** The entries of a copy in the next year: on the same day of the week, at the same time. */
export function copyOf({ id, year, ename, startDate, wholeDays }: Event, timeZone: string): Entries {
  const start = wholeDays?.startDate ?? localTime(startDate ?? "", timeZone);
  const [date = "", time] = start.split("T");
  const later = (days: number) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
  const day = date && (later(364).startsWith(date.slice(0, 4)) ? later(371) : later(364));
  return {
    ...{ id, year: String(year + 1), ename: ename.replaceAll(String(year), String(year + 1)) },
    startDate: time ? `${day}T${time}` : day,
  };
}

/** An event as the form takes it: each price once, and no reminders as a word. */
export const formRecord = (event: EventWithCounts): object => {
  const { member, nonMember } = event.pricing;
  return { ...event, pricing: { member, nonMember }, ...(event.reminders?.length === 0 && { reminders: ["none"] }) };
};

/** The stored entries, with the object of the web application as a text. */
export const storedEntries = (schema: Schema, event: EventWithCounts, timeZone: string): Entries => ({
  ...entriesOf(schema, formRecord(event), timeZone),
  eventPage: event.eventPage ? JSON.stringify(event.eventPage, undefined, 2) : "",
});

type Body = Readonly<Record<string, unknown>>;

/** The body as the API takes it. @throws SyntaxError the text of the web application's object is none */
export function bodyToSend(body: Body, { eventPage }: Entries): Record<string, unknown> {
  const lists = Object.entries(body).filter(([name, value]) => name.endsWith("Questions") && Array.isArray(value));
  return {
    ...body,
    ...Object.fromEntries(
      lists.map(([name, list]) => [name, (list as Body[]).map((one) => ({ required: false, ...one }))]),
    ),
    ...(Array.isArray(body.reminders) && body.reminders.includes("none") && { reminders: [] }),
    ...(typeof eventPage === "string" && { eventPage: eventPage.trim() ? JSON.parse(eventPage) : null }),
  };
}

const isSame = (one: Entry = "", other: Entry = ""): boolean =>
  JSON.stringify(one || "") === JSON.stringify(other || "");

/** The fields that both have changed, differently. @param base what both began with */
export const conflictsOf = (base: Entries, mine: Entries, theirs: Entries): readonly string[] =>
  [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].filter(
    (name) => !isSame(base[name], theirs[name]) && !isSame(base[name], mine[name]) && !isSame(mine[name], theirs[name]),
  );

/** An entry as a text for people. */
export function entryText(entry: Entry): string {
  if (entry === undefined || entry === "") return "(empty)";
  if (typeof entry === "boolean") return entry ? "Yes" : "No";
  if (typeof entry === "string") return entry;
  if (Array.isArray(entry)) return entry.map((one, index) => `${index + 1}. ${entryText(one)}`).join("\n");
  const fields = Object.entries(entry).filter(([name, one]) => name !== "questionId" && one !== undefined);
  return fields.map(([name, one]) => (name === "label" ? entryText(one) : `${name}: ${entryText(one)}`)).join(", ");
}

/** A time of the stage's zone as the API has it; undefined without one. @param local as `localTime` */
export function instantOf(local: string, timeZone: string): string | undefined {
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted)) return undefined;
  const offset = (at: number) => Date.parse(`${localTime(new Date(at).toISOString(), timeZone)}Z`) - at;
  return new Date(wanted - offset(wanted - offset(wanted))).toISOString();
}

/** What a visitor would see of an event. @param body of a new event */
export function previewOf(body: Body, timeZone: string) {
  const { startDate, endDate, refundUntil } = Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, text(value as Entry)]),
  );
  const at = (date = "", hour = "00:00") => instantOf(date.includes("T") ? date : `${date}T${hour}`, timeZone);
  const day = (date = "") => (date && !date.includes("T") ? date : undefined);
  const [first, last] = [day(startDate), day(endDate)];
  const questions = (name: string) =>
    ((body[name] ?? []) as Question[]).map((one, index) => ({ ...one, questionId: `${name}-${index}` }));
  const { member = 0, nonMember = 0 } = (body.pricing ?? {}) as {
    readonly member?: number;
    readonly nonMember?: number;
  };
  return {
    ...(body as Pick<Event, "elocation" | "description" | "imageUrl" | "capac">),
    ename: text(body.ename as Entry) || "An event without a name",
    ...{ startDate: at(startDate), endDate: at(endDate, "23:59"), refundUntil: at(refundUntil, "23:59") },
    wholeDays: { ...(first && { startDate: first }), ...(last && { endDate: last }) },
    pricing: { member, members: member, ...(body.nonBizTechAllowed !== false && { nonMember }) },
    questions: questions("registrationQuestions"),
    partnerQuestions: questions("partnerRegistrationQuestions"),
  };
}

/** Width to height, as the pages show a banner. */
export const bannerRatio = 2.2;

export interface Crop {
  /** From 0, the left end, to 1, the right one. */
  readonly x: number;
  readonly y: number;
  /** 1: as much of the picture as fits. */
  readonly zoom: number;
}

/** The part of a picture that a banner shows, in pixels. */
export function cutOf(picture: { readonly width: number; readonly height: number }, { x, y, zoom }: Crop) {
  const width = Math.min(picture.width, picture.height * bannerRatio) / zoom;
  const height = width / bannerRatio;
  return { left: (picture.width - width) * x, top: (picture.height - height) * y, width, height };
}

const within = (share: number): number => Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0.5));

/** After the picture was drawn to another place. @param by shares of the banner's width */
export function moved(
  picture: { readonly width: number; readonly height: number },
  crop: Crop,
  by: { readonly x: number; readonly y: number },
): Crop {
  const { width, height } = cutOf(picture, crop);
  return {
    ...crop,
    x: within(crop.x - (by.x * width) / (picture.width - width)),
    y: within(crop.y - (by.y * width) / (picture.height - height)),
  };
}

const statusTexts: Readonly<Record<Registration["registrationStatus"], string>> = {
  registered: "Registered",
  checkedIn: "Checked in",
  waitlist: "In line",
  incomplete: "Seat held, not paid yet",
  accepted: "Accepted",
  acceptedPending: "Accepted, not confirmed or paid yet",
  acceptedComplete: "Accepted and confirmed",
  cancelled: "Cancelled",
  rejected: "Rejected",
};

interface Paid {
  readonly email: string;
  readonly settledAs: string;
  readonly amount: number;
  readonly wentBack: number;
  readonly open: number;
  readonly frozen: number;
  readonly lost: number;
}

/** What the deletion of an event does. */
export interface Deletion {
  /** Registrations that end. */
  readonly live: number;
  readonly byStatus: readonly (readonly [status: string, count: number])[];
  readonly paidSeats: number;
  /** Cents that are refunded, unless the executive decides otherwise. */
  readonly refunds: number;
}

type Ending = Pick<Registration, "registrationStatus" | "isPartner" | "email">;

/** Seats of people who are checked in are not refunded. */
export function deletionOf(registrations: readonly Ending[], payments: readonly Paid[]): Deletion {
  const live = registrations.filter(
    ({ registrationStatus: status }) => status !== "cancelled" && status !== "rejected",
  );
  const counts = new Map<string, number>();
  for (const { registrationStatus, isPartner } of live) {
    const status = `${statusTexts[registrationStatus]}${isPartner ? " (partners)" : ""}`;
    counts.set(status, (counts.get(status) ?? 0) + 1);
  }
  const ended = new Set(live.flatMap((one) => (one.registrationStatus === "checkedIn" ? [] : [one.email])));
  const rest = payments.flatMap(({ email, settledAs, amount, wentBack, open, frozen, lost }) =>
    settledAs === "seat" && ended.has(email) ? [[email, amount - wentBack - open - frozen - lost] as const] : [],
  );
  const due = rest.filter(([, cents]) => cents > 0);
  return {
    ...{ live: live.length, byStatus: [...counts], paidSeats: new Set(due.map(([email]) => email)).size },
    refunds: due.reduce((sum, [, cents]) => sum + cents, 0),
  };
}
