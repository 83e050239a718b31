/**
 * The repair of each kind of damage: the members of one transaction, from the stores of the service. They are conditional
 * on everything that the decision has read.
 */

import { changeSeats } from "#domain/capacity/demands.ts";
import { placeItem } from "#domain/capacity/line.ts";
import { adjustSeats, roomFor, type Seats, seatsKey } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { countedQuestions, seatSettings } from "#domain/events/seat-settings.ts";
import { eventKeyOf } from "#domain/events/store.ts";
import type { StoredAccount } from "#domain/game/account.ts";
import { listAccount } from "#domain/game/store.ts";
import { insertion, removal, type TemplateRecord } from "#domain/mail/templates/store.ts";
import type { LatestCheckout } from "#domain/payments/checkout.ts";
import { settled } from "#domain/payments/settle-registration.ts";
import { putSettled } from "#domain/payments/store.ts";
import type { ProfileRecord } from "#domain/people/profiles/profile.ts";
import { putProfileID } from "#domain/people/profiles/store.ts";
import { holdDurations } from "#domain/registrations/holds/durations.ts";
import { holdUntil } from "#domain/registrations/holds/holds.ts";
import { dropHold, putHold } from "#domain/registrations/holds/store.ts";
import {
  factOf,
  holderOf,
  holdsSeat,
  placeOf,
  type RegistrationRecord,
} from "#domain/registrations/record/registration.ts";
import { rewritten } from "#domain/registrations/record/transition.ts";
import { membersOf } from "#domain/registrations/store/change.ts";
import { registrationKey } from "#domain/registrations/store/store.ts";
import type { RequestContext } from "#kit/context.ts";
import { type Item, type TransactItem, type Transaction, tableName } from "#kit/table.ts";
import type { Kind } from "./invariants/finding.ts";
import { givenAway } from "./invariants/messages.ts";
import { choicesByAnswers, eventOf, holdOf } from "./invariants/registrations.ts";
import { listedAs, ruleOf } from "./invariants/rules.ts";
import type { Look } from "./invariants/walk.ts";

export interface Plan {
  /** What the repair does, for an operator. */
  readonly says: string;
  /** Pure. @returns undefined when the case requires an operator */
  readonly members: (look: Look, context: RequestContext) => Transaction | undefined;
}

const registrationIn = ({ item }: Look) => item as unknown as RegistrationRecord;
const seatsOf = ({ facts }: Look, registration: RegistrationRecord) =>
  facts.find(seatsKey(eventOf(registration))) as unknown as Seats | undefined;

const drop = ({ PK, SK }: Item): TransactItem => ({ Delete: { TableName: tableName, Key: { PK, SK } } });

/** Rewrites a registration with other fields, and its place, hold and points. */
function rewrite(before: RegistrationRecord, after: RegistrationRecord, context: RequestContext) {
  const written = { ...after, ...rewritten(context, before) };
  const message = { type: "registration.updated", data: factOf(written) } as const;
  return membersOf({ before, after: written, message }, context);
}

