/** The messages that the promoter's rule lets through. */
import { describe, expect, test } from "@jest/globals";
import type { DetailType } from "#outbox/catalogue.ts";
import { promoterSubscription } from "#outbox/subscriptions.ts";
import { matchesPattern } from "../../tools/laptop/patterns/event-pattern.ts";

const types: readonly DetailType[] = [
  "registration.waitlisted",
  "registration.updated",
  "event.updated",
  "event.deleted",
];

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
  test.each(types)("hears every %s that asks for a promotion, and no other", (type) => {
    expect(hears(type, ["promote"])).toBe(true);
    expect(hears(type, ["of later", "promote"])).toBe(true);
    for (const other of [undefined, [], ["of later"]]) expect(hears(type, other)).toBe(false);
  });

  test("hears no message of another source", () => {
    for (const type of types) {
      expect(matchesPattern(promoterSubscription, { ...message(type, ["promote"]), source: "shop" })).toBe(false);
    }
  });
});
