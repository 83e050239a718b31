/**
 * Confirms seats that cost nothing: of a free accepted application when its person requests a checkout, and of everyone who
 * has not paid yet when the event becomes free.
 */

import type { EventKey } from "#domain/capacity/seats.ts";
import { termsOf } from "#domain/registrations/form/eligibility.ts";
import { type AnswerOrigin, answerRules } from "#domain/registrations/record/acts.ts";
import { findMove } from "#domain/registrations/record/moves.ts";
import { countsAsMember, isUnpaid } from "#domain/registrations/record/registration.ts";
import { type State, stateOf } from "#domain/registrations/record/statuses.ts";
import { moved } from "#domain/registrations/store/change.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, type Keep, write } from "#kit/table/execute.ts";
import { owesNothingNow } from "./amount-owed.ts";
import { type PayerRecords, readPayer } from "./store.ts";

function decide(known: PayerRecords, origin: AnswerOrigin, context: RequestContext): Decision<boolean, true> {
  const { event, registration, user } = known;
  if (!event || !registration) return answer(false);
  if (!owesNothingNow(known, { isMember: countsAsMember(user, registration) })) return answer(false);
  const state = stateOf(registration) as State;
  if (state === "acceptedComplete" || state === "applicant") return answer(true);
  const terms = { priced: false, application: true };
  const move = findMove(state, "acceptedComplete", terms, "self");
  if (!move) return answer(false);
  // A decision that depended on the price requires unchanged terms.
  const claim = move.priced === undefined ? undefined : "recountUnderTerms";
  const details = { origin, audit: answerRules(origin).audit };
  return write(moved(registration, move, claim, event, context, details).members, true, () => true);
}

/**
 * Makes a free `accepted` or `acceptedPending` registration `acceptedComplete`, in one transaction. An undecided
 * application is unchanged.
 * @param found the records with the registration that were read
 * @param readAgain reads them after a refusal, and throws if the caller may not confirm the registration any more
 * @returns whether there is nothing to pay now; false when the seat has a price, or is no longer an application
 * @throws Contended nothing was written
 */
export const confirmFree = (
  found: PayerRecords,
  readAgain: () => Promise<PayerRecords>,
  origin: AnswerOrigin,
  context: RequestContext,
  keep?: Keep<boolean>,
): Promise<boolean> =>
  execute(
    {
      keep,
      read: async (isOld: true | undefined) => (isOld ? readAgain() : found),
      decide: (known) => decide(known, origin, context),
    },
    context,
  );

function decideUnpaid({ event, registration, user }: PayerRecords, context: RequestContext): Decision<boolean> {
  if (!event || registration?.generation !== event.generation || !isUnpaid(registration)) return answer(false);
  const { isPartner } = registration;
  const terms = termsOf(event, { isMember: countsAsMember(user, registration), isPartner }, registration);
  const from = stateOf(registration) as State;
  const move = findMove(from, from === "incomplete" ? "registered" : "acceptedComplete", terms, "system");
  if (!move || terms.priced) return answer(false);
  return write(moved(registration, move, "recountUnderTerms", event, context, { audit: "fields" }).members, true);
}

/**
 * Confirms an unpaid seat, with its notice, if its person owes nothing any more. Idempotent. Money that is paid for it all
 * the same is refunded.
 * @returns whether it was confirmed now
 * @throws Contended nothing was written
 */
export const confirmUnpaid = (email: string, event: EventKey, context: RequestContext): Promise<boolean> =>
  execute(
    { read: () => readPayer(email, event), decide: (known: PayerRecords) => decideUnpaid(known, context) },
    context,
  );
