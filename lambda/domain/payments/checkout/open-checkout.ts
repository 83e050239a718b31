/**
 * Opens a checkout: one session at the provider per person and purpose, even with repeated, concurrent or aborted
 * requests.
 *
 * 1. The service stores the checkout, with all parameters of its session.
 * 2. The provider creates the session under the checkout's id. The same id always results in the same session.
 * 3. The service stores the session. The registration for an event gets the link and is held while the session lasts, but
 *    not beyond the start of the event, at which the sweeper has the session ended (`end-unheard.ts`).
 *
 * Every round decides on a fresh read and continues where an earlier round or another request stopped.
 */

import type { EventKey } from "#domain/events/event.ts";
import type { MembershipForm } from "#domain/people/members/form.ts";
import { type KnownName, requireFirstName, withNames } from "#domain/people/members/names.ts";
import { mayRenew } from "#domain/people/members/terms.ts";
import { termsOfStage } from "#domain/people/members/terms-of-stage.ts";
import { type Again, onceMore } from "#domain/people/once-more.ts";
import { holdUntil } from "#domain/registrations/holds/holds.ts";
import { isLinked, linkNotValid, type OpenedLink } from "#domain/registrations/links/link.ts";
import { answerRules } from "#domain/registrations/record/acts.ts";
import { countsAsMember, factOf } from "#domain/registrations/record/registration.ts";
import { withCheckout } from "#domain/registrations/record/transition.ts";
import { membersOf } from "#domain/registrations/store/change.ts";
import { Contended, NotFound, TooOften, Unauthenticated } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, type Keep, write, writeOnce } from "#kit/table/execute.ts";
import { Backoff, retried } from "#kit/table/retry.ts";
import type { Provider } from "../provider/provider.ts";
import type { Session } from "../provider/session.ts";
import { NothingToPay } from "../refusals.ts";
import {
  type AmountOwed,
  amountOwedForEvent,
  amountOwedForMembership,
  assertMayExtendHold,
  isFor,
  mayBeOpen,
  owesNothingNow,
} from "./amount-owed.ts";
import { type Checkout, heldForSession, type LatestCheckout, latestOf, sessionEnd } from "./checkout.ts";
import { confirmFree } from "./confirm-free.ts";
import { type MembershipPrices, membershipPriceFor, pricedForm } from "./membership-price.ts";
import type { Redirects } from "./redirects.ts";
import { closeCheckout, type PayerRecords, putCheckout, readPayer, replaceForm, storeSession } from "./store.ts";

export interface CheckoutRequest extends Redirects {
  readonly email: string;
  readonly isAdmin: boolean;
  /** The payer's name in the token, used for a membership if neither form nor account has one. */
  readonly nameInToken?: KnownName;
  /** The person asks by a link to the registration with this ticket. */
  readonly linked?: Pick<OpenedLink, "ticketHash">;
  readonly purpose:
    | { readonly kind: "event"; readonly event: EventKey }
    | { readonly kind: "membership"; readonly form: MembershipForm };
}

export interface Prices {
  /** In cents, unless `memberships` has another price for the form. */
  readonly membership: number;
  readonly memberships: MembershipPrices;
  /** ISO 4217. */
  readonly currency: string;
}

/** A session with its checkout. */
type Made = Session & { readonly checkout: LatestCheckout };

/** How the payer asks. */
const originOf = ({ linked }: CheckoutRequest) => (linked ? "self/link" : "self/account");

/** @throws Unauthenticated the registration is not the one of the link any more */
async function readAsked({ email, purpose, linked }: CheckoutRequest): Promise<PayerRecords> {
  const known = await readPayer(email, purpose.kind === "event" ? purpose.event : undefined);
  if (linked && !isLinked(linked, known.registration, known.event)) throw linkNotValid();
  return known;
}

/** The payer of a seat. The account's membership when the person registered determines the price. */
const payerOf = ({ user, registration }: PayerRecords) => ({
  isMember: registration ? countsAsMember(user, registration) : false,
});

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
  const payer = { isMember: !mayRenew(known, now, termsOfStage.rule), isAdmin };
  const { fname: firstName, lname: lastName } = known.user ?? {};
  const form = withNames(pricedForm(purpose.form, known.user), { firstName, lastName }, nameInToken);
  const amount = membershipPriceFor(form, prices.membership, prices.memberships);
  const owed = amountOwedForMembership(form, payer, { amount, currency: prices.currency });
  requireFirstName(form);
  return owed;
}

