/** The routes of an event's codes (`docs/contract.md`, "Codes"). */
import { agreedPriceOf, type CodeRecord, codeIdOf, problemOf, unknownCode } from "#domain/codes/code.ts";
import { createCode as create, endCode as end, updateCode as update } from "#domain/codes/manage.ts";
import { CodeNotValid } from "#domain/codes/refusals.ts";
import { pageOfCodes, readCode } from "#domain/codes/store.ts";
import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { priceFor } from "#domain/events/pricing.ts";
import { readEvent } from "#domain/events/store.ts";
import { spendOnCode } from "#domain/people/budget.ts";
import { ticketKey } from "#domain/registrations/links/ticket-key.ts";
import { requiredEnv } from "#kit/env.ts";
import { NotFound } from "#kit/errors.ts";
import { decodeCursor } from "#kit/lists/cursor.ts";
import { nextHeader } from "#kit/lists/pages.ts";
import { created, ok } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import type { Caller } from "#kit/request/caller.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { retried } from "#kit/table/retry.ts";
import type { Code } from "./code-schemas.ts";
import * as routes from "./routes.ts";

const settings = { timeZone: requiredEnv("TIME_ZONE"), currency: requiredEnv("CURRENCY") };

const codeAnswer = ({ currency, generation, version, ...code }: CodeRecord): Code => code as Code;

const isCodeId = (text: string): boolean => /^[\w-]{16}$/.test(text);

export const createCode = api(routes.createCode, async ({ params: { eventId: id, year }, body, context }) => {
  const code = await create({ id, year }, body, settings, context);
  return created({ message: "Code created.", item: codeAnswer(code) });
});

export const listCodes = api(routes.listCodes, async ({ params: { eventId: id, year }, query: { limit, cursor } }) => {
  const event = await readEvent({ id, year });
  if (!event) throw new NotFound("Event");
  const page = await pageOfCodes(event, { limit, after: decodeCursor(cursor, isCodeId) });
  return ok(page.rows.map(codeAnswer), nextHeader(page));
});

export const updateCode = api(routes.updateCode, async ({ params, body, context }) => {
  const { eventId: id, year, codeId } = params;
  const code = await update({ id, year }, codeId, body, settings, context);
  return ok({ message: "Code updated.", item: codeAnswer(code) });
});

export const endCode = api(routes.endCode, async ({ params: { eventId: id, year, codeId }, context }) => {
  const left = await end({ id, year }, codeId, context);
  return ok(
    left
      ? { message: "Code ended. Who has used it keeps what it promised.", item: codeAnswer(left) }
      : { message: "Code removed: no registration uses it." },
  );
});

/** What each person would pay, in dollars. */
function pricesWith(code: CodeRecord, event: EventRecord) {
  const isInvited = code.kind === "access";
  const priceOf = (person: { isMember: boolean; isPartner?: boolean }) => {
    const price = priceFor(event, { ...person, isInvited });
    return price === "members-only" ? undefined : (agreedPriceOf(code, price) ?? price) / 100;
  };
  const all = {
    member: code.kind === "partner" ? undefined : priceOf({ isMember: true }),
    nonMember: code.kind === "partner" || code.audience === "members" ? undefined : priceOf({ isMember: false }),
    partner: code.kind === "partner" ? priceOf({ isMember: false, isPartner: true }) : undefined,
  };
  return Object.fromEntries(Object.entries(all).filter(([, price]) => price !== undefined));
}

/** The code of a request for an event. */
export interface LookedUp {
  readonly found: CodeRecord | undefined;
  /** Opens a hidden event. */
  readonly opens: boolean;
  readonly problem: string | undefined;
}

/** Whether the person is a member, or comes as a partner, shows when they register. */
const anybody = (code: CodeRecord) => ({ isMember: true, isPartner: code.kind === "partner" });

/**
 * Looks up the code of a query. Tries are counted, but for admins.
 * @throws TooOften
 */
export async function lookUp(
  text: string,
  key: EventKey,
  event: Promise<EventRecord | undefined>,
  caller: Caller | undefined,
  context: RequestContext,
): Promise<LookedUp> {
  if (!caller?.isAdmin)
    await spendOnCode(caller ? { email: caller.email } : { event: key }, await ticketKey(), context);
  const known = await event;
  const found = known && (await retried(() => readCode(known, codeIdOf(known.generation, text)), context));
  const problem = found ? problemOf(found, anybody(found), true, context.now) : unknownCode;
  return { found, problem, opens: problem === undefined && found?.kind === "access" };
}

/** @throws CodeNotValid */
export function lookedUp({ found, problem }: LookedUp, event: EventRecord) {
  if (!found || problem !== undefined) throw new CodeNotValid(problem ?? unknownCode);
  return { kind: found.kind, audience: found.audience, ...pricesWith(found, event) };
}
