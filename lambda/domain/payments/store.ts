/** Keys and transaction members of checkouts, sessions and settlements. */

import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { eventKeyOf } from "#domain/events/store.ts";
import type { MembershipForm } from "#domain/people/members/form.ts";
import { memberKey } from "#domain/people/members/person-records.ts";
import { type UserRecord, userKey } from "#domain/people/users/store.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { registrationKey } from "#domain/registrations/store/store.ts";
import {
  checkIf,
  getItem,
  getNamed,
  type Item,
  isAbsent,
  type Key,
  put,
  putIf,
  putNew,
  type TransactItem,
  updateIf,
  writeIf,
} from "#kit/table.ts";
import type { Checkout, LatestCheckout, Session } from "./checkout.ts";

/** Days. The provider repeats its events for days, and lets a person send them again for 30 days. */
const daysKept = 35;
/**
 * Days for a checkout whose session is not recorded. Nobody can pay there, because nobody has seen its page, and no event
 * of the provider has to come that would empty its form.
 */
const daysWithoutSession = 1;

/** Time to live in epoch seconds. The forms in old checkouts must not be kept. */
const ttlOf = ({ expiresAt }: Pick<Checkout, "expiresAt">, days = daysKept): number =>
  Math.floor(expiresAt / 1_000) + days * 86_400;

const checkoutKey = (id: string): Key => ({ PK: `PAY#${id}`, SK: "CHECKOUT" });

/** The key is in the person's partition. Each event has one latest checkout, and so has the membership. */
const latestCheckoutKey = (email: string, event: EventKey | undefined): Key => ({
  PK: `USER#${email}`,
  SK: event ? `CHECKOUT#EVENT#${event.id}#${event.year}` : "CHECKOUT#MEMBER",
});

/** @param event undefined for a membership */
export const readLatestCheckout = (email: string, event: EventKey | undefined) =>
  getItem<LatestCheckout>(latestCheckoutKey(email, event), "strong");

/**
 * Closes the latest checkout for a membership, and those before it, together with the account. Refused when the latest
 * checkout is another one than was read.
 * @param read undefined when there is none; then demands that there is still none
 * @param now epoch milliseconds
 */
export const closeWithAccount = (email: string, read: LatestCheckout | undefined, now: number): TransactItem => {
  const key = latestCheckoutKey(email, undefined);
  if (!read) {
    return checkIf(key, isAbsent);
  }
  return updateIf(key, {
    UpdateExpression: "SET closed = :closed, accountDeletedAt = :deletedAt",
    ConditionExpression: "id = :id",
    ExpressionAttributeValues: {
      ":closed": true,
      // The request of the checkout may have come later than the deletion's, and been faster.
      ":deletedAt": Math.max(now, read.createdAt),
      ":id": read.id,
    },
  });
};

/** Whether the account was deleted after this checkout. */
export const isOfDeletedAccount = (
  { createdAt }: Pick<LatestCheckout, "createdAt">,
  latest: Pick<LatestCheckout, "accountDeletedAt"> | undefined,
): boolean => latest?.accountDeletedAt !== undefined && createdAt <= latest.accountDeletedAt;

/** Demands that the account was not deleted after this checkout for a membership. */
export const accountNotDeletedSince = ({
  email,
  createdAt,
}: Pick<LatestCheckout, "email" | "createdAt">): TransactItem =>
  checkIf(latestCheckoutKey(email, undefined), {
    ConditionExpression: "attribute_not_exists(accountDeletedAt) OR accountDeletedAt < :createdAt",
    ExpressionAttributeValues: { ":createdAt": createdAt },
  });

/** The stored records of a person who pays. */
export interface PayerRecords {
  readonly user?: UserRecord;
  readonly latest?: LatestCheckout;
  /** Event and registration are read only for a payment for an event. */
  readonly event?: EventRecord;
  readonly registration?: RegistrationRecord;
  /** The membership is read only for a payment for a membership. */
  readonly member?: Key;
}

const latestKeyOf = ({ email, purpose }: Pick<LatestCheckout, "email" | "purpose">): Key =>
  latestCheckoutKey(email, purpose.kind === "event" ? purpose.event : undefined);

type PayerItems = Omit<PayerRecords, "registration"> & { readonly registration?: Item };

/** The records of a payer for one purpose, in one batch. @param event undefined for a membership */
export async function readPayer(email: string, event: EventKey | undefined): Promise<PayerRecords> {
  const keys = {
    user: userKey(email),
    latest: latestCheckoutKey(email, event),
    ...(event
      ? { event: eventKeyOf(event), registration: registrationKey({ email, event }) }
      : { member: memberKey(email) }),
  };
  const { registration, ...found } = await getNamed<PayerItems>(keys, "strong");
  return { ...found, ...(registration && { registration: registrationIn(registration) }) };
}

/** @param id the id that the provider returns in `client_reference_id` */
export const readCheckout = (id: string) => getItem<Checkout>(checkoutKey(id), "strong");

