/** The record of an event and the rules for its changes (`docs/contract.md`, "Events"). No I/O. */

import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { EventKey } from "#domain/capacity/seats.ts";
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import type { Edited } from "#kit/request/etag.ts";
import { formats } from "#kit/schema/formats.ts";
import { assertFits, valueSize } from "#kit/table/item-size.ts";
import { zoneOf } from "#kit/text/time-zone.ts";
import { dateFields, datesAfter, type EventDates, endOf, isDateAlone, momentOf, wallOf, withoutZone } from "./dates.ts";
import type { EventChanges, GuestsAllowed, MailRule, NewEvent, QuestionType } from "./event-input.ts";
import { mailRuleIssues, normalizeMailRule, ruleTimeIssues } from "./mail-rules.ts";
import { isFree, normalizePricing, type Pricing, pricingIssues, pricingOf } from "./pricing.ts";
import {
  type FormerQuestions,
  normalizeQuestion,
  type QuestionInput,
  questionChange,
  questionIssues,
  registrationListIssues,
  withIds,
} from "./questions.ts";

export type { EventKey };

export interface RegistrationQuestion {
  readonly questionId: string;
  readonly label: string;
  readonly type: QuestionType;
  readonly required: boolean;
  readonly choices?: readonly string[];
  /** Characters. */
  readonly charLimit?: number;
  readonly questionImageUrl?: string;
  /** Seats of each choice of a WORKSHOP_SELECTION. */
  readonly participantCap?: number;
  readonly isSkillsQuestion?: boolean;
}

