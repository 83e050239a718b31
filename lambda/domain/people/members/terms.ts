/** When memberships end (`docs/contract.md`, "Members"). Pure. */

import { daysLater, momentOf, toUtc } from "#domain/events/dates.ts";
import { day } from "#kit/text/time.ts";
import { dateAt } from "#kit/text/time-zone.ts";

/** How long a membership lasts that a stage gives. */
export type TermRule =
  | "forever"
  | ({
      /** Days before its end at which the person is reminded, and from which they may renew it. */
      readonly remindDays: number;
    } & (
      | {
          /** `mm-dd`: its last day, the same for all members. `02-29` is the last day of every February. */
          readonly endsOn: string;
        }
      | {
          /** It lasts so many months from the day of the payment. */
          readonly months: number;
        }
    ));

/** The rule of a stage, and its zone (IANA name), whose days count. */
export interface TermsOfStage {
  readonly rule: TermRule;
  readonly timeZone: string;
}

/** One paid or granted stretch of a membership. */
export interface Term {
  /** Epoch milliseconds: the first moment after it. */
  readonly until: number;
  /** When it was given, epoch milliseconds. */
  readonly at: number;
  /** The payment's id. Absent: an executive gave it. */
  readonly paidBy?: string;
}

/** What a membership record has of its terms. Nothing: it is for good. */
export interface TermFields {
  /** The latest end of its terms. */
  readonly until?: number | undefined;
  /** The latest ones, oldest first. */
  readonly terms?: readonly Term[] | undefined;
  /** When the night next has something to do for it: a reminder, or the end. Epoch milliseconds. */
  readonly dueAt?: number | undefined;
}

/** An end that a stage without a rule has of an executive is announced so early. */
const usualDays = 30;
/** Terms that a record keeps. Earlier ones are long over. */
const termsKept = 12;

const daysBefore = (rule: TermRule): number => (rule === "forever" ? usualDays : rule.remindDays);

const lastOfMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** `yyyy-mm-dd`, at most the month's last day. @param month from 1; beyond 12 in a later year */
function dateOf(year: number, month: number, dayOfMonth: number): string {
  const [inYear, inMonth] = [year + Math.floor((month - 1) / 12), ((month - 1) % 12) + 1];
  const last = Math.min(dayOfMonth, lastOfMonth(inYear, inMonth));
  return `${inYear}-${`${inMonth}`.padStart(2, "0")}-${`${last}`.padStart(2, "0")}`;
}

const partsOf = (date: string) => date.split("-").map(Number) as [year: number, month: number, dayOfMonth: number];

/** The first such day of a year that is not before `date`. */
function nextYearly(endsOn: string, date: string): string {
  const [month, dayOfMonth] = endsOn.split("-").map(Number) as [number, number];
  const [year] = partsOf(date);
  const ofYear = dateOf(year, month, dayOfMonth);
  return ofYear >= date ? ofYear : dateOf(year + 1, month, dayOfMonth);
}

/**
 * The last day of a new term, `yyyy-mm-dd`.
 * @param from the day of the payment or grant
 * @param current the last day of the membership so far; undefined for a new one
 */
export function lastDayOf(rule: Exclude<TermRule, "forever">, from: string, current?: string): string {
  const isRunning = current !== undefined && current >= from;
  if ("months" in rule) {
    const [year, month, dayOfMonth] = partsOf(isRunning ? current : from);
    return dateOf(year, month + rule.months, dayOfMonth);
  }
  // Who joins shortly before the end has paid for the time after it, and is not reminded within weeks.
  const earliest = daysLater(from, 2 * rule.remindDays);
  const afterCurrent = isRunning ? daysLater(current, 1) : from;
  return nextYearly(rule.endsOn, earliest > afterCurrent ? earliest : afterCurrent);
}

/** The first moment after a day, epoch milliseconds. @param date `yyyy-mm-dd` */
const afterDay = (date: string, timeZone: string): number => Date.parse(toUtc(daysLater(date, 1), timeZone));

/** The end that an executive gives: a date alone ends with its day. Epoch milliseconds. */
export const endGiven = (text: string, timeZone: string): number =>
  Date.parse(momentOf("deadline", text, timeZone)) + 1;

/** The last moment of a term, as answers have it. */
export const lastMoment = (until: number): string => new Date(until - 1).toISOString();

