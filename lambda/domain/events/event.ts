/** The record of an event and the rules for its changes (`docs/contract.md`, "Events"). No I/O. */

import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { EventKey } from "#domain/capacity/seats.ts";
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import type { Edited } from "#kit/request/etag.ts";
import { formats } from "#kit/schema/formats.ts";
import { assertFits, valueSize } from "#kit/table/item-size.ts";
import { dateFields, toUtc } from "./dates.ts";
import type { EventChanges, GuestsAllowed, NewEvent, QuestionType } from "./event-input.ts";
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
  readonly startDate?: string;
  readonly endDate?: string;
  readonly deadline?: string;
  /** Registration starts. */
  readonly opensAt?: string;
  /** A draft is visible from then on. */
  readonly publishAt?: string;
  /** Who cancels later gets no refund without the treasurer. */
  readonly refundUntil?: string;
  /** Hours before the start. Absent: those of the stage. */
  readonly reminders?: readonly number[];
  /** Who may register without an account. Absent: as the stage has it. */
  readonly guests?: GuestsAllowed;
  readonly elocation?: string;
  readonly isPublished?: boolean;
  readonly isCompleted: boolean;
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
  /** Counts the changes of time and place, from 0. */
  readonly scheduleVersion: number;
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
  if (name === "pricing") return value && isFree(value as Pricing) ? null : value;
  return Array.isArray(value) && value.length === 0 ? null : value;
};

/** Settings of the stage that apply to events. */
export interface EventSettings {
  /** IANA name. */
  readonly timeZone: string;
  /** ISO 4217. */
  readonly currency: string;
}

/** @throws ValidationFailed */
function normalize<F extends EventChanges>(
  fields: F,
  { timeZone, currency }: EventSettings,
  current?: Pick<EventRecord, "pricing">,
): Record<string, unknown> {
  const issues: Issue[] = [];
  const normal: Record<string, unknown> = { ...(fields as EventChanges) };
  for (const name of dateFields) {
    const date = fields[name];
    if (!date) continue;
    const utc = toUtc(date, timeZone);
    // The conversion can leave the years that the format allows.
    if (!formats["iso-date"].check(utc)) issues.push({ path: `/${name}`, message: formats["iso-date"].message });
    normal[name] = utc;
  }
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
  if (issues.length > 0) throw new ValidationFailed(issues);
  return normal;
}

/** When registration ends: at `deadline`, else `endDate`, else `startDate`, else never (`docs/contract.md`, "Registrations"). */
export const registrationEnd = ({ deadline, endDate, startDate }: EventRecord): string | undefined =>
  deadline ?? endDate ?? startDate;

/** @throws ValidationFailed */
function check(event: EventRecord, changed: readonly string[]): void {
  const { startDate, endDate, opensAt } = event;
  const issues = registrationListIssues(event, changed);
  const ends = registrationEnd(event);
  if (opensAt && ends && opensAt >= ends) {
    issues.unshift({ path: "/opensAt", message: "must be before registration ends" });
  }
  if (startDate && endDate && endDate < startDate) {
    issues.unshift({ path: "/endDate", message: "must not be before startDate" });
  }
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
    ...withoutNulls(normalize(body, settings)),
    generation,
    version: 1,
    termsVersion: 1,
    scheduleVersion: 0,
    createdAt: now,
    updatedAt: now,
  } as EventRecord;
  check(event, questionFields);
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
  /** Time or place has changed. */
  readonly rescheduled: boolean;
  /** The event starts or stops taking applications. Setting an absent `isApplicationBased` to false is no change. */
  readonly changesMode: boolean;
  /** A question becomes a workshop selection or stops being one. */
  readonly changesCounting: boolean;
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
  const wanted = normalize(changes, settings, current);
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
  const rescheduled = changed.some((name) => scheduleFields.includes(name));
  const { former, changesCounting } = questionChange(current, { ...current, ...wanted });
  const event = withoutNulls({
    ...current,
    ...wanted,
    formerQuestions: Object.keys(former).length > 0 ? former : null,
    termsVersion: current.termsVersion + (reconfigured ? 1 : 0),
    scheduleVersion: current.scheduleVersion + (rescheduled ? 1 : 0),
    version: current.version + 1,
    updatedAt: now,
  }) as EventRecord;
  check(event, changed);
  const changesMode = (current.isApplicationBased ?? false) !== (event.isApplicationBased ?? false);
  return { event, changed, rescheduled, changesMode, changesCounting };
}

/** The input of an event's edit version. Registrations never write the event, so they do not change it. */
export const editedEvent = ({ generation, version, createdAt }: EventRecord): Edited => ({
  generation,
  version,
  createdAt,
});

/** Whether only admins may see the event: until it is published, or its `publishAt` has come. @param now epoch milliseconds */
export const isHidden = ({ isPublished, publishAt }: EventRecord, now: number): boolean =>
  isPublished !== true && (publishAt === undefined || Date.parse(publishAt) > now);