const sessionKey = (sessionId: string): Key => ({ PK: `PAY#${sessionId}`, SK: "SESSION" });

/** The checkout of a session, for an event of the provider that does not name the checkout. */
export const readCheckoutIdOf = async (sessionId: string): Promise<string | undefined> =>
  (await getItem<{ readonly checkoutId: string }>(sessionKey(sessionId), "strong"))?.checkoutId;

/** Demands that the latest checkout is the one that was read, and that its account was not deleted since. */
const stillAsRead = ({ id, accountDeletedAt }: LatestCheckout) =>
  accountDeletedAt === undefined
    ? {
        ConditionExpression: "id = :read AND attribute_not_exists(accountDeletedAt)",
        ExpressionAttributeValues: { ":read": id },
      }
    : {
        ConditionExpression: "id = :read AND accountDeletedAt = :deletedAt",
        ExpressionAttributeValues: { ":read": id, ":deletedAt": accountDeletedAt },
      };

/** Puts a new checkout in place of the one that was read. Refused when the latest checkout is another one by now. */
export const putCheckout = (checkout: Checkout, latest: LatestCheckout, read: LatestCheckout | undefined) => ({
  checkout: putNew({ ...checkoutKey(checkout.id), ...checkout, ttl: ttlOf(checkout, daysWithoutSession) }),
  latest: putIf({ ...latestKeyOf(checkout), ...latest, ttl: ttlOf(checkout) }, read ? stillAsRead(read) : isAbsent),
});

/** Records the session of a checkout. Refused when the checkout was replaced or closed. */
export const storeSession = (checkout: LatestCheckout, { sessionId, url }: Session) => ({
  checkout: updateIf(checkoutKey(checkout.id), {
    UpdateExpression: "SET sessionId = :sessionId, #url = :url, #ttl = :ttl",
    ConditionExpression: "attribute_exists(PK)",
    ExpressionAttributeNames: { "#url": "url", "#ttl": "ttl" },
    ExpressionAttributeValues: { ":sessionId": sessionId, ":url": url, ":ttl": ttlOf(checkout) },
  }),
  latest: updateIf(latestKeyOf(checkout), {
    UpdateExpression: "SET sessionId = :sessionId, #url = :url",
    ConditionExpression: "id = :id AND attribute_not_exists(closed)",
    ExpressionAttributeNames: { "#url": "url" },
    ExpressionAttributeValues: { ":id": checkout.id, ":sessionId": sessionId, ":url": url },
  }),
  session: put({ ...sessionKey(sessionId), checkoutId: checkout.id, ttl: ttlOf(checkout) }) satisfies TransactItem,
});

/**
 * Stores the form that the person has corrected. Refused when the checkout or its form is gone. It is for a transaction: a
 * try that comes late must not bring back a form that was replaced after it.
 */
export const replaceForm = ({ id }: Pick<LatestCheckout, "id">, form: MembershipForm): TransactItem =>
  updateIf(checkoutKey(id), {
    UpdateExpression: "SET purpose.form = :form",
    // A form of a checkout has a first name.
    ConditionExpression: "attribute_exists(purpose.form.firstName)",
    ExpressionAttributeValues: { ":form": form },
  });

/** Empties the form of a checkout for a membership, which makes no member any more. Refused when the checkout is gone. */
export const dropForm = ({ id }: Pick<LatestCheckout, "id">): TransactItem =>
  updateIf(checkoutKey(id), {
    UpdateExpression: "SET purpose.form = :none",
    ConditionExpression: "attribute_exists(PK)",
    ExpressionAttributeValues: { ":none": {} },
  });

/**
 * Closes a checkout, because nothing can be paid in it any more. The next request to pay makes a new checkout. A second
 * call changes nothing.
 * @returns false when another checkout has replaced it
 */
export const closeCheckout = (checkout: Pick<LatestCheckout, "id" | "email" | "purpose">): Promise<boolean> =>
  writeIf({
    Key: latestKeyOf(checkout),
    UpdateExpression: "SET closed = :closed",
    ConditionExpression: "id = :id",
    ExpressionAttributeValues: { ":closed": true, ":id": checkout.id },
  });

/** The result of a payment. */
export type Settlement = "seat" | "membership" | "refund";

export const settledKey = (paymentId: string): Key => ({ PK: `PAY#${paymentId}`, SK: "SETTLED" });

/** Refused when the payment has been settled already. */
export const putSettled = (
  { paymentId, email }: { readonly paymentId: string; readonly email: string },
  as: Settlement,
): TransactItem => putNew({ ...settledKey(paymentId), email, as });

/** The settlement of a payment. Undefined when the payment is not settled yet. */
export const readSettlement = async (paymentId: string): Promise<Settlement | undefined> =>
  (await getItem<{ readonly as: Settlement }>(settledKey(paymentId), "strong"))?.as;