/** The session that a new checkout replaces. Undefined when it can no longer be paid. */
async function replacedBy(latest: LatestCheckout | undefined, provider: Provider, now: number) {
  if (!latest || !mayBeOpen(latest, now)) return undefined;
  if (latest.sessionId !== undefined) return latest.sessionId;
  // An earlier request may have created the session and stopped before storing it.
  const session = await sessionOf(latest, provider);
  return session === "too late" ? undefined : session.sessionId;
}

/** @throws NothingToPay the person has already paid in the session that this checkout replaces */
async function sessionOf(checkout: LatestCheckout, provider: Provider): Promise<Session | "too late"> {
  if (checkout.replaces !== undefined && (await provider.end(checkout.replaces)).status === "complete") {
    throw new NothingToPay("You have paid already. It takes a moment until we hear of it.");
  }
  return provider.sessionFor(checkout);
}

/** The facts for claiming: the stored records, the amount owed, and the session that a new checkout replaces. */
interface ClaimFacts {
  readonly known: PayerRecords;
  readonly owed: AmountOwed;
  readonly replaces?: string | undefined;
  /** The count with a new checkout. */
  readonly again?: Again;
}

/** There is no checkout, because the person's application has nothing to pay now. */
interface Free {
  readonly free: PayerRecords;
}

/** The checkout that all requests of the person use, and whether this request has created it. */
interface Claimed {
  readonly checkout: LatestCheckout;
  readonly known: PayerRecords;
  readonly owed: AmountOwed;
  readonly isNew: boolean;
}

/**
 * Finds the checkout of the person and purpose, or stores a new one.
 * @param made the session that this request created in an earlier round; its checkout may have been closed since
 * @throws NotFound NothingToPay TooOften
 */
const claim = (
  request: CheckoutRequest,
  prices: Prices,
  provider: Provider,
  made: Made | undefined,
  context: RequestContext,
): Promise<Claimed | Free> => {
  const { email, successUrl, cancelUrl } = request;
  const { now } = context;
  const serves = ({ latest, registration }: PayerRecords, owed: AmountOwed): boolean =>
    latest !== undefined && isFor(latest, owed, registration, now);
  return execute(
    {
      async read(): Promise<ClaimFacts | Free> {
        const known = await readAsked(request);
        if (owesNothingNow(known, payerOf(known))) return { free: known };
        const owed = amountOwedOf(request, known, prices, now);
        const { latest, registration } = known;
        if (serves(known, owed)) return { known, owed };
        assertMayExtendHold(latest, owed, registration, now);
        // Before the provider is asked.
        const again = onceMore("openCheckout", latest?.again, now);
        // The checkout was closed while this request created its session, which no other request knows.
        const isOrphan = made !== undefined && made.checkout.id === latest?.id;
        return { known, owed, again, replaces: isOrphan ? made.sessionId : await replacedBy(latest, provider, now) };
      },
      decide(facts: ClaimFacts | Free): Decision<Claimed | Free> {
        if ("free" in facts) return answer(facts);
        const { known, owed, replaces, again } = facts;
        const { latest } = known;
        if (latest && serves(known, owed)) {
          return answer({ checkout: latest, known, owed, isNew: false });
        }
        const { accountDeletedAt } = latest ?? {};
        // After an account deletion, even if clocks differ.
        const createdAt = Math.max(now, (accountDeletedAt ?? 0) + 1);
        const terms = { successUrl, cancelUrl, expiresAt: sessionEnd(now), createdAt };
        const checkout: Checkout = { id: context.newId(), email, ...owed, ...terms };
        const next = latestOf(checkout, { replaces, accountDeletedAt, again });
        return write(putCheckout(checkout, next, latest), { checkout: next, known, owed, isNew: true });
      },
    },
    context,
  );
};

/**
 * Stores the session and changes the registration, in one transaction.
 * @param known the records on which the checkout was claimed
 * @returns whether this session is the current one; false when the caller has to start over
 * @throws NotFound NothingToPay the registration has ended while the session was created
 */
