/**
 * Offers of a seat to another person: until it is accepted, and after that as who has handed a seat to whom. The giver's
 * registration names the offer that counts, so what becomes of the registration decides about the offer, too.
 */

import { type EventDates, endOf } from "#domain/events/dates.ts";
import type { EventKey } from "#domain/events/event.ts";
import { allOf, itemsOf, queryItems } from "#kit/lists/pages.ts";
import { timeText, ttlAfter } from "#kit/table/item.ts";
import {
  type Consistency,
  drop,
  getRecord,
  type Key,
  listFromStart,
  put,
  type Query,
  recordOf,
  type Stored,
  type TransactItem,
} from "#kit/table/table.ts";
import { keyOf, partitionOf } from "#outbox/stored-kinds.ts";

export interface Offer {
  /** Identifies the offer among those of the event. The link of its mail has it. */
  readonly mark: string;
  readonly event: EventKey;
  /** The named person. */
  readonly email: string;
  readonly fname: string;
  /** The email of the giver. */
  readonly by: string;
  readonly isPartner: boolean;
  /** Of the event. */
  readonly generation: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** Epoch milliseconds. Absent: the person has not accepted. */
  readonly acceptedAt?: number;
}

/** Days for which an offer is kept: of an event without a date after it was made, and after the event if it was accepted. */
const daysKept = { undated: 30, accepted: 60 };

export const offerKey = ({ event: { id, year }, mark }: Pick<Offer, "event" | "mark">): Key =>
  keyOf("offer of a seat", { id, year, mark });

/** All offers to a person, a list of the index by time. */
export const offersTo = (email: string): Query => listFromStart(`NAMED#${email}`);

/** The member that stores an offer. @param dates of its event */
export function putOffer(offer: Offer, dates: EventDates): TransactItem {
  const { createdAt, acceptedAt = createdAt, email } = offer;
  const after = offer.acceptedAt === undefined ? 0 : daysKept.accepted;
  const ttl = ttlAfter(endOf(dates) ?? acceptedAt + daysKept.undated * 86_400_000, after);
  const list = { GSI1PK: `NAMED#${email}`, GSI1SK: timeText(createdAt) };
  return put({ ...offerKey(offer), ...list, ...offer, ttl }, "beside a condition");
}

export const dropOffer = (offer: Pick<Offer, "event" | "mark">): TransactItem => drop(offerKey(offer), "last wins");

export const readOffer = (offer: Pick<Offer, "event" | "mark">, consistency: Consistency): Promise<Offer | undefined> =>
  getRecord<Offer>(offerKey(offer), consistency);

/** All offers of an event: few, because each is of a seat. */
export const offersOf = async ({ id, year }: EventKey): Promise<Offer[]> =>
  (await allOf(queryItems<Stored<Offer>>(itemsOf(partitionOf("offer of a seat", { id, year }))))).map(recordOf<Offer>);
