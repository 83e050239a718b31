/** Creates, changes and ends the codes of an event. */

import { daysLater, isDateAlone, toUtc } from "#domain/events/dates.ts";
import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { isChargeable, minimumChargeText } from "#domain/events/minimum-charges.ts";
import { eventAsRead, readEvent, replaceEvent } from "#domain/events/store.ts";
import { Duplicate, type Issue, NotFound, ValidationFailed } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import type { TransactItem } from "#kit/table/table.ts";
import { zoneOf } from "#kit/text/time-zone.ts";
import { auditRow, changesOf } from "#outbox/audit.ts";
import {
  type CodeRecord,
  codeIdOf,
  codeLength,
  generatedCode,
  hasPrice,
  normalizedCode,
  type PriceTerms,
} from "./code.ts";
import { changeCode, codesOf, putNewCode, readCode, removeCode } from "./store.ts";

/** What can change of a code. Dates are ISO 8601; one alone is a whole day. */
interface Changeable {
  readonly uses: number;
  readonly validFrom?: string | null;
  readonly validUntil?: string | null;
  readonly note?: string | null;
}

export interface NewCode extends PriceTerms, Changeable, Pick<CodeRecord, "kind"> {
  /** Absent: it is generated. */
  readonly code?: string;
  readonly audience?: CodeRecord["audience"];
}

export type CodeChanges = Partial<Changeable>;

export interface CodeSettings {
  /** IANA name. */
  readonly timeZone: string;
  /** ISO 4217. */
  readonly currency: string;
}

const dollars = ["price", "off"] as const;
const isCents = (amount: number): boolean => Math.round(amount * 100) / 100 === amount;

/** What is wrong with a new code. Pure. */
function issuesOf(code: NewCode, { currency }: CodeSettings): Issue[] {
  const issues: Issue[] = [];
  const { length } = normalizedCode(code.code ?? generatedCode());
  if (length < codeLength.least || length > codeLength.most) {
    issues.push({
      path: "/code",
      message: `must have ${codeLength.least} to ${codeLength.most} characters, without spaces and hyphens`,
    });
  }
  const terms = (["price", "off", "percentOff"] as const).filter((name) => code[name] !== undefined);
  if (terms.length > 1) issues.push({ path: `/${terms[1]}`, message: `must not be there beside ${terms[0]}` });
  if (code.kind === "discount" && !hasPrice(code)) {
    issues.push({ path: "/price", message: "is required for a discount, or off, or percentOff" });
  }
  for (const name of dollars) {
    const amount = code[name];
    if (amount !== undefined && !isCents(amount))
      issues.push({ path: `/${name}`, message: "must have at most two decimals" });
  }
  const { price } = code;
  if (price && !isChargeable(Math.round(price * 100), currency)) {
    issues.push({ path: "/price", message: `must be 0 or ${minimumChargeText(currency)}` });
  }
  return issues;
}

/** A date alone is a whole day: its first moment, or its last one. */
const momentOf = (date: string, timeZone: string, isLast: boolean): string =>
  isDateAlone(date) && isLast
    ? new Date(Date.parse(toUtc(daysLater(date, 1), timeZone)) - 1).toISOString()
    : toUtc(date, timeZone);

/** The changed fields as they are stored. Pure. `undefined` removes one. */
function stored(
  { uses, validFrom, validUntil, note }: CodeChanges,
  event: EventRecord,
  settings: CodeSettings,
): Partial<CodeRecord> {
  const timeZone = zoneOf(event, settings.timeZone);
  return {
    ...(uses !== undefined && { uses }),
    ...(validFrom !== undefined && { validFrom: validFrom ? momentOf(validFrom, timeZone, false) : undefined }),
    ...(validUntil !== undefined && { validUntil: validUntil ? momentOf(validUntil, timeZone, true) : undefined }),
    ...(note !== undefined && { note: note || undefined }),
  } as Partial<CodeRecord>;
}

/** @throws ValidationFailed */
function checked(code: CodeRecord): CodeRecord {
  const { validFrom, validUntil } = code;
  if (validFrom !== undefined && validUntil !== undefined && validUntil <= validFrom) {
    throw new ValidationFailed([{ path: "/validUntil", message: "must be after validFrom" }]);
  }
  return code;
}

const withoutUndefined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/** The note may name people. */
const personal = ["note", "generation", "id", "createdBy"];

const auditOf = (
  action: "code.created" | "code.updated" | "code.ended" | "code.deleted",
  event: EventKey,
  { before, after }: { readonly before?: CodeRecord; readonly after?: CodeRecord },
  context: RequestContext,
): TransactItem => {
  const entry = { action, eventID: event.id, year: event.year, id: (after ?? before)?.code };
  return auditRow({ ...entry, changes: changesOf(before, after, personal) }, context);
};

/**
 * The event knows that it has codes, so that registrations without one read nothing more. Refused when it has changed.
 */
function knowing(event: EventRecord, { kind }: CodeRecord, { now }: RequestContext): TransactItem {
  const isKnown = event.takesCodes && (kind !== "partner" || event.partnersNeedCode);
  if (isKnown) return eventAsRead(event);
  const ofPartners = kind === "partner" ? ({ partnersNeedCode: true } as const) : {};
  const known = { ...event, takesCodes: true, ...ofPartners } as const;
  return replaceEvent({ ...known, version: event.version + 1, updatedAt: now }, event);
}

