/** Confirms a free accepted application when its person requests a checkout. */

import { findMove } from "#domain/registrations/record/moves.ts";
import { type State, stateOf } from "#domain/registrations/record/statuses.ts";
import { moved } from "#domain/registrations/store/change.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, type Keep, write } from "#kit/table/execute.ts";
import { owesNothingNow } from "./amount-owed.ts";
import { type PayerRecords, readPayer } from "./store.ts";

function decide(known: PayerRecords, context: RequestContext): Decision<boolean, true> {
  const { event, registration, user } = known;
  if (!event || !registration) return answer(false);
  if (!owesNothingNow(known, { isMember: user?.isMember ?? false })) return answer(false);
  const state = stateOf(registration) as State;
  if (state === "acceptedComplete" || state === "applicant") return answer(true);
  const terms = { priced: false, application: true };
  const move = findMove(state, "acceptedComplete", terms, "self");
  if (!move) return answer(false);
  // A decision that depended on the price requires unchanged terms.
  const claim = move.priced === undefined ? undefined : "recountUnderTerms";
  return write(moved(registration, move, claim, event, context).members, true, () => true);
}

/**
 * Makes a free `accepted` or `acceptedPending` registration `acceptedComplete`, in one transaction. An undecided
 * application is unchanged.
 * @param found the records with the registration that were read
 * @returns whether there is nothing to pay now; false when the seat has a price, or is no longer an application
 * @throws Contended nothing was written
 */
export const confirmFree = (found: PayerRecords, context: RequestContext, keep?: Keep<boolean>): Promise<boolean> => {
  const { registration } = found;
  if (!registration) return Promise.resolve(false);
  const { email, eventID: id, year } = registration;
  return execute(
    {
      keep,
      read: async (isOld: true | undefined) => (isOld ? readPayer(email, { id, year }) : found),
      decide: (known) => decide(known, context),
    },
    context,
  );
};