/** Whether a membership goes on at a time. A former one stays stored. @param at epoch milliseconds */
export const isCurrent = ({ until = Number.POSITIVE_INFINITY }: Pick<TermFields, "until">, at: number): boolean =>
  until > at;

/**
 * When the person stops being a member, epoch milliseconds: by the account, or without one by the membership record.
 * Infinity: never. Undefined: they are none.
 */
export function endOf({
  user,
  member,
}: {
  readonly user?: { readonly isMember: boolean; readonly memberUntil?: number | undefined } | undefined;
  readonly member?: Pick<TermFields, "until"> | undefined;
}): number | undefined {
  if (user) return user.memberUntil ?? (user.isMember ? Number.POSITIVE_INFINITY : undefined);
  return member && (member.until ?? Number.POSITIVE_INFINITY);
}

/** Whether the person may pay for a term, or be granted one: who is no member, or one whose end is near. @param at epoch milliseconds */
export const mayRenew = (person: Parameters<typeof endOf>[0], at: number, rule: TermRule): boolean =>
  (endOf(person) ?? Number.NEGATIVE_INFINITY) - at <= daysBefore(rule) * day;

/** The fields after these terms, with a reminder before the end. */
const fieldsOf = (terms: readonly Term[], rule: TermRule): TermFields => {
  const until = Math.max(...terms.map((term) => term.until));
  return { until, terms: terms.slice(-termsKept), dueAt: until - daysBefore(rule) * day };
};

const forGood: TermFields = { until: undefined, terms: undefined, dueAt: undefined };

/** What gives a term. */
export interface Giving {
  /** The day of the payment or grant, epoch milliseconds. */
  readonly at: number;
  readonly paidBy?: string | undefined;
}

/** The fields of a membership with one more term. A renewal never shortens it. */
export function withTerm(member: TermFields | undefined, { at, paidBy }: Giving, stage: TermsOfStage): TermFields {
  const { rule, timeZone } = stage;
  if (rule === "forever") return forGood;
  const { until: before, terms = [] } = member ?? {};
  const current = before === undefined ? undefined : dateAt(before - 1, timeZone);
  const last = lastDayOf(rule, dateAt(at, timeZone), current);
  const until = Math.max(afterDay(last, timeZone), before ?? 0);
  return fieldsOf([...terms, { until, at, ...(paidBy !== undefined && { paidBy }) }], rule);
}

/**
 * The fields after an executive has set the end: the latest term has it, and stays its payment's.
 * @param until null: for good
 */
export function withEnd(
  { terms = [], createdAt }: TermFields & { readonly createdAt: number },
  until: number | null,
  { rule }: TermsOfStage,
): TermFields {
  if (until === null) return forGood;
  const last = terms.at(-1) ?? { at: createdAt };
  // No earlier term may outlast the end.
  const earlier = terms.slice(0, -1).map((term) => ({ ...term, until: Math.min(term.until, until) }));
  return fieldsOf([...earlier, { ...last, until }], rule);
}

/** Whether a payment has paid the membership's latest term, or a membership without terms. @param settledAt epoch milliseconds */
export function hasPaidLatest(
  { terms, createdAt }: Pick<TermFields, "terms"> & { readonly createdAt: number },
  { paymentId, settledAt }: { readonly paymentId: string; readonly settledAt: number },
): boolean {
  const last = terms?.at(-1);
  if (last?.paidBy !== undefined) return last.paidBy === paymentId;
  return (last?.at ?? createdAt) <= settledAt;
}

/**
 * What a refund leaves: the fields without the term that the payment has paid.
 * @returns `ends` when no other term is left; undefined when the payment has paid none that counts
 */
export function withoutTermOf(
  member: TermFields & { readonly createdAt: number },
  payment: Parameters<typeof hasPaidLatest>[1],
  rule: TermRule,
): TermFields | "ends" | undefined {
  const { terms = [] } = member;
  const rest = terms.filter(({ paidBy }) => paidBy !== payment.paymentId);
  const isNamed = rest.length < terms.length;
  if (!isNamed) return hasPaidLatest(member, payment) ? "ends" : undefined;
  return rest.length === 0 ? "ends" : fieldsOf(rest, rule);
}

/** What the clock asks for. @param now epoch milliseconds */
export function dueFor({ until, dueAt }: TermFields, now: number): "reminder" | "end" | undefined {
  if (until === undefined || dueAt === undefined || dueAt > now) return undefined;
  return until <= now ? "end" : "reminder";
}
