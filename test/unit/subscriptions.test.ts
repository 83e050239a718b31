/** The messages that the promoter's rule lets through: every type, with a list of follow-ups and without one. */
import { describe, expect, test } from "@jest/globals";
import type { DetailType } from "#outbox/catalogue.ts";
import { seatMessage, UnknownMessage } from "#outbox/messages.ts";
import { promoterSubscription } from "#outbox/subscriptions.ts";
import { matchesPattern } from "../../lib/local/patterns/event-pattern.ts";

/** Whether the promoter hears a message of this type without a list, as it did before messages had lists. */
const heardBefore: Readonly<Record<DetailType, boolean>> = {
  "registration.registered": false,
  "registration.waitlisted": true,
  "registration.promoted": false,
  "registration.incomplete": false,
  "registration.applied": false,
  "registration.accepted": false,
  "registration.acceptedPending": false,
  "registration.acceptedComplete": false,
  "registration.rejected": true,
  "registration.checkedIn": false,
  "registration.cancelled": true,
  "registration.deleted": true,
  "registration.updated": false,
  "payment.completed": false,
  "payment.refundRequired": false,
  "event.created": false,
  "event.updated": true,
  "event.rescheduled": true,
  "event.capacityChanged": true,
  "event.deleted": false,
  "user.created": false,
  "user.deleted": false,
  "member.granted": false,
  "feedback.submitted": false,
  "btx.traded": false,
  "campaign.started": false,
  "campaign.batch": false,
};
const types = Object.entries(heardBefore) as [DetailType, boolean][];

const registration = {
  eventID: "gala",
  year: 2030,
  generation: "i",
  email: "ada@x.example",
  fname: "Ada",
  version: 2,
};
const event = { id: "gala", year: 2030, generation: "i", ename: "Gala", version: 2 };

const message = (type: DetailType, followUps?: unknown) => ({
  source: "club.events",
  "detail-type": type,
  detail: {
    metadata: { id: "01", version: 1, occurredAt: "2030-01-01T00:00:00.000Z", actor: "system", correlationId: "r" },
    data: { ...(type.startsWith("event.") ? event : registration), ...(followUps !== undefined && { followUps }) },
  },
});
const hears = (...given: Parameters<typeof message>): boolean =>
  matchesPattern(promoterSubscription, message(...given));

describe("the promoter", () => {
  test.each(types)("hears a %s without a list: %p", (type, expected) => {
    expect(hears(type)).toBe(expected);
  });

  test.each(types)("hears every %s that asks for a promotion", (type) => {
    expect(hears(type, ["promote"])).toBe(true);
    expect(hears(type, ["of later", "promote"])).toBe(true);
  });

  test.each(types)("does not hear a %s that asks only for another follow-up", (type) => {
    expect(hears(type, ["of later"])).toBe(false);
  });

  test.each(types)("hears a %s with an empty list only where it hears one without a list", (type, expected) => {
    expect(hears(type, [])).toBe(expected);
  });

  test("hears no message of another source", () => {
    for (const [type] of types) {
      expect(matchesPattern(promoterSubscription, { ...message(type, ["promote"]), source: "shop" })).toBe(false);
    }
  });

  test.each(types.filter(([type]) => type.startsWith("registration.") || heardBefore[type]))(
    "understands a %s with a list and without one",
    (type) => {
      for (const list of [undefined, [], ["promote"], ["of later"]]) {
        const body = JSON.stringify(message(type, list));
        expect(seatMessage(body)).toMatchObject({ type, data: list === undefined ? {} : { followUps: list } });
      }
    },
  );

  test.each(["promote", {}, [1], null])("refuses %j as a list of follow-ups", (list) => {
    expect(() => seatMessage(JSON.stringify(message("registration.updated", list)))).toThrow(UnknownMessage);
  });
});