/** An event as stored. Dates are UTC. Optional fields without a value are absent. */
export interface EventRecord extends EventKey {
  readonly ename: string;
  readonly capac?: number;
  readonly partnerCapac?: number;
  /** How many of `capac` are for people with a code for access. */
  readonly allotment?: number;
  /** How many people each attendee may bring. */
  readonly plusOnes?: number;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly deadline?: string;
  /** Registration starts. */
  readonly opensAt?: string;
  /** A draft is visible from then on. */
  readonly publishAt?: string;
  /** Who cancels later gets no refund without the treasurer. */
  readonly refundUntil?: string;
  readonly wholeDays?: EventDates["wholeDays"];
  /** IANA name. Absent: the stage's. */
  readonly timeZone?: string;
  /** Hours before the start. Absent: those of the stage. */
  readonly reminders?: readonly number[];
  /** Who may register without an account. Absent: as the stage has it. */
  readonly guests?: GuestsAllowed;
  readonly mails?: readonly MailRule[];
  readonly replyTo?: string;
  /** There are codes for it. */
  readonly takesCodes?: true;
  /** Some are for partners, who then need one. */
  readonly partnersNeedCode?: true;
  /** Who often left a seat empty waits behind others. */
  readonly noShowsWait?: boolean;
  /** The price is a deposit: who comes gets it back. */
  readonly refundAtCheckIn?: boolean;
  /** How often one seat may be handed on. Absent: never. */
  readonly transfers?: number;
  readonly elocation?: string;
  readonly isPublished?: boolean;
  readonly isCompleted: boolean;
  /** The event does not take place: what the club says about it. */
  readonly calledOff?: string;
  readonly isApplicationBased?: boolean;
  readonly nonBizTechAllowed?: boolean;
  readonly pricing?: Pricing;
  readonly registrationQuestions?: readonly RegistrationQuestion[];
  readonly partnerRegistrationQuestions?: readonly RegistrationQuestion[];
  /** JSON, so that the object comes back with its keys in the same order. */
  readonly eventPage?: string;
  /** Absent when no registration question was removed. */
  readonly formerQuestions?: FormerQuestions;
  readonly [detail: string]: unknown;
  /** An event that is deleted and created again gets a new generation and starts without registrations. */
  readonly generation: string;
  /** Counts the writes, from 1. */
  readonly version: number;
  /** Counts the changes of `configurationFields`, from 1. */
  readonly termsVersion: number;
  /** Counts the changes of time and place, and how often it was hidden and shown again, from 0. */
  readonly scheduleVersion: number;
  /** It was hidden after it was shown. Calendar entries are cancelled while it is hidden. */
  readonly isWithdrawn?: boolean;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** The lists of questions. An absent list and an empty one are equivalent. */
export const questionFields = [
  "registrationQuestions",
  "partnerRegistrationQuestions",
  "attendeeFeedbackQuestions",
  "partnerFeedbackQuestions",
] as const;
/** Admission depends on these fields. A change of one of them increments the terms version. */
const configurationFields = [
  "pricing",
  "nonBizTechAllowed",
  "isApplicationBased",
  "isPublished",
  "publishAt",
  "opensAt",
  "registrationQuestions",
  "partnerRegistrationQuestions",
  "partnerCapac",
  "plusOnes",
  "guests",
  "noShowsWait",
  "refundAtCheckIn",
  "transfers",
  "calledOff",
] as const;

/** A change of one of these fields is announced to all seat holders. */
const scheduleFields: readonly string[] = ["startDate", "endDate", "elocation"];

/** Bytes of an `eventPage` as JSON. */
const largestPage = 16 * 1024;
/** Objects and lists inside each other. JSON is written by recursion, so very deep ones would overflow the stack. */
const deepestPage = 32;

const isAtMost = (depth: number, value: unknown): boolean =>
  typeof value !== "object" ||
  value === null ||
  (depth > 0 && Object.values(value).every((inner) => isAtMost(depth - 1, inner)));

const placeFields = ["latitude", "longitude"] as const;

/** Rounds degrees to about a centimetre. DynamoDB rejects numbers closer to zero than 1e-130. */
const toCentimetre = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;

const switchDefaults: Readonly<Record<string, boolean>> = {
  isPublished: false,
  nonBizTechAllowed: true,
  isApplicationBased: false,
  noShowsWait: false,
  refundAtCheckIn: false,
  attendeeFeedbackEnabled: false,
  partnerFeedbackEnabled: false,
};

/**
 * The value, or null for one that is equivalent to an absent one: an empty list, prices of 0, a switch's default. No
 * reminders is not the stage's reminders.
 */
const nullIfDefault = (name: string, value: unknown): unknown => {
  if (name === "reminders") return value;
  if (value === switchDefaults[name]) return null;
  if (name === "plusOnes" && value === 0) return null;
  if (name === "pricing") return value && isFree(value as Pricing) ? null : value;
  return Array.isArray(value) && value.length === 0 ? null : value;
};

/** Settings of the stage that apply to events. */
export interface EventSettings {
  /** For events without one of their own, IANA name. */
  readonly timeZone: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Seats that an event gets for its partners once it has questions for them, unless it says otherwise. */
  readonly partnerSeats?: number | undefined;
}

/** The number of partners' seats that an event with questions for partners gets from its stage, if it says nothing. */
function withPartnerSeats(
  wanted: Record<string, unknown>,
  current: Partial<EventRecord>,
  partnerSeats: number | undefined,
): Record<string, unknown> {
  const asksNow = Array.isArray(wanted.partnerRegistrationQuestions) && !current.partnerRegistrationQuestions;
  const isSilent = wanted.partnerCapac === undefined && current.partnerCapac === undefined;
  return asksNow && isSilent && partnerSeats !== undefined ? { ...wanted, partnerCapac: partnerSeats } : wanted;
}

/** @throws ValidationFailed */
function normalize<F extends EventChanges>(
  fields: F,
  { currency, ...stage }: EventSettings,
  current?: Pick<EventRecord, "pricing" | "timeZone"> & EventDates,
): Record<string, unknown> {
  const issues: Issue[] = [];
  const normal: Record<string, unknown> = { ...(fields as EventChanges) };
  const wholeDays: Record<string, string> = { ...current?.wholeDays };
  const was = zoneOf(current ?? {}, stage.timeZone);
  const timeZone = fields.timeZone === undefined ? was : (fields.timeZone ?? stage.timeZone);
  for (const name of dateFields) {
    const [sent, stored] = [fields[name], current?.[name]];
    const isKept = stored !== undefined && (sent === undefined || sent === stored);
    // In another zone, what is not changed keeps its day and its time of the clock.
    const date = isKept && was !== timeZone ? (wholeDays[name] ?? withoutZone(wallOf(stored, was))) : sent;
    if (date === undefined) continue;
    const utc = date && momentOf(name, date, timeZone);
    // An answer that is sent back unchanged has the moment, not the day.
    if (utc !== current?.[name]) delete wholeDays[name];
    if (!date || !utc) continue;
    if (isDateAlone(date)) wholeDays[name] = date;
    // The conversion can leave the years that the format allows.
    if (!formats["iso-date"].check(utc)) issues.push({ path: `/${name}`, message: formats["iso-date"].message });
    normal[name] = utc;
  }
  normal.wholeDays = Object.keys(wholeDays).length > 0 ? wholeDays : null;
  for (const name of placeFields) {
    const degrees = fields[name];
    if (typeof degrees === "number") normal[name] = toCentimetre(degrees);
  }
  for (const name of questionFields) {
    const questions = fields[name];
    if (!questions) continue;
    issues.push(...questionIssues(questions, `/${name}`));
    const stored = questions.map((question) => normalizeQuestion(question));
    normal[name] = nullIfDefault(name, stored);
  }
  if (fields.mails) {
    issues.push(...mailRuleIssues(fields.mails));
    normal.mails = fields.mails.map(normalizeMailRule);
  }
  if (fields.pricing) {
    const before = current && pricingOf(current);
    issues.push(...pricingIssues(fields.pricing, before, currency));
    normal.pricing = nullIfDefault("pricing", normalizePricing(fields.pricing, before));
  }
  if (fields.eventPage) {
    const fits = isAtMost(deepestPage, fields.eventPage);
    const text = fits ? JSON.stringify(fields.eventPage) : "";
    if (!fits) issues.push({ path: "/eventPage", message: `must be nested at most ${deepestPage} deep` });
    if (Buffer.byteLength(text) > largestPage) issues.push({ path: "/eventPage", message: "must have at most 16 KB" });
    normal.eventPage = text;
  }
  if (fields.calledOff?.trim() === "") issues.push({ path: "/calledOff", message: "must not be blank" });
  for (const name of ["transfers", "allotment"]) if (normal[name] === 0) normal[name] = null;
  if (issues.length > 0) throw new ValidationFailed(issues);
  return normal;
}

/**
 * When registration ends: at `deadline`, but not after the event, else `endDate`, else `startDate`, a whole day with its
 * last moment, else never (`docs/contract.md`, "Registrations").
 */
export function registrationEnd(event: EventDates): string | undefined {
  const { deadline, endDate, startDate, wholeDays } = event;
  const over = endOf(event);
  if (deadline) return over !== undefined && over < Date.parse(deadline) ? new Date(over).toISOString() : deadline;
  if (endDate) return endDate;
  return wholeDays?.startDate && over !== undefined ? new Date(over).toISOString() : startDate;
}

function allotmentIssues({ allotment, capac = 0, isApplicationBased }: EventRecord): Issue[] {
  if (allotment === undefined) return [];
  const path = "/allotment";
  if (isApplicationBased) return [{ path, message: "must be 0 at an event that takes applications" }];
  return allotment > capac ? [{ path, message: "must not be more than capac" }] : [];
}

/** @throws ValidationFailed */
function check(event: EventRecord, changed: readonly string[], timeZone: string): void {
  const { startDate, endDate, opensAt } = event;
  const issues = registrationListIssues(event, changed);
  const ends = registrationEnd(event);
  if (opensAt && ends && opensAt >= ends) {
    issues.unshift({ path: "/opensAt", message: "must be before registration ends" });
  }
  if (startDate && endDate && endDate < startDate) {
    issues.unshift({ path: "/endDate", message: "must not be before startDate" });
  }
  for (const name of ["noShowsWait", "refundAtCheckIn"] as const) {
    if (!event[name] || !event.isApplicationBased) continue;
    const isNew = changed.includes("isApplicationBased");
    const [path, other] = isNew ? ["isApplicationBased", name] : [name, "isApplicationBased"];
    issues.unshift({ path: `/${path}`, message: `must not be true together with ${other}` });
  }
  // An old error does not block other changes.
  if (dateFields.some((name) => changed.includes(name))) {
    issues.push(...datesAfter(event).map((name) => ({ path: `/${name}`, message: "must not be after the event" })));
  }
  issues.push(...allotmentIssues(event));
  if (event.plusOnes && event.isApplicationBased) {
    issues.push({ path: "/plusOnes", message: "must be 0 at an event that takes applications" });
  }
  if (event.refundAtCheckIn && !event.pricing) {
    issues.push({ path: "/refundAtCheckIn", message: "must not be true at an event without a price" });
  }
  if (event.refundAtCheckIn && event.plusOnes) {
    issues.push({ path: "/refundAtCheckIn", message: "must not be true where people bring others (plusOnes)" });
  }
  if (changed.includes("mails")) issues.push(...ruleTimeIssues(event, timeZone));
  if (issues.length > 0) throw new ValidationFailed(issues);
  // An event is one item of the table. Many small PATCH requests can reach its size limit too.
  if (changed.length > 0) assertFits(valueSize(event), "/", { what: "an event with all its questions" });
}

const withoutNulls = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** @throws ValidationFailed */
export function newEvent(
  body: NewEvent,
  { now, generation, ...settings }: EventSettings & { now: number; generation: string },
): EventRecord {
  const event = {
    isCompleted: false,
    ...withoutNulls(withPartnerSeats(normalize(body, settings), {}, settings.partnerSeats)),
    generation,
    version: 1,
    termsVersion: 1,
    scheduleVersion: 0,
    createdAt: now,
    updatedAt: now,
  } as EventRecord;
  check(event, [...questionFields, ...dateFields, "mails"], settings.timeZone);
  return event;
}

/** Assigns an id to every question without one. `stored` is the event before the change. */
export function withQuestionIds<F extends EventChanges>(fields: F, stored: EventRecord): F {
  const lists = questionFields.flatMap((name) => {
    const known = (stored[name] ?? []) as readonly RegistrationQuestion[];
    const questions = fields[name];
    return questions ? [[name, withIds<QuestionInput>(questions, known, () => randomUUID())]] : [];
  });
  return { ...fields, ...Object.fromEntries(lists) };
}

/** An event after a change, and the names of the fields that differ. */
export interface ChangedEvent {
  readonly event: EventRecord;
  readonly changed: readonly string[];
  /** All seat holders have to know: time or place has changed, or the event is hidden, or shown again. */
  readonly rescheduled: boolean;
  /** It was hidden after it was shown, and is shown again. */
  readonly isBack: boolean;
  readonly isCalledOff: boolean;
  /** The event starts or stops taking applications. Setting an absent `isApplicationBased` to false is no change. */
  readonly changesMode: boolean;
  /** A question becomes a workshop selection or stops being one. */
  readonly changesCounting: boolean;
  /** Partners get seats of their own, or have none any more. */
  readonly changesPools: boolean;
}

/**
 * Applies a PATCH. `null` removes a field; an absent field is unchanged.
 * @throws ValidationFailed
 */
export function changeEvent(
  current: EventRecord,
  changes: EventChanges,
  { now, ...settings }: EventSettings & { now: number },
): ChangedEvent {
  const wanted = withPartnerSeats(normalize(changes, settings, current), current, settings.partnerSeats);
  // Who hides an event wants it hidden, although its time has come.
  if (wanted.isPublished === false && wanted.publishAt === undefined && !isHidden(current, now))
    wanted.publishAt = null;
  // A deep comparison: DynamoDB returns the keys of a map in another order.
  const changed = Object.keys(wanted).filter(
    (name) =>
      !isDeepStrictEqual(
        nullIfDefault(name, current[name]) ?? undefined,
        nullIfDefault(name, wanted[name]) ?? undefined,
      ),
  );
  const reconfigured = changed.some((name) => (configurationFields as readonly string[]).includes(name));
  const isOtherDay = (name: "startDate" | "endDate") =>
    current.wholeDays?.[name] !== (wanted as EventDates).wholeDays?.[name];
  const isMoved =
    changed.some((name) => scheduleFields.includes(name)) || isOtherDay("startDate") || isOtherDay("endDate");
  const hidden = isHidden(withoutNulls({ ...current, ...wanted }) as EventRecord, now);
  const isWithdrawn = hidden && (current.isWithdrawn === true || !isHidden(current, now));
  const isBack = !hidden && isOffProgram(current, now);
  const rescheduled = isMoved || isBack || (hidden && !isHidden(current, now));
  const { former, changesCounting } = questionChange(current, { ...current, ...wanted });
  const event = withoutNulls({
    ...current,
    ...wanted,
    formerQuestions: Object.keys(former).length > 0 ? former : null,
    termsVersion: current.termsVersion + (reconfigured ? 1 : 0),
    scheduleVersion: current.scheduleVersion + (rescheduled ? 1 : 0),
    isWithdrawn: isWithdrawn || null,
    version: current.version + 1,
    updatedAt: now,
  }) as EventRecord;
  check(event, changed, settings.timeZone);
  const isCalledOff = current.calledOff === undefined && event.calledOff !== undefined;
  const changesMode = (current.isApplicationBased ?? false) !== (event.isApplicationBased ?? false);
  const changesPools = (current.partnerCapac === undefined) !== (event.partnerCapac === undefined);
  return { event, changed, rescheduled, isBack, isCalledOff, changesMode, changesCounting, changesPools };
}

/** The input of an event's edit version. Registrations never write the event, so they do not change it. */
export const editedEvent = ({ generation, version, createdAt }: EventRecord): Edited => ({
  generation,
  version,
  createdAt,
});

/** Whether only admins may see the event: until it is published, or its `publishAt` has come. @param now epoch milliseconds */
export const isHidden = (
  { isPublished, publishAt }: Pick<EventRecord, "isPublished" | "publishAt">,
  now: number,
): boolean => isPublished !== true && (publishAt === undefined || Date.parse(publishAt) > now);

/** Whether the event was shown, and is hidden now. @param now epoch milliseconds */
export const isOffProgram = (event: Pick<EventRecord, "isWithdrawn" | "isPublished" | "publishAt">, now: number) =>
  event.isWithdrawn === true && isHidden(event, now);
