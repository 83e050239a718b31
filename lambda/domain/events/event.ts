/** What an event is, and what a change to it means. No I/O. */
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import { assertFits } from "#kit/item-size.ts";
import { toUtc } from "./dates.ts";
import type { EventChanges, NewEvent, QuestionType } from "./event-input.ts";
import { normalizePricing, type Pricing, pricingIssues } from "./pricing.ts";
import { normalizeQuestion, questionIssues, registrationListIssues } from "./questions.ts";

/** Identifies an event. */
export interface EventKey {
  readonly id: string;
  readonly year: number;
}

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

/** An event as stored. Dates are UTC, optional fields that were not given are absent. */
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
  readonly [detail: string]: unknown;
  /** Names this creation of the event: deleting and creating it again starts empty. */
  readonly incarnation: string;
  /** Counts the writes, from 1. */
  readonly version: number;
  /** Counts the changes of what a registration is decided by: price, mode, questions. From 1. */
  readonly cfg: number;
  /** Counts the changes of time and place. From 0. */
  readonly scheduleVersion: number;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

const dateFields = ["startDate", "endDate", "deadline"] as const;
const questionFields = [
  "registrationQuestions",
  "partnerRegistrationQuestions",
  "attendeeFeedbackQuestions",
  "partnerFeedbackQuestions",
] as const;
/** A change of one of these changes what a registration is decided by. */
const configurationFields = [
  "pricing",
  "nonBizTechAllowed",
  "isApplicationBased",
  "isPublished",
  "registrationQuestions",
  "partnerRegistrationQuestions",
] as const;

/** Whoever holds a seat must know when one of these changes. */
const scheduleFields: readonly string[] = ["startDate", "endDate", "elocation"];

const placeFields = ["latitude", "longitude"] as const;

/** Degrees to a centimetre. The table takes no number that is closer to zero than 1e-130. */
const toCentimetre = (degrees: number): number => Math.round(degrees * 1e7) / 1e7;

/** @throws ValidationFailed */
function normalize<F extends EventChanges>(fields: F, timeZone: string): Record<string, unknown> {
  const issues: Issue[] = [];
  const normal: Record<string, unknown> = { ...(fields as EventChanges) };
  for (const name of dateFields) {
    const date = fields[name];
    if (date) normal[name] = toUtc(date, timeZone);
  }
  for (const name of placeFields) {
    const degrees = fields[name];
    if (typeof degrees === "number") normal[name] = toCentimetre(degrees);
  }
  for (const name of questionFields) {
    const questions = fields[name];
    if (!questions) continue;
    issues.push(...questionIssues(questions, `/${name}`));
    normal[name] = questions.map((question) => normalizeQuestion(question));
  }
  if (fields.pricing) {
    issues.push(...pricingIssues(fields.pricing));
    normal.pricing = normalizePricing(fields.pricing);
  }
  if (issues.length > 0) throw new ValidationFailed(issues);
  return normal;
}

function checkDates({ startDate, endDate }: { startDate?: string; endDate?: string }): void {
  if (startDate && endDate && endDate < startDate) {
    throw new ValidationFailed([{ path: "/endDate", message: "must not be before startDate" }]);
  }
}

/** @throws ValidationFailed */
function checkQuestions(event: EventRecord, changed: readonly string[]): void {
  const issues = registrationListIssues(event, changed);
  if (issues.length > 0) throw new ValidationFailed(issues);
}

/**
 * An event is one item of the table, however many requests it grew by.
 * @throws ValidationFailed
 */
const checkSize = (event: EventRecord): void => assertFits(event, "/", { what: "an event with all its questions" });

const withoutNulls = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** @throws ValidationFailed */
export function newEvent(
  body: NewEvent,
  { now, incarnation, timeZone }: { now: number; incarnation: string; timeZone: string },
): EventRecord {
  const event = {
    isCompleted: false,
    ...withoutNulls(normalize(body, timeZone)),
    incarnation,
    version: 1,
    cfg: 1,
    scheduleVersion: 0,
    createdAt: now,
    updatedAt: now,
  } as EventRecord;
  checkDates(event);
  checkQuestions(event, questionFields);
  checkSize(event);
  return event;
}

/** A stored map comes back with its keys in another order. */
const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b);

/** Gives every question its id, once: a change that is tried again must not look like another one. */
export function withQuestionIds<F extends EventChanges>(fields: F): F {
  const named: Record<string, unknown> = {};
  for (const name of questionFields) {
    const questions = fields[name];
    if (questions)
      named[name] = questions.map((question) => ({ ...question, questionId: question.questionId || randomUUID() }));
  }
  return { ...fields, ...named };
}

/** An event after a change, and which of its fields differ. */
export interface ChangedEvent {
  readonly event: EventRecord;
  readonly changed: readonly string[];
  /** Time or place has changed. */
  readonly rescheduled: boolean;
  /** It takes applications from now on, or no longer. Saying that it takes none changes nothing when it never did. */
  readonly changesMode: boolean;
}

/**
 * Applies a PATCH. `null` removes a field; what is not named stays.
 * @throws ValidationFailed
 */
export function changeEvent(
  current: EventRecord,
  changes: EventChanges,
  { now, timeZone }: { now: number; timeZone: string },
): ChangedEvent {
  const wanted = normalize(changes, timeZone);
  const changed = Object.keys(wanted).filter((name) => !same(current[name], wanted[name] ?? undefined));
  const reconfigured = changed.some((name) => (configurationFields as readonly string[]).includes(name));
  const rescheduled = changed.some((name) => scheduleFields.includes(name));
  const event = withoutNulls({
    ...current,
    ...wanted,
    cfg: current.cfg + (reconfigured ? 1 : 0),
    scheduleVersion: current.scheduleVersion + (rescheduled ? 1 : 0),
    version: current.version + 1,
    updatedAt: now,
  }) as EventRecord;
  checkDates(event);
  checkQuestions(event, changed);
  if (changed.length > 0) checkSize(event);
  const changesMode = (current.isApplicationBased ?? false) !== (event.isApplicationBased ?? false);
  return { event, changed, rescheduled, changesMode };
}

/** Whether everybody may see it, or admins only. */
export const isHidden = ({ isPublished }: EventRecord): boolean => isPublished === false;
