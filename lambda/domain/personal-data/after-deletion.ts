/** What is left of a person after a deletion. Pure. */

import { ulid } from "ulid";
import { type Erasure, erasedName } from "#domain/people/users/erasures.ts";
import { newTicketId } from "#domain/registrations/links/ticket-code.ts";
import { hasNoEntries, isNameless, withoutNote } from "#domain/registrations/record/entries.ts";
import type { PlusOne } from "#domain/registrations/record/plus-ones.ts";
import { isOfBefore, type RegistrationRecord, registeredAtOf } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { registrationItem } from "#domain/registrations/store/store.ts";
import { timeOf } from "#kit/request/context.ts";
import type { Item } from "#kit/table/table.ts";
import { hour } from "#kit/text/time.ts";
import { factsOf, storedKindOf } from "#outbox/stored-kinds.ts";

/** Whether the item stays as it is, also when the erasure is over. */
export const outlives = (item: Item): boolean => {
  const after = factsOf(storedKindOf(item) ?? "")?.personal?.after;
  return !after || "stays" in after;
};

const isRegistration = (item: Item): boolean => storedKindOf(item) === "registration" && item.status !== "deleted";

/** Whether the person is one of the club again: with an account, or with a registration of after the deletion. */
export const isBack = (items: readonly Item[], { deletedAt }: Erasure): boolean =>
  items.some(
    (item) =>
      storedKindOf(item) === "account" || (isRegistration(item) && !isOfBefore(deletedAt, registrationIn(item))),
  );

/** Whether a seat is still held, or the consumer of the deletion has still to cancel or empty the registration. */
export function isUnforgotten(item: Item): boolean {
  if (!isRegistration(item)) return false;
  const registration = registrationIn(item);
  const isHeld = registration.holdExpiresAt !== undefined;
  return isHeld || !registration.ofDeletedAccount || !isNameless(registration) || !hasNoEntries(registration);
}

const toTheHour = (time: number): number => time - (time % hour);
/** Epoch milliseconds of this century. */
const isTime = (value: unknown): value is number => typeof value === "number" && value > 1e12 && value < 4e12;
const queueKey = /^\d{13}#[0-9A-HJKMNP-TV-Z]{26}$/;

/** A plus-one, whose seat the registration still counts. */
const unnamedPlusOne = ({ checkedInAt }: PlusOne): PlusOne => ({
  ...{ ticketId: newTicketId(), fname: "" },
  ...(checkedInAt !== undefined && { checkedInAt: toTheHour(checkedInAt) }),
});

/** The record of a registration by which no person is found: times to the hour, and new ids. */
function unlinked(registration: RegistrationRecord, email: string): RegistrationRecord {
  const { eventID, year, status, applicant, applicationBased, dynamicResponses, choices, isPartner, pool, points } =
    registration;
  const { entryPrice, agreedPrice, generation, version, checkedInAt, cameFrom, paid, refunded, joined, left, leftAt } =
    registration;
  const { plusOnes, deposit } = registration;
  const time = toTheHour(registeredAtOf(registration));
  return {
    // Who waited for an event that has begun leaves the line.
    ...{
      email,
      eventID,
      year,
      status: status === "waitlist" ? "cancelled" : status,
      fname: "",
      basicInformation: {},
      dynamicResponses,
      choices,
      isPartner,
      points,
    },
    ...{ ofDeletedAccount: true, generation, version, noticeVersion: version },
    queueKey: `${time}#${ulid(time)}`,
    ...{ ticketId: newTicketId(), calendarUid: newTicketId(), createdAt: time, updatedAt: time },
    ...(applicant !== undefined && { applicant }),
    ...(applicationBased !== undefined && { applicationBased }),
    ...(pool && { pool }),
    ...(entryPrice !== undefined && { entryPrice }),
    ...(agreedPrice !== undefined && { agreedPrice }),
    ...(checkedInAt !== undefined && { checkedInAt: toTheHour(checkedInAt) }),
    ...(cameFrom && { cameFrom }),
    ...(plusOnes && { plusOnes: plusOnes.map(unnamedPlusOne) }),
    ...(paid && { paid: { amount: paid.amount, currency: paid.currency } }),
    ...(refunded && { refunded }),
    ...(deposit && { deposit }),
    ...(joined && { joined }),
    ...(left && { left }),
    ...(leftAt !== undefined && { leftAt: toTheHour(leftAt) }),
  };
}

/** A part of a key or of a list, with another name for the email. */
const partsOf = (text: string, email: string, name: string): string =>
  text
    .split("#")
    .map((part) => (part === email ? name : part))
    .join("#");

/** A trade, or an account in the game: times to the hour, and other ids. */
function unlinkedGame({ ttl, displayName, tradeId, ...item }: Item, email: string, pseudonym: string): Item {
  const ids = new Map<string, string>();
  const other = (key: string): string => {
    const time = toTheHour(timeOf(key));
    const known = ids.get(key) ?? `${time}#${ulid(time)}`;
    ids.set(key, known);
    return known;
  };
  const unlinkedValue = (value: unknown): unknown => {
    if (isTime(value)) return toTheHour(value);
    if (typeof value !== "string") return value;
    return queueKey.test(value) ? other(value) : partsOf(value, email, pseudonym);
  };
  const { again: _again, ...rest } = item;
  const written = Object.fromEntries(
    Object.entries(rest).map(([field, value]) => [field, unlinkedValue(value)]),
  ) as Item;
  return {
    ...written,
    ...(displayName !== undefined && { displayName: "Player" }),
    ...(tradeId !== undefined && { tradeId: written.SK.slice(written.SK.indexOf("#") + 1) }),
  };
}

/**
 * An item that has to stay, under another name. It has no id, and no time to the millisecond, that items with the email
 * have too: messages, the audit, scans. Payments keep both, for the books, so they have the name of everybody.
 */
export function unnamed(item: Item, email: string, pseudonym: string): Item {
  const kind = storedKindOf(item);
  if (kind === "payment") {
    return {
      ...item,
      ...(item.email === email && { email: erasedName }),
      ...(item.holder === email && { holder: erasedName }),
      ...(item.code !== undefined && { code: withoutNote(item.code as Parameters<typeof withoutNote>[0]) }),
    };
  }
  if (kind === "registration") return registrationItem(unlinked(registrationIn(item), pseudonym));
  return unlinkedGame(item, email, pseudonym);
}
