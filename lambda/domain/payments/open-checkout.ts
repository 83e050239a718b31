/**
 * Opens a checkout: one session at the provider for one person and purpose. This stays true when the person asks twice,
 * when two requests ask at once, and when a request ends in the middle.
 *
 * 1. The service records the checkout, with all values that its session is made of.
 * 2. The provider makes the session under the checkout's id. The same id always gives the same session.
 * 3. The service records the session. The registration for an event gets the link and is held while the session lasts.
 *
 * Every round decides on a fresh read and continues where an earlier round or another request stopped.
 */

import type { EventKey } from "#domain/events/event.ts";
import type { MembershipForm } from "#domain/people/members/form.ts";
import { isMemberAlready } from "#domain/people/members/member.ts";
import { type KnownName, requireFirstName, withNames } from "#domain/people/members/names.ts";
import { factOf } from "#domain/registrations/record/registration.ts";
import { withCheckout } from "#domain/registrations/record/transition.ts";
import { membersOf } from "#domain/registrations/store/change.ts";
import type { RequestContext } from "#kit/context.ts";
import { Contended, NotFound } from "#kit/errors.ts";
import { answer, type Decision, execute, type Keep, write, writeOnce } from "#kit/execute.ts";
import { Patience, retried } from "#kit/retry.ts";
import {
  type AmountOwed,
  amountOwedForEvent,
  amountOwedForMembership,
  assertMayProlong,
  isFor,
  isFreeApplication,
  leadsElsewhere,
  mayBeOpen,
} from "./amount-owed.ts";
import { type Checkout, heldForSession, type LatestCheckout, latestOf, type Session, sessionEnd } from "./checkout.ts";
import { confirmFree } from "./confirm-free.ts";
import type { Provider } from "./provider.ts";
import type { Redirects } from "./redirects.ts";
import { NothingToPay } from "./refusals.ts";
import { closeCheckout, type PayerRecords, putCheckout, readPayer, replaceForm, storeSession } from "./store.ts";

export interface CheckoutRequest extends Redirects {
  readonly email: string;
  readonly isAdmin: boolean;
  /** The payer's name in the token. It counts for a membership if neither form nor account has one. */
  readonly nameInToken?: KnownName;
  readonly purpose:
    | { readonly kind: "event"; readonly event: EventKey }
    | { readonly kind: "membership"; readonly form: MembershipForm };
}

