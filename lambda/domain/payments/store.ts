/** Keys and transaction members of payments: what is asked of whom, and what each payment was settled as, once. */

import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { eventKeyOf } from "#domain/events/store.ts";
import type { MembershipForm } from "#domain/people/members/form.ts";
import { memberKey } from "#domain/people/members/person-records.ts";
import { type UserRecord, userKey } from "#domain/people/users/store.ts";
import type { RegistrationRecord } from "#domain/registrations/registration.ts";
import { registrationKey } from "#domain/registrations/store.ts";
import { getItem, getItems, type Key, type TransactItem, tableName, writeIf } from "#kit/table.ts";
import { type Checkout, type LatestCheckout, latestOf, type Session } from "./checkout.ts";

/** The provider brings news of a session for days and lets a person send them again for thirty. */
const daysKept = 35;

/** Forms do not stay for ever: epoch seconds. */
const ttlOf = ({ expiresAt }: Pick<Checkout, "expiresAt">): number => Math.floor(expiresAt / 1_000) + daysKept * 86_400;

const checkoutKey = (id: string): Key => ({ PK: `PAY#${id}`, SK: "CHECKOUT" });

/** Under the person: one for each event, one for their membership. */
const latestCheckoutKey = (email: string, event: EventKey | undefined): Key => ({
  PK: `USER#${email}`,
  SK: event ? `CHECKOUT#EVENT#${event.id}#${event.year}` : "CHECKOUT#MEMBER",
});

/** What is stored of somebody who pays. */
export interface PayerRecords {
  readonly user?: UserRecord;
  readonly latest?: LatestCheckout;
  /** Of an event. */
  readonly event?: EventRecord;
  readonly registration?: RegistrationRecord;
  /** Of a membership. */
  readonly member?: Key;
}

const latestKeyOf = ({ email, purpose }: Pick<LatestCheckout, "email" | "purpose">): Key =>
  latestCheckoutKey(email, purpose.kind === "event" ? purpose.event : undefined);

/** Who pays: their event, registration and latest checkout, or what their membership hangs on, in one round trip. */
export async function readPayer(email: string, event: EventKey | undefined): Promise<PayerRecords> {
  const keys = {
    user: userKey(email),
    latest: latestCheckoutKey(email, event),
    ...(event
      ? { event: eventKeyOf(event), registration: registrationKey({ email, event }) }
      : { member: memberKey(email) }),
  };
  const items = await getItems(Object.values(keys), "strong");
  return Object.fromEntries(
    Object.entries(keys).map(([name, { PK, SK }]) => [name, items.find((item) => item.PK === PK && item.SK === SK)]),
  );
}

/** @param event of none: the person's membership */
export const readLatestCheckout = (email: string, event: EventKey | undefined) =>
  getItem<LatestCheckout>(latestCheckoutKey(email, event), "strong");

/** @param id as the provider gives it back in `client_reference_id` */
export const readCheckout = (id: string) => getItem<Checkout>(checkoutKey(id), "strong");

const sessionKey = (sessionId: string): Key => ({ PK: `PAY#${sessionId}`, SK: "SESSION" });

/** The checkout of a session whose news do not name it. */
export const readCheckoutIdOf = async (sessionId: string): Promise<string | undefined> =>
  (await getItem<{ readonly checkoutId: string }>(sessionKey(sessionId), "strong"))?.checkoutId;

/** A new checkout, in the place of the one that was read: none, or exactly that one. */
export const putCheckout = (checkout: Checkout, read: LatestCheckout | undefined, replaces?: string) => ({
  checkout: {
    Put: {
      TableName: tableName,
      Item: { ...checkoutKey(checkout.id), ...checkout, ttl: ttlOf(checkout) },
      ConditionExpression: "attribute_not_exists(PK)",
    },
  } satisfies TransactItem,
  latest: {
    Put: {
      TableName: tableName,
      Item: { ...latestKeyOf(checkout), ...latestOf(checkout, replaces), ttl: ttlOf(checkout) },
      ...(read
        ? { ConditionExpression: "id = :read", ExpressionAttributeValues: { ":read": read.id } }
        : { ConditionExpression: "attribute_not_exists(PK)" }),
    },
  } satisfies TransactItem,
});

/** The session of a checkout is known; refused when another checkout has taken its place. */
export const storeSession = (checkout: LatestCheckout, { sessionId, url }: Session) => ({
  checkout: {
    Update: {
      TableName: tableName,
      Key: checkoutKey(checkout.id),
      UpdateExpression: "SET sessionId = :sessionId, #url = :url",
      ConditionExpression: "attribute_exists(PK)",
      ExpressionAttributeNames: { "#url": "url" },
      ExpressionAttributeValues: { ":sessionId": sessionId, ":url": url },
    },
  } satisfies TransactItem,
  latest: {
    Update: {
      TableName: tableName,
      Key: latestKeyOf(checkout),
      UpdateExpression: "SET sessionId = :sessionId, #url = :url",
      ConditionExpression: "id = :id AND attribute_not_exists(closed)",
      ExpressionAttributeNames: { "#url": "url" },
      ExpressionAttributeValues: { ":id": checkout.id, ":sessionId": sessionId, ":url": url },
    },
  } satisfies TransactItem,
  session: {
    Put: {
      TableName: tableName,
      Item: { ...sessionKey(sessionId), checkoutId: checkout.id, ttl: ttlOf(checkout) },
    },
  } satisfies TransactItem,
});

/** The form as the person corrected it. @returns false when the checkout is gone */
export const replaceForm = ({ id }: Pick<LatestCheckout, "id">, form: MembershipForm): Promise<boolean> =>
  writeIf({
    Key: checkoutKey(id),
    UpdateExpression: "SET purpose.form = :form",
    ConditionExpression: "attribute_exists(PK)",
    ExpressionAttributeValues: { ":form": form },
  });

/**
 * The provider's session has ended, by a payment or without one: asking again makes a new checkout. May be said twice.
 * @returns false when another checkout has taken its place
 */
export const closeCheckout = (checkout: Pick<LatestCheckout, "id" | "email" | "purpose">): Promise<boolean> =>
  writeIf({
    Key: latestKeyOf(checkout),
    UpdateExpression: "SET closed = :closed",
    ConditionExpression: "id = :id",
    ExpressionAttributeValues: { ":closed": true, ":id": checkout.id },
  });

/** What became of money that arrived. */
export type Settlement = "seat" | "membership" | "refund";

const settledKey = (paymentId: string): Key => ({ PK: `PAY#${paymentId}`, SK: "SETTLED" });

/** Refused when the payment has been settled already. */
export const putSettled = (
  { paymentId, email }: { readonly paymentId: string; readonly email: string },
  as: Settlement,
): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...settledKey(paymentId), email, as },
    ConditionExpression: "attribute_not_exists(PK)",
  },
});

/** What a payment was settled as; undefined: nothing yet. */
export const readSettlement = async (paymentId: string): Promise<Settlement | undefined> =>
  (await getItem<{ readonly as: Settlement }>(settledKey(paymentId), "strong"))?.as;
