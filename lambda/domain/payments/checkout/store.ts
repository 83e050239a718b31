/** Keys and transaction members of checkouts and sessions. */

import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { eventKeyOf } from "#domain/events/store.ts";
import type { MembershipForm } from "#domain/people/members/form.ts";
import type { MemberRecord } from "#domain/people/members/member.ts";
import { memberKey } from "#domain/people/users/person-records.ts";
import { type UserRecord, userKey } from "#domain/people/users/store.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { registrationKey } from "#domain/registrations/store/store.ts";
import { ttlAfter } from "#kit/table/item.ts";
import {
  checkIf,
  getItem,
  getNamed,
  getRecord,
  type Item,
  isAbsent,
  type Key,
  put,
  putIf,
  putNew,
  type TransactItem,
  updateIf,
  writeIf,
} from "#kit/table/table.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import type { Session } from "../provider/session.ts";
import type { Checkout, LatestCheckout } from "./checkout.ts";

/** The provider retries its events for days, and allows resending them for 30 days. */
const daysKept = 35;
/**
 * Days for a checkout without a stored session. No payer has seen its page, so none can pay, and no event of the provider
 * is certain to come that would remove its form.
 */
const daysWithoutSession = 1;

/** Time to live in epoch seconds. Forms in old checkouts must not be kept. */
const ttlOf = ({ expiresAt }: Pick<Checkout, "expiresAt">, days = daysKept): number => ttlAfter(expiresAt, days);

const checkoutKey = (checkout: string): Key => keyOf("checkout", { checkout });

/** All checkouts of a person, a list of the index by id. */
export const checkoutsOf = (email: string): string => `CHECKOUTS#${email}`;

/** In the person's partition: one latest checkout per event, and one for the membership. */
export const latestCheckoutKey = (email: string, event: EventKey | undefined): Key =>
  event
    ? keyOf("latest checkout of an event", { email, ...event })
    : keyOf("latest checkout of the membership", { email });

/** @param event undefined for a membership */
export const readLatestCheckout = (email: string, event: EventKey | undefined) =>
  getItem<LatestCheckout>(latestCheckoutKey(email, event), "strong");

/**
 * Closes the latest checkout for a membership, and those before it, together with the account. Refused when there is a
 * later checkout than was read.
 * @param read undefined when there was none; refused when there is one now
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
      // The checkout's request may be later than the deletion's, but committed first.
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

/** Refused when the account was deleted after this checkout for a membership. */
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
  readonly member?: Pick<MemberRecord, "until">;
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
export const readCheckout = (id: string) => getRecord<Checkout>(checkoutKey(id), "strong");

const sessionKey = (session: string): Key => keyOf("session", { session });

/** The checkout of a session, for an event without the checkout's id. */
export const readCheckoutIdOf = async (sessionId: string): Promise<string | undefined> =>
  (await getItem<{ readonly checkoutId: string }>(sessionKey(sessionId), "strong"))?.checkoutId;

/** The condition that this is still the latest checkout, and its account was not deleted since the read. */
const stillLatest = ({ id, accountDeletedAt }: LatestCheckout) =>
  accountDeletedAt === undefined
    ? {
        ConditionExpression: "id = :read AND attribute_not_exists(accountDeletedAt)",
        ExpressionAttributeValues: { ":read": id },
      }
    : {
        ConditionExpression: "id = :read AND accountDeletedAt = :deletedAt",
        ExpressionAttributeValues: { ":read": id, ":deletedAt": accountDeletedAt },
      };

/** Replaces the latest checkout. Refused when there is a later one than was read. */
export const putCheckout = (checkout: Checkout, latest: LatestCheckout, read: LatestCheckout | undefined) => ({
  checkout: putNew({
    ...checkoutKey(checkout.id),
    GSI1PK: checkoutsOf(checkout.email),
    GSI1SK: checkout.id,
    ...checkout,
    ttl: ttlOf(checkout, daysWithoutSession),
  }),
  latest: putIf({ ...latestKeyOf(checkout), ...latest, ttl: ttlOf(checkout) }, read ? stillLatest(read) : isAbsent),
});

/** Stores the session of a checkout. Refused when the checkout was replaced or closed. */
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
  session: put(
    { ...sessionKey(sessionId), checkoutId: checkout.id, ttl: ttlOf(checkout) },
    "beside a condition",
  ) satisfies TransactItem,
});

/**
 * Stores a corrected form. Refused when the checkout or its form is gone. Only for transactions: a late retry must not
 * restore a form that was replaced later.
 */
export const replaceForm = ({ id }: Pick<LatestCheckout, "id">, form: MembershipForm): TransactItem =>
  updateIf(checkoutKey(id), {
    UpdateExpression: "SET purpose.form = :form",
    // A form always has a first name.
    ConditionExpression: "attribute_exists(purpose.form.firstName)",
    ExpressionAttributeValues: { ":form": form },
  });

/** Removes the form of a checkout for a membership that no longer grants one. Refused when the checkout is gone. */
export const dropForm = ({ id }: Pick<LatestCheckout, "id">): TransactItem =>
  updateIf(checkoutKey(id), {
    UpdateExpression: "SET purpose.form = :none",
    ConditionExpression: "attribute_exists(PK)",
    ExpressionAttributeValues: { ":none": {} },
  });

/**
 * Closes a checkout that can no longer be paid. The next request creates a new checkout. Idempotent.
 * @param isRepriced it is closed because the price has changed
 * @returns false when another checkout has replaced it, or will
 */
export const closeCheckout = (
  checkout: Pick<LatestCheckout, "id" | "email" | "purpose">,
  isRepriced = false,
): Promise<boolean> =>
  writeIf({
    Key: latestKeyOf(checkout),
    UpdateExpression: isRepriced ? "SET closed = :closed, isRepriced = :closed" : "SET closed = :closed",
    ConditionExpression: isRepriced ? "id = :id" : "id = :id AND attribute_not_exists(isRepriced)",
    ExpressionAttributeValues: { ":closed": true, ":id": checkout.id },
  });