export interface Prices {
  /** In cents. */
  readonly membership: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** A session with its checkout. */
type Made = Session & { readonly checkout: LatestCheckout };

/** The payer of a seat: the mark on the account decides about the price. */
const payerOf = ({ user }: PayerRecords) => ({ isMember: user?.isMember ?? false });

/** @throws NotFound NothingToPay  @throws ValidationFailed a membership for a person without a name */
function amountOwedOf(
  { purpose, isAdmin, nameInToken = {} }: CheckoutRequest,
  known: PayerRecords,
  prices: Prices,
  now: number,
): AmountOwed {
  if (purpose.kind === "event") {
    return amountOwedForEvent(known, { ...payerOf(known), isAdmin }, prices.currency, now);
  }
  const payer = { isMember: isMemberAlready(known), isAdmin };
  const { fname: firstName, lname: lastName } = known.user ?? {};
  const form = withNames(purpose.form, { firstName, lastName }, nameInToken);
  const owed = amountOwedForMembership(form, payer, { amount: prices.membership, currency: prices.currency });
  requireFirstName(form);
  return owed;
}

/** The session that a new checkout replaces. Undefined when the provider takes no money for it any more. */
async function replacedBy(latest: LatestCheckout | undefined, provider: Provider, now: number) {
  if (!latest || !mayBeOpen(latest, now)) return undefined;
  if (latest.sessionId !== undefined) return latest.sessionId;
  // An earlier request may have made the session and ended before it recorded it.
  const session = await sessionOf(latest, provider);
  return session === "too late" ? undefined : session.sessionId;
}

/** @throws NothingToPay the person has already paid in the session that this checkout replaces */
async function sessionOf(checkout: LatestCheckout, provider: Provider): Promise<Session | "too late"> {
  if (checkout.replaces !== undefined && (await provider.end(checkout.replaces)) === "completed") {
    throw new NothingToPay("You have paid already. It takes a moment until we hear of it.");
  }
  return provider.sessionFor(checkout);
}

/** The facts for claiming: the stored records, the amount owed, and the session that a new checkout replaces. */
interface ClaimFacts {
  readonly known: PayerRecords;
  readonly owed: AmountOwed;
  readonly replaces?: string | undefined;
}

/** There is no checkout, because the person's accepted application costs nothing. */
interface Free {
  readonly free: PayerRecords;
}

/** The checkout that all requests of the person use, and whether this request has made it. */
interface Claimed {
  readonly checkout: LatestCheckout;
  readonly known: PayerRecords;
  readonly owed: AmountOwed;
  readonly isNew: boolean;
}

/**
 * Finds the checkout of the person and purpose, or records a new one.
 * @param made the session that this request has made in an earlier round; its checkout may have been closed since
 * @throws NotFound NothingToPay
 */
const claim = (
  request: CheckoutRequest,
  prices: Prices,
  provider: Provider,
  made: Made | undefined,
  context: RequestContext,
): Promise<Claimed | Free> => {
  const { email, purpose, successUrl, cancelUrl } = request;
  const { now } = context;
  const serves = ({ latest, registration }: PayerRecords, owed: AmountOwed): boolean =>
    latest !== undefined &&
    isFor(latest, owed, registration, now) &&
    !leadsElsewhere(latest, request, registration, now);
  return execute(
    {
      async read(): Promise<ClaimFacts | Free> {
        const known = await readPayer(email, purpose.kind === "event" ? purpose.event : undefined);
        if (isFreeApplication(known, payerOf(known))) return { free: known };
        const owed = amountOwedOf(request, known, prices, now);
        const { latest, registration } = known;
        if (serves(known, owed)) return { known, owed };
        assertMayProlong(latest, owed, registration, now);
        // The checkout was closed while this request made its session. Only this request knows the session and can end
        // it.
        const isOrphan = made !== undefined && made.checkout.id === latest?.id;
        return { known, owed, replaces: isOrphan ? made.sessionId : await replacedBy(latest, provider, now) };
      },
      decide(facts: ClaimFacts | Free): Decision<Claimed | Free> {
        if ("free" in facts) return answer(facts);
        const { known, owed, replaces } = facts;
        const { latest } = known;
        if (latest && serves(known, owed)) {
          return answer({ checkout: latest, known, owed, isNew: false });
        }
        const { accountDeletedAt } = latest ?? {};
        // Later than the deletion of an account, whatever the clocks say: this checkout belongs to the time after it.
        const createdAt = Math.max(now, (accountDeletedAt ?? 0) + 1);
        const terms = { successUrl, cancelUrl, expiresAt: sessionEnd(now), createdAt };
        const checkout: Checkout = { id: context.newId(), email, ...owed, ...terms };
        const next = latestOf(checkout, { replaces, accountDeletedAt });
        return write(putCheckout(checkout, next, latest), { checkout: next, known, owed, isNew: true });
      },
    },
    context,
  );
};

/**
 * Records the session and changes the registration, in one transaction.
 * @param known the records on which the checkout was claimed
 * @returns whether this session is the current one; false when the caller has to begin again
 * @throws NotFound NothingToPay the registration has ended while the session was made
 */
const record = (
  { checkout, ...session }: Made,
  request: CheckoutRequest,
  prices: Prices,
  known: PayerRecords,
  context: RequestContext,
  keep: Keep<string> | undefined,
): Promise<boolean> => {
  const { email, purpose } = request;
  const event = purpose.kind === "event" ? purpose.event : undefined;
  return execute(
    {
      keep: keep && { ...keep, member: () => keep.member(session.url) },
      // The transaction demands what the claim has read; only after a refusal the records are read again.
      read: async (isOld: true | undefined): Promise<PayerRecords> =>
        isOld ? readPayer(email, event) : { ...known, latest: checkout },
      decide(facts: PayerRecords): Decision<boolean, true> {
        const { latest, registration } = facts;
        const owed = amountOwedOf(request, facts, prices, context.now);
        const isCurrent = latest?.id === checkout.id && isFor(latest, owed, registration, context.now);
        if (!isCurrent) return answer(false);
        // Another request of the same person has already recorded a session for this checkout.
        if (latest.url !== undefined) return answer(latest.url === session.url);
        const stored = storeSession(checkout, session);
        if (!event || !registration) return write(stored, true, () => true);
        const opened = { url: session.url, heldUntil: heldForSession(checkout) };
        const after = withCheckout(registration, opened, context);
        const message = { type: "registration.updated", data: factOf(after) } as const;
        return write({ ...membersOf({ before: registration, after, message }, context), ...stored }, true, () => true);
      },
    },
    context,
  );
};

/**
 * Opens a checkout and returns the address of the page where the person pays. An accepted application that costs
 * nothing is confirmed instead, and the address is that for people who have paid.
 * @throws NotFound no such event or registration
 * @throws ValidationFailed a membership for a person of whom no name is known
 * @throws NothingToPay the person has nothing to pay, or nothing any more
 * @throws Unavailable the provider does not answer
 * @throws Contended nothing was written
 */
export async function openCheckout(
  request: CheckoutRequest,
  prices: Prices,
  provider: Provider,
  context: RequestContext,
  keep?: Keep<string>,
): Promise<string> {
  const patience = new Patience(context);
  const keepPage = keep && { ...keep, member: () => keep.member(request.successUrl) };
  let made: Made | undefined;
  try {
    for (;;) {
      const claimed = await claim(request, prices, provider, made, context);
      if ("free" in claimed) {
        if (made) await provider.end(made.sessionId);
        if (await confirmFree(claimed.free, context, keepPage)) return request.successUrl;
        await patience.pause(() => new Contended());
        continue;
      }
      const { checkout, known, owed, isNew } = claimed;
      const { purpose } = owed;
      if (!isNew && purpose.kind === "membership")
        await writeOnce({ form: replaceForm(checkout, purpose.form) }, context);
      if (checkout.url !== undefined) return checkout.url;
      // If another request makes the same session at this moment, `retried` waits for it.
      const session = await retried(() => sessionOf(checkout, provider), context);
      if (session === "too late") {
        if (isNew) throw new Error("The payment provider refused the end of a new session.");
        await retried(() => closeCheckout(checkout), context);
      } else {
        made = { ...session, checkout };
        if (await record(made, request, prices, known, context, keep)) return session.url;
      }
      await patience.pause(() => new Contended());
    }
  } catch (error) {
    // The registration has ended while the session was made, so the person must not be able to pay there.
    if (made && (error instanceof NothingToPay || error instanceof NotFound)) await provider.end(made.sessionId);
    throw error;
  }
}
