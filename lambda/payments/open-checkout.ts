/**
 * Opening a checkout: one session at the provider for one person and purpose, however often it is asked for, whoever
 * else asks at the same moment, and wherever it breaks off.
 *
 * 1. The checkout is recorded, with all that its session is made of.
 * 2. The provider makes the session under the checkout's id: the same id, the same session.
 * 3. The session is recorded; an event's registration gets its link and is held as long as it lasts.
 *
 * Every run decides on a fresh read and goes on where the last one, or somebody else, got to.
 */
import { ulid } from "ulid";
import { NotFound, NothingToPay } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import type { EventKey } from "../events/event.ts";
import type { MembershipForm } from "../members/form.ts";
import { isMemberAlready } from "../members/member.ts";
import type { Origin } from "../outbox/store.ts";
import { membersOf } from "../registrations/change.ts";
import { factOf } from "../registrations/registration.ts";
import { withCheckout } from "../registrations/transition.ts";
import { type Checkout, heldForSession, type LatestCheckout, latestOf, type Session, sessionEnd } from "./checkout.ts";
import { assertMayProlong, type Due, dueForEvent, dueForMembership, isFor, mayBeOpen } from "./due.ts";
import type { Provider } from "./provider.ts";
import type { Redirects } from "./redirects.ts";
import { closeCheckout, type PayerRecords, putCheckout, readPayer, replaceForm, storeSession } from "./store.ts";

/** What somebody wants to pay. */
export interface CheckoutRequest extends Redirects {
  readonly email: string;
  readonly isAdmin: boolean;
  readonly purpose:
    | { readonly kind: "event"; readonly event: EventKey }
    | { readonly kind: "membership"; readonly form: MembershipForm };
  /** Names this request. */
  readonly arrival: string;
}

/** What the stage asks. */
export interface Prices {
  /** In cents. */
  readonly membership: number;
  /** ISO 4217. */
  readonly currency: string;
}

/** A session that was made for a checkout. */
type Made = Session & { readonly checkout: LatestCheckout };

/** @throws NotFound NothingToPay */
function dueOf({ purpose, isAdmin }: CheckoutRequest, known: PayerRecords, prices: Prices, now: number): Due {
  if (purpose.kind === "event") {
    return dueForEvent(known, { isMember: known.user?.isMember ?? false, isAdmin }, prices.currency, now);
  }
  const payer = { isMember: isMemberAlready(known), isAdmin };
  return dueForMembership(purpose.form, payer, { amount: prices.membership, currency: prices.currency });
}

/** The session that a new checkout takes the place of, while the provider may take money for it. */
async function replacedBy(latest: LatestCheckout | undefined, provider: Provider, now: number) {
  if (!latest || !mayBeOpen(latest, now)) return undefined;
  if (latest.sessionId !== undefined) return latest.sessionId;
  // It may have been made without anybody hearing of it.
  const session = await sessionOf(latest, provider);
  return session === "too late" ? undefined : session.sessionId;
}

/** @throws NothingToPay what it replaces has been paid */
async function sessionOf(checkout: LatestCheckout, provider: Provider): Promise<Session | "too late"> {
  if (checkout.replaces !== undefined && (await provider.end(checkout.replaces)) === "completed") {
    throw new NothingToPay("You have paid already. It takes a moment until we hear of it.");
  }
  return provider.sessionFor(checkout);
}

/**
 * Records the session, in one transaction with what it does to the registration.
 * @returns whether it is what everybody sees from now on
 */
async function record({ checkout, ...session }: Made, { registration }: PayerRecords, arrival: string, origin: Origin) {
  const stored = storeSession(checkout, session);
  if (checkout.purpose.kind === "membership" || !registration) return (await commit(stored)).committed;
  const opened = { url: session.url, heldUntil: heldForSession(checkout) };
  const after = withCheckout(registration, opened, { now: origin.now, arrival });
  const news = { type: "registration.updated", data: factOf(after) } as const;
  return (await commit({ ...membersOf({ before: registration, after, news }, origin), ...stored })).committed;
}

/**
 * The page where somebody pays.
 * @throws NotFound no such event or registration
 * @throws NothingToPay nothing is asked of them, or not any more
 * @throws Unavailable the provider does not answer
 * @throws Contended nothing was written
 */
export async function openCheckout(
  request: CheckoutRequest,
  prices: Prices,
  provider: Provider,
  origin: Origin,
): Promise<string> {
  const { email, purpose, arrival, successUrl, cancelUrl } = request;
  const { now } = origin;
  const event = purpose.kind === "event" ? purpose.event : undefined;
  /** The checkout and the session that this request has made so far. */
  let own: string | undefined;
  let made: Made | undefined;
  const step = async (): Promise<string | typeof again> => {
    const known = await readPayer(email, event);
    const due = dueOf(request, known, prices, now);
    let { latest } = known;
    if (!latest || !isFor(latest, due, known.registration, now)) {
      assertMayProlong(latest, due, known.registration, now);
      // The checkout was closed while its session was made: nobody else knows of the session.
      const isOrphan = made !== undefined && made.checkout.id === latest?.id;
      const replaces = isOrphan ? made?.sessionId : await replacedBy(latest, provider, now);
      own = ulid(now);
      const terms = { successUrl, cancelUrl, expiresAt: sessionEnd(now), createdAt: now };
      const checkout: Checkout = { id: own, email, ...due, ...terms };
      const { committed } = await commit(putCheckout(checkout, latest, replaces));
      if (!committed) return again;
      latest = latestOf(checkout, replaces);
    } else if (purpose.kind === "membership" && latest.id !== own) {
      await replaceForm(latest, purpose.form);
    }
    if (latest.url !== undefined) return latest.url;
    const session = await sessionOf(latest, provider);
    if (session === "too late") {
      if (latest.id === own) throw new Error("The payment provider refused the end of a new session.");
      await closeCheckout(latest);
      return again;
    }
    made = { ...session, checkout: latest };
    return (await record(made, known, arrival, origin)) ? session.url : again;
  };
  try {
    return await untilSettled(step);
  } catch (error) {
    // The registration has ended while its session was made: nothing is to be paid there any more.
    if (made && (error instanceof NothingToPay || error instanceof NotFound)) await provider.end(made.sessionId);
    throw error;
  }
}
