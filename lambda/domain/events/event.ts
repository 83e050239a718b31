/** The record of an event and the rules for its changes (`docs/contract.md`, "Events"). No I/O. */

import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { EventKey } from "#domain/capacity/seats.ts";
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import type { Edited } from "#kit/etag.ts";
import { formats } from "#kit/formats.ts";
import { assertFits, valueSize } from "#kit/item-size.ts";
import { toUtc } from "./dates.ts";
import type { EventChanges, NewEvent, QuestionType } from "./event-input.ts";
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
  /** Seats of each single choice of a WORKSHOP_SELECTION. */
  readonly participantCap?: number;
  readonly isSkillsQuestion?: boolean;
}

/** An event as stored. Dates are UTC. Optional fields without a value are absent. */
export interface EventRecord extends EventKey {
  readonly ename: string;
  readonly capac?: number;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly deadline?: string;
  readonly elocation?: string;
  readonly isPublished?: boolean;
  readonly isCompleted: boolean;
  readonly isApplicationBased?: boolean;
  readonly nonBizTechAllowed?: boolean;
  readonly pricing?: Pricing;
  readonly registrationQuestions?: readonly RegistrationQuestion[];
  readonly partnerRegistrationQuestions?: readonly RegistrationQuestion[];
  /** Absent: no registration question was removed. */
  readonly formerQuestions?: FormerQuestions;
  readonly [detail: string]: unknown;
  /**
   * The generation. An event that is deleted and created again is another generation and starts without registrations.
   */
  readonly generation: string;
  /** Counts the writes, from 1. */
  readonly version: number;
  /** The terms version: counts the changes of `configurationFields`. From 1. */
  readonly termsVersion: number;
  /** Counts the changes of time and place. From 0. */
  readonly scheduleVersion: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

const dateFields = ["startDate", "endDate", "deadline"] as const;
/** The lists of questions. An event without a list and one with an empty list are the same. */
export const questionFields = [
  "registrationQuestions",
  "partnerRegistrationQuestions",
  "attendeeFeedbackQuestions",
  "partnerFeedbackQuestions",
] as const;
/** The service decides on a registration by these fields. A change of one of them counts as new terms. */
const configurationFields = [
  "pricing",
  "nonBizTechAllowed",
  "isApplicationBased",
  "isPublished",
  "registrationQuestions",
  "partnerRegistrationQuestions",
] as const;

/** The service tells all people who hold a seat when one of these fields changes. */
const scheduleFields: readonly string[] = ["startDate", "endDate", "elocation"];

const placeFields = ["latitude", "longitude"] as const;

/** Rounds degrees to about a centimetre. DynamoDB refuses a number that is closer to zero than 1e-130. */
const toCentimetre = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;

/** What it means that an event has no value for a switch. */
const absentSwitches: Readonly<Record<string, boolean>> = {
  isPublished: true,
  nonBizTechAllowed: true,
  isApplicationBased: false,
  attendeeFeedbackEnabled: false,
  partnerFeedbackEnabled: false,
};

/** The value, or null for one that says nothing: an empty list, prices of 0 for all people, a switch as if it were absent. */
const saidOf = (name: string, value: unknown): unknown => {
  if (value === absentSwitches[name]) return null;
  if (name === "pricing") return value && isFree(value as Pricing) ? null : value;
  return Array.isArray(value) && value.length === 0 ? null : value;
};

/** The values of the stage that an event is saved with. */
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
    // An offset or the stage's time zone can lead out of the years that dates may have.
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
    normal[name] = saidOf(name, stored);
  }
  if (fields.pricing) {
    const before = current && pricingOf(current);
    issues.push(...pricingIssues(fields.pricing, before, currency));
    normal.pricing = saidOf("pricing", normalizePricing(fields.pricing, before));
  }
  if (issues.length > 0) throw new ValidationFailed(issues);
  return normal;
}

/** @throws ValidationFailed */
function check(event: EventRecord, changed: readonly string[]): void {
  const { startDate, endDate } = event;
  const issues = registrationListIssues(event, changed);
  if (startDate && endDate && endDate < startDate) {
    issues.unshift({ path: "/endDate", message: "must not be before startDate" });
  }
  if (issues.length > 0) throw new ValidationFailed(issues);
  // An event is one item of the table. Many small PATCH requests together can reach the limit of its size too.
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

/** Gives an id to every question of a change that has none. `stored` is the event before the change. */
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
  /** The event starts or stops taking applications. A first `isApplicationBased: false` is no change. */
  readonly changesMode: boolean;
  /** A question becomes a workshop selection or stops being one. */
  readonly changesCounting: boolean;
}

/**
 * Applies a PATCH. `null` removes a field. An absent field stays as it is.
 * @throws ValidationFailed
 */
export function changeEvent(
  current: EventRecord,
  changes: EventChanges,
  { now, ...settings }: EventSettings & { now: number },
): ChangedEvent {
  const wanted = normalize(changes, settings, current);
  // Compared by content: DynamoDB returns a stored map with its keys in another order.
  const changed = Object.keys(wanted).filter(
    (name) => !isDeepStrictEqual(saidOf(name, current[name]) ?? undefined, saidOf(name, wanted[name]) ?? undefined),
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

/** What makes the edit version of an event. Registrations never write the event, so they never move it. */
export const editedEvent = ({ generation, version, createdAt }: EventRecord): Edited => ({
  generation,
  version,
  createdAt,
});

/** Whether only admins may see the event. */
export const isHidden = ({ isPublished }: EventRecord): boolean => isPublished === false;
