/** Events of the provider about a checkout session, and their meaning for the service. Pure. */

import type { ReadSession } from "../provider/session.ts";
import { centsIn, type Fields, fieldsOf, idIn, nameIn } from "../record/provider-fields.ts";
import { moneyEventTypes } from "./money-event.ts";

/** The fields that the service uses of a checkout session, at the time of the event. */
export interface Session {
  readonly id: string;
  /** The `client_reference_id`: a checkout of this service, or a value of another system with the same account. */
  readonly checkoutId: string | undefined;
  /** In the smallest unit of the currency. */
  readonly amount: number | undefined;
  /** ISO 4217, lower case. */
  readonly currency: string | undefined;
  readonly paymentIntent: string | undefined;
}

/**
 * `paid`: the money was received. `under way`: the money was sent and takes days. `failed`: it was sent, but not received.
 * `expired`: the session ended without a payment.
 */
export type Meaning = "paid" | "under way" | "failed" | "expired";

const paymentCompleted = ({ payment_status }: Fields): Meaning | undefined =>
  payment_status === "paid" ? "paid" : payment_status === "unpaid" ? "under way" : undefined;

/** The relevant events, by type. */
const meanings = {
  "checkout.session.completed": paymentCompleted,
  "checkout.session.async_payment_succeeded": (session) => (session.payment_status === "paid" ? "paid" : undefined),
  "checkout.session.async_payment_failed": () => "failed",
  "checkout.session.expired": () => "expired",
} satisfies Readonly<Record<string, (session: Fields) => Meaning | undefined>>;

type RelevantType = keyof typeof meanings;

/** The types of the relevant events, which the webhook's endpoint at the provider must be sent. */
export const relevantTypes: readonly (RelevantType | (typeof moneyEventTypes)[number])[] = [
  ...(Object.keys(meanings) as RelevantType[]),
  ...moneyEventTypes,
];

const isRelevant = (type: unknown): type is RelevantType => typeof type === "string" && Object.hasOwn(meanings, type);

/** The checkout's id, if it is a ULID and so may be one of this service. */
export const checkoutIdOf = ({ checkoutId = "" }: Session): string | undefined =>
  /^[0-9A-HJKMNP-TV-Z]{26}$/.test(checkoutId) ? checkoutId : undefined;

/** What became of a session. */
export interface SessionNews {
  readonly meaning: Meaning;
  readonly session: Session;
}

/** The meaning of a session's present state; undefined while it is open. */
export function newsIn(session: ReadSession): SessionNews | undefined {
  const type = { complete: "checkout.session.completed", expired: "checkout.session.expired" }[`${session.status}`];
  return meaningOf({ type, data: { object: session } });
}

/** The meaning of a signed event; undefined for an irrelevant one. */
export function meaningOf(event: unknown): SessionNews | undefined {
  const { type, data } = fieldsOf(event);
  const fields = fieldsOf(fieldsOf(data).object);
  const id = nameIn(fields.id);
  const meaning = isRelevant(type) ? meanings[type](fields) : undefined;
  if (meaning === undefined || id === undefined) return undefined;
  const session: Session = {
    id,
    checkoutId: nameIn(fields.client_reference_id),
    amount: centsIn(fields.amount_total),
    currency: nameIn(fields.currency),
    paymentIntent: idIn(fields.payment_intent),
  };
  return { meaning, session };
}