export const plans: Readonly<Partial<Record<Kind, Plan>>> = {
  "other terms": {
    says: "the seats take the terms of the event",
    members({ item, facts }) {
      const event = item as unknown as EventRecord;
      const seats = facts.find(seatsKey(event)) as unknown as Seats | undefined;
      if (seats?.generation !== event.generation) return undefined;
      const choices = { counted: seats.choiceHolders, questions: countedQuestions(event) };
      return { seats: adjustSeats(event, seatSettings(event), choices, false) };
    },
  },
  "not in line": {
    says: "the person gets the place back, at the time of the registration, and newcomers join the line",
    members(look) {
      const registration = registrationIn(look);
      const event = eventOf(registration);
      if (!seatsOf(look, registration)) return undefined;
      return {
        place: { Put: { TableName: tableName, Item: placeItem(event, placeOf(registration)) } },
        gate: changeSeats(event, "wait", { decided: registration }),
      };
    },
  },
  "other place": {
    says: "the place says again what the registration says",
    members(look) {
      const registration = registrationIn(look);
      const place = placeItem(eventOf(registration), placeOf(registration));
      return { place: { Put: { TableName: tableName, Item: place } } };
    },
  },
  "place of no person": { says: "the place is removed", members: ({ item }) => ({ place: drop(item) }) },
  "lost registration": {
    says: "the seat may be given away, and this is told no more",
    members: ({ item: { PK, SK } }) => ({
      marker: {
        Update: {
          TableName: tableName,
          Key: { PK, SK },
          UpdateExpression: "SET #given = :true",
          ExpressionAttributeNames: { "#given": givenAway },
          ExpressionAttributeValues: { ":true": true },
        },
      },
    }),
  },
  "other choice": {
    says: "the answer is counted, if its workshop has room",
    members(look, context) {
      const before = registrationIn(look);
      const event = eventOf(before);
      const seats = seatsOf(look, before);
      const record = look.facts.find(eventKeyOf(event)) as unknown as EventRecord | undefined;
      if (!record || !seats) return undefined;
      const after = { ...before, choices: choicesByAnswers(before, record) };
      const gained = Object.entries(after.choices).filter(([question, choice]) => before.choices[question] !== choice);
      if (!holdsSeat(before)) return rewrite(before, after, context);
      if (!roomFor(Object.fromEntries(gained), seats)) return undefined;
      const counted = changeSeats(event, "recountAlways", {
        decided: before,
        leaving: [holderOf(before)],
        joining: [holderOf(after)],
      });
      return { ...rewrite(before, after, context), seats: counted };
    },
  },
  "no hold": {
    says: "the seat gets its hold back; without an end, one that lasts as long as after a promotion",
    members(look, context) {
      const before = registrationIn(look);
      const hold = holdOf(before);
      if (hold) return { hold: putHold(hold) };
      const seats = seatsOf(look, before);
      const holdExpiresAt = holdUntil(context.now, holdDurations.promotion, seats?.startsAt ?? context.now);
      return rewrite(before, { ...before, holdExpiresAt }, context);
    },
  },
  "hold on a paid seat": {
    says: "the end of the hold is taken off the registration",
    members(look, context) {
      const before = registrationIn(look);
      const {
        holdExpiresAt: _end,
        heldWithoutCheckout: _without,
        moneyUnderWay: _way,
        checkoutLink: _link,
        ...after
      } = before;
      return rewrite(before, after, context);
    },
  },
  "hold of no person": { says: "the hold is removed", members: ({ item }) => ({ hold: dropHold(item) }) },
  "not listed": {
    says: "the record gets the attributes by which the lists read it",
    members({ item }) {
      const { rule } = ruleOf(item, true) ?? {};
      const listed = rule && listedAs(item, rule);
      if (!listed) return undefined;
      const must = Object.entries(listed.must);
      const extra = Object.keys(listed.has).filter((name) => !(name in listed.must));
      const set = must.map((_, index) => `#s${index} = :s${index}`).join(", ");
      const remove = extra.map((_, index) => `#r${index}`).join(", ");
      return {
        item: {
          Update: {
            TableName: tableName,
            Key: { PK: item.PK, SK: item.SK },
            UpdateExpression: [set && `SET ${set}`, remove && `REMOVE ${remove}`].filter(Boolean).join(" "),
            ExpressionAttributeNames: Object.fromEntries([
              ...must.map(([name], index) => [`#s${index}`, name]),
              ...extra.map((name, index) => [`#r${index}`, name]),
            ]),
            ...(must.length > 0 && {
              ExpressionAttributeValues: Object.fromEntries(must.map(([, value], index) => [`:s${index}`, value])),
            }),
          },
        },
      };
    },
  },
  "no profile id": {
    says: "the profile can be found by its id again",
    members: ({ item }) => ({ profileID: putProfileID(item as unknown as ProfileRecord) }),
  },
  "profile id of no person": { says: "the profile id is free again", members: ({ item }) => ({ id: drop(item) }) },
  "payment not noted": {
    says: "the payment is noted as settled, so that it cannot be used twice",
    members(look) {
      const { paidBy, email } = registrationIn(look);
      return paidBy === undefined ? undefined : { payment: putSettled({ paymentId: paidBy, email }, "seat") };
    },
  },
  "paid but not confirmed": {
    says: "the registration is confirmed, and the person gets the ticket",
    members({ item, facts }, context) {
      const { email, purpose, sessionId, amount, currency } = item as unknown as LatestCheckout;
      if (purpose.kind !== "event" || sessionId === undefined) return undefined;
      const { event, queueKey } = purpose;
      const current = facts.find(registrationKey({ email, event })) as unknown as RegistrationRecord;
      const money = { amount, currency: currency.toUpperCase() };
      return settled(current, { email, event, queueKey, paymentId: sessionId, money }, context);
    },
  },
  "checkout still open": {
    says: "the checkout is closed",
    members: ({ item }) => ({
      latest: {
        Update: {
          TableName: tableName,
          Key: { PK: item.PK, SK: item.SK },
          UpdateExpression: "SET closed = :closed",
          ExpressionAttributeValues: { ":closed": true },
        },
      },
    }),
  },
  "template not listed": {
    says: "the template gets its line in the list",
    members: ({ item }) => ({ line: insertion(item as unknown as TemplateRecord).line }),
  },
  "line of no template": { says: "the line is removed", members: ({ item }) => ({ line: removal(item.SK).line }) },
  "game account not listed": {
    says: "the account is listed again",
    members: ({ item }) => ({ line: listAccount(item as unknown as StoredAccount) }),
  },
  "listed without an account": { says: "the line is removed", members: ({ item }) => ({ line: drop(item) }) },
};