const record = (
  { checkout, ...session }: Made,
  request: CheckoutRequest,
  prices: Prices,
  known: PayerRecords,
  context: RequestContext,
  keep: Keep<string> | undefined,
): Promise<boolean> => {
  const { purpose } = request;
  const event = purpose.kind === "event" ? purpose.event : undefined;
  return execute(
    {
      keep: keep && { ...keep, member: () => keep.member(session.url) },
      // The transaction is conditional on the claim's reads; the records are read again only after a refusal.
      read: async (isOld: true | undefined): Promise<PayerRecords> =>
        isOld ? readAsked(request) : { ...known, latest: checkout },
      decide(facts: PayerRecords): Decision<boolean, true> {
        const { latest, registration } = facts;
        const owed = amountOwedOf(request, facts, prices, context.now);
        const isCurrent = latest?.id === checkout.id && isFor(latest, owed, registration, context.now);
        if (!isCurrent) return answer(false);
        // Another request of the same person has already stored a session for this checkout.
        if (latest.url !== undefined) return answer(latest.url === session.url);
        const stored = storeSession(checkout, session);
        if (!event || !registration) return write(stored, true, () => true);
        const heldFor = heldForSession(checkout) - context.now;
        const startsAt = Date.parse(facts.event?.startDate ?? "") || Number.POSITIVE_INFINITY;
        const opened = { url: session.url, heldUntil: holdUntil(context.now, heldFor, startsAt) };
        const after = withCheckout(registration, opened, context);
        const message = { type: "registration.updated", data: factOf(after) } as const;
        return write(
          {
            ...membersOf(
              { before: registration, after, message, audit: answerRules(originOf(request)).audit },
              context,
            ),
            ...stored,
          },
          true,
          () => true,
        );
      },
    },
    context,
  );
};

/**
 * Opens a checkout. A free accepted application is confirmed instead, and one that is not decided yet stays as it is.
 * @returns the URL of the payment page, or the success URL when the application has nothing to pay now
 * @throws NotFound the event or registration does not exist
 * @throws Unauthenticated the link has ended
 * @throws ValidationFailed a membership for a person without a known name
 * @throws NothingToPay the person has nothing to pay
 * @throws TooOften the person has opened too many checkouts for this purpose
 * @throws Unavailable the provider does not respond
 * @throws Contended nothing was written
 */
export async function openCheckout(
  request: CheckoutRequest,
  prices: Prices,
  provider: Provider,
  context: RequestContext,
  keep?: Keep<string>,
): Promise<string> {
  const backoff = new Backoff(context);
  const keepPage = keep && { ...keep, member: () => keep.member(request.successUrl) };
  let made: Made | undefined;
  try {
    for (;;) {
      const claimed = await claim(request, prices, provider, made, context);
      if ("free" in claimed) {
        if (made) await provider.end(made.sessionId);
        const readAgain = () => readAsked(request);
        if (await confirmFree(claimed.free, readAgain, originOf(request), context, keepPage)) return request.successUrl;
        await backoff.pause(() => new Contended());
        continue;
      }
      const { checkout, known, owed, isNew } = claimed;
      const { purpose } = owed;
      if (!isNew && purpose.kind === "membership")
        await writeOnce({ form: replaceForm(checkout, purpose.form) }, context);
      if (checkout.url !== undefined) return checkout.url;
      // If another request is creating the same session, `retried` waits for it.
      const session = await retried(() => sessionOf(checkout, provider), context);
      if (session === "too late") {
        if (isNew) throw new Error("The payment provider refused the end of a new session.");
        await retried(() => closeCheckout(checkout), context);
      } else {
        made = { ...session, checkout };
        if (await record(made, request, prices, known, context, keep)) return session.url;
      }
      await backoff.pause(() => new Contended());
    }
  } catch (error) {
    // The registration has ended while the session was created, or nothing knows the session: it must not be payable.
    const isFinal = [NothingToPay, NotFound, TooOften, Unauthenticated].some((kind) => error instanceof kind);
    if (made && isFinal) await provider.end(made.sessionId);
    throw error;
  }
}