/**
 * Creates a code.
 * @throws NotFound the event  @throws Duplicate the event has this code  @throws ValidationFailed
 */
export function createCode(
  key: EventKey,
  given: NewCode,
  settings: CodeSettings,
  context: RequestContext,
): Promise<CodeRecord> {
  const issues = issuesOf(given, settings);
  if (issues.length > 0) throw new ValidationFailed(issues);
  const { kind, audience = "everybody", price, off, percentOff } = given;
  const text = given.code?.trim() || generatedCode();
  const { now, actor } = context;
  return execute(
    {
      async read() {
        const event = await readEvent(key);
        return { event, known: event && (await readCode(event, codeIdOf(event.generation, text))) };
      },
      decide({
        event,
        known,
      }: {
        event: EventRecord | undefined;
        known: CodeRecord | undefined;
      }): Decision<CodeRecord> {
        if (!event) throw new NotFound("Event");
        if (known) throw new Duplicate("This event has this code already.");
        const code = checked(
          withoutUndefined({
            ...{ id: codeIdOf(event.generation, text), code: text, kind, audience, price, off, percentOff },
            ...{ used: 0, currency: settings.currency, generation: event.generation, version: 1 },
            ...(stored(given, event, settings) as Pick<CodeRecord, "uses">),
            ...{ createdBy: actor, createdAt: now, updatedAt: now },
          }),
        );
        const audit = auditOf("code.created", event, { after: code }, context);
        return write({ code: putNewCode(event, code), event: knowing(event, code, context), audit }, code);
      },
    },
    context,
  );
}

interface Facts {
  readonly event: EventRecord | undefined;
  readonly code: CodeRecord | undefined;
}

async function readFacts(key: EventKey, id: string): Promise<Facts> {
  const event = await readEvent(key);
  return { event, code: event && (await readCode(event, id)) };
}

/** @throws NotFound */
function found({ event, code }: Facts): { readonly event: EventRecord; readonly code: CodeRecord } {
  if (!event) throw new NotFound("Event");
  if (!code) throw new NotFound("Code");
  return { event, code };
}

/**
 * Changes a code. Registrations keep what it promised them.
 * @param id of the code
 * @throws NotFound ValidationFailed
 */
export const updateCode = (
  key: EventKey,
  id: string,
  changes: CodeChanges,
  settings: CodeSettings,
  context: RequestContext,
): Promise<CodeRecord> =>
  execute(
    {
      read: () => readFacts(key, id),
      decide(facts: Facts): Decision<CodeRecord> {
        const { event, code: before } = found(facts);
        const after = checked(withoutUndefined({ ...before, ...stored(changes, event, settings) }));
        if (changesOf(before, after).length === 0) return answer(before);
        const changed = { ...after, version: before.version + 1, updatedAt: context.now };
        const audit = auditOf("code.updated", event, { before, after: changed }, context);
        return write({ code: changeCode(event, changed, before), audit }, changed);
      },
    },
    context,
  );

/** What a code's end depends on. `isLast`: it is the only one for partners. */
async function readEnding(key: EventKey, id: string): Promise<Facts & { readonly isLast: boolean }> {
  const facts = await readFacts(key, id);
  if (!facts.event || facts.code?.kind !== "partner") return { ...facts, isLast: false };
  for await (const { kind, id: other } of codesOf(facts.event)) {
    if (kind === "partner" && other !== id) return { ...facts, isLast: false };
  }
  return { ...facts, isLast: true };
}

/** The event without its last code for partners: they need none any more. */
const forgetting = ({ partnersNeedCode, ...event }: EventRecord, read: EventRecord, now: number): TransactItem =>
  replaceEvent({ ...(event as EventRecord), version: read.version + 1, updatedAt: now }, read);

/**
 * Ends a code: no one can use it any more, and who has used it keeps what it promised. One that no registration uses is
 * removed.
 * @returns the code that is left
 * @throws NotFound
 */
export const endCode = (key: EventKey, id: string, context: RequestContext): Promise<CodeRecord | undefined> =>
  execute(
    {
      read: () => readEnding(key, id),
      decide(facts: Awaited<ReturnType<typeof readEnding>>): Decision<CodeRecord | undefined> {
        const { event, code } = found(facts);
        const { now } = context;
        if (code.used <= 0) {
          const audit = auditOf("code.deleted", event, { before: code }, context);
          const members = { code: removeCode(event, code), audit };
          if (code.kind !== "partner") return write(members, undefined);
          const left = facts.isLast ? forgetting(event, event, now) : eventAsRead(event);
          return write({ ...members, event: left }, undefined);
        }
        if (code.endedAt !== undefined) return answer(code);
        const after = { ...code, endedAt: now, version: code.version + 1, updatedAt: now };
        const audit = auditOf("code.ended", event, { before: code, after }, context);
        return write({ code: changeCode(event, after, code), audit }, after);
      },
    },
    context,
  );
