/** What the provider says of a checkout session, and what it means to us. Pure. */

/** A checkout session as it was when its news were made; nothing in it is relied on but what is read here. */
export interface Session {
  readonly id: string;
  /** The `client_reference_id`: a checkout of ours, or whatever another system of the same account put there. */
  readonly checkoutId: string | undefined;
  /** In the smallest unit of the currency. */
  readonly amount: number | undefined;
  /** ISO 4217, lower case. */
  readonly currency: string | undefined;
  readonly paymentIntent: string | undefined;
}

/**
 * `paid`: the money is there. `under way`: it has been sent and takes days. `failed`: it has been sent and does not come.
 * `expired`: nobody has paid in time.
 */
export type Meaning = "paid" | "under way" | "failed" | "expired";

const paymentCompleted = ({ payment_status }: Fields): Meaning | undefined =>
  payment_status === "paid" ? "paid" : payment_status === "unpaid" ? "under way" : undefined;

/** The news that mean something, by type. */
const meanings: Readonly<Record<string, (session: Fields) => Meaning | undefined>> = {
  "checkout.session.completed": paymentCompleted,
  "checkout.session.async_payment_succeeded": (session) => (session.payment_status === "paid" ? "paid" : undefined),
  "checkout.session.async_payment_failed": () => "failed",
  "checkout.session.expired": () => "expired",
};

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

/** A checkout's id, if it can be one of ours: a ULID. */
export const checkoutIdOf = ({ checkoutId = "" }: Session): string | undefined =>
  /^[0-9A-HJKMNP-TV-Z]{26}$/.test(checkoutId) ? checkoutId : undefined;

/** What a signed event means; undefined: nothing to us. */
export function meaningOf(event: unknown): { readonly meaning: Meaning; readonly session: Session } | undefined {
  const { type, data } = fieldsOf(event);
  const fields = fieldsOf(fieldsOf(data).object);
  const id = textOf(fields.id);
  const meaning = typeof type === "string" && Object.hasOwn(meanings, type) ? meanings[type]?.(fields) : undefined;
  if (meaning === undefined || id === undefined) return undefined;
  const session: Session = {
    id,
    checkoutId: textOf(fields.client_reference_id),
    amount: Number.isSafeInteger(fields.amount_total) ? (fields.amount_total as number) : undefined,
    currency: textOf(fields.currency),
    // Expanded where the account asks for it.
    paymentIntent: textOf(fields.payment_intent) ?? textOf(fieldsOf(fields.payment_intent).id),
  };
  return { meaning, session };
}
