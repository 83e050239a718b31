/** Which amount a person owes for an event or a membership, and whether an earlier checkout still fits it. */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { EventRecord } from "#domain/events/event.ts";
import {
  amountOwedForEvent,
  amountOwedForMembership,
  assertMayExtendHold,
  isFor,
  isPresentPrice,
  owesNothingNow,
} from "#domain/payments/checkout/amount-owed.ts";
import type { Checkout, LatestCheckout } from "#domain/payments/checkout/checkout.ts";
import { heldForSession, latestOf, sessionEnd } from "#domain/payments/checkout/checkout.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { withCheckout, withoutCheckout } from "#domain/registrations/record/transition.ts";
import { eventRecord, registrationRecord } from "./given.ts";

const now = 1_800_000_000_000;
const minutes = 60_000;
const event = eventRecord({ id: "e", pricing: { member: 5, nonMember: 12.34 } });
const unpaid = { eventID: "e", status: "incomplete", version: 3, holdExpiresAt: now + 30 * minutes } as const;
const registration = registrationRecord(unpaid);
const anybody = { isMember: false, isAdmin: false };
const owed = (more: Partial<RegistrationRecord> = {}, changed: Partial<EventRecord> = {}, isMember = false) =>
  amountOwedForEvent(
    { event: { ...event, ...changed }, registration: { ...registration, ...more } },
    { ...anybody, isMember },
    "CAD",
    now,
  );

const nothingToPay = expect.objectContaining({ code: "NOTHING_TO_PAY" });

describe("an event", () => {
  test("costs what its pricing says, in cents", () => {
    const purpose = { kind: "event", event: { id: "e", year: 2030 }, queueKey: "w" };
    expect(owed()).toEqual({ amount: 1_234, currency: "cad", product: "Gala", purpose });
    expect(owed({ status: "acceptedPending" }).amount).toBe(1_234);
    expect(owed({}, {}, true).amount).toBe(500);
    // A person without membership whom an admin seated at a members-only event.
    expect(owed({}, { nonBizTechAllowed: false }).amount).toBe(500);
  });

  test.each<[string, () => unknown]>([
    ["a seat that is paid", () => owed({ status: "registered" })],
    ["a place in line", () => owed({ status: "waitlist" })],
    ["an application", () => owed({ status: "registered", applicant: true })],
    ["a free event", () => owed({}, { pricing: undefined })],
    ["an event that is free for members", () => owed({}, { pricing: { member: 0, nonMember: 5 } }, true)],
    ["a hold that is over", () => owed({ holdExpiresAt: now })],
  ])("there is nothing to pay for %s", (_, act) => expect(act).toThrow(nothingToPay));

  test.each<[string, () => unknown]>([
    ["your seat is confirmed", () => owed({ status: "checkedIn" })],
    ["only when a seat is yours", () => owed({ status: "waitlist" })],
    ["has not been decided yet", () => owed({ status: "registered", applicant: true })],
    ["Confirm that you come instead", () => owed({ status: "accepted" })],
    ["was not accepted", () => owed({ status: "rejected" })],
    ["was cancelled", () => owed({ status: "cancelled" })],
    ["Confirm your seat instead", () => owed({}, { pricing: undefined })],
    ["The time to pay is over", () => owed({ holdExpiresAt: undefined })],
  ])("a person who has nothing to pay reads why: %s", (sentence, act) => expect(act).toThrow(sentence));

  test.each<[boolean, string, Partial<RegistrationRecord>, Partial<EventRecord>, boolean]>([
    [true, "is accepted without a price", { status: "accepted" }, {}, false],
    [true, "is not decided", { status: "registered", applicant: true }, {}, false],
    [true, "is accepted, and free by now", { status: "acceptedPending" }, { pricing: undefined }, false],
    [true, "was accepted while it was free", { status: "acceptedComplete" }, { pricing: undefined }, false],
    [true, "is free for the member", { status: "acceptedPending" }, { pricing: { member: 0, nonMember: 5 } }, true],
    [false, "is free for members only", { status: "acceptedPending" }, { pricing: { member: 0, nonMember: 5 } }, false],
    [false, "is accepted with a price", { status: "acceptedPending" }, {}, false],
    [false, "is paid", { status: "acceptedComplete", paidBy: "cs_1" }, { pricing: undefined }, false],
    [false, "is no application", { status: "incomplete" }, { pricing: undefined }, false],
    [false, "is of an earlier event of this name", { status: "accepted", generation: "before" }, {}, false],
  ])("nothing is owed now (%p) where the application %s", (expected, _, more, changed, isMember) => {
    const known = { event: { ...event, ...changed }, registration: { ...registration, ...more } };
    expect(owesNothingNow(known, { isMember })).toBe(expected);
  });

  test("nothing is known to be free without event or registration", () => {
    const accepted = { ...registration, status: "accepted" } as const;
    expect([{}, { event }, { registration: accepted }].map((known) => owesNothingNow(known, anybody))).toEqual([
      ...[false, false, false],
    ]);
  });

  test.each([
    [500, true],
    [1_234, true],
    [0, false],
    [1_235, false],
  ])("%i cents are a present price, of members or of others: %p", (amount, expected) => {
    expect(isPresentPrice(event, registration, amount, undefined)).toBe(expected);
  });

  test.each<[string, Parameters<typeof amountOwedForEvent>[0]]>([
    ["registration", {}],
    ["event", { registration }],
    ["registration", { event }],
    ["registration", { event, registration: { ...registration, status: "deleted" } }],
    ["registration", { event, registration: { ...registration, generation: "before" } }],
  ])("without %s it is not found", (what, known) => {
    expect(() => amountOwedForEvent(known, anybody, "CAD", now)).toThrow(
      expect.objectContaining({ code: "NOT_FOUND", message: expect.stringMatching(new RegExp(what, "i")) }),
    );
  });
});

test("a membership costs the price of the stage, except for members and admins", () => {
  const price = { amount: 1_500, currency: "CAD" };
  expect(amountOwedForMembership({ firstName: "A" }, anybody, price)).toEqual({
    amount: 1_500,
    currency: "cad",
    product: "Membership",
    purpose: { kind: "membership", form: { firstName: "A" } },
  });
  for (const not of [{ isMember: true }, { isAdmin: true }])
    expect(() => amountOwedForMembership({}, { ...anybody, ...not }, price)).toThrow(nothingToPay);
});

const latest = (more: Partial<LatestCheckout> = {}): LatestCheckout => ({
  ...{ id: "c", email: "a@unit.example", successUrl: "s", cancelUrl: "c", expiresAt: now + 1, createdAt: now - 1 },
  ...owed(),
  ...more,
});

test.each([
  ["nothing that it does not have", {}],
  ["the session that it replaces", { replaces: "cs_0" }],
  ["the deletion before it", { accountDeletedAt: 0 }],
  ["the count of checkouts", { again: { since: 1, count: 2 } }],
])("the latest checkout has %s, and never the form of a membership", (_, more) => {
  const { purpose, ...rest } = latest() as Checkout;
  expect(latestOf({ ...rest, purpose }, more)).toStrictEqual({ ...rest, purpose, ...more });
  const membership = { kind: "membership", form: { firstName: "A" } } as const;
  expect(latestOf({ ...rest, purpose: membership }, more).purpose).toStrictEqual({ kind: "membership" });
});

test("a session lasts 40 minutes to a full second, and its seat two minutes more", () => {
  expect([sessionEnd(999), sessionEnd(1_000)]).toEqual([40 * minutes, 40 * minutes + 1_000]);
  expect(heldForSession({ expiresAt: 5 })).toBe(5 + 2 * minutes);
});

describe("an earlier checkout", () => {
  const linked = { checkoutLink: "u" };
  const purpose = { kind: "event", event: { id: "e", year: 2030 }, queueKey: "later" } as const;

  test.each<[boolean, string, Partial<LatestCheckout>, object]>([
    [true, "whose page is not known yet", {}, {}],
    [true, "whose page is that of the registration", { url: "u" }, linked],
    [false, "whose page was taken from the registration", { url: "u" }, {}],
    [false, "whose page was replaced on the registration", { url: "other" }, linked],
    [false, "that is over", { expiresAt: now }, {}],
    [false, "that the provider has closed", { closed: true }, {}],
    [false, "of another price", { amount: 1_233 }, {}],
    [false, "in another currency", { currency: "usd" }, {}],
    [false, "of another queue key", { purpose }, {}],
  ])("%s: one %s is used again", (expected, _, more, held) => {
    expect(isFor(latest(more), owed(), held, now)).toBe(expected);
  });

  test("of a membership needs no registration to be used again", () => {
    const membership = amountOwedForMembership({}, anybody, { amount: 1_234, currency: "CAD" });
    expect(isFor(latest({ purpose: { kind: "membership" }, url: "u" }), membership, undefined, now)).toBe(true);
  });

  test("may be replaced while the seat is held without it, and when the price has changed", () => {
    const over = { heldWithoutCheckout: now };
    expect(() => assertMayExtendHold(undefined, owed(), {}, now)).not.toThrow();
    expect(() => assertMayExtendHold(latest(), owed(), { heldWithoutCheckout: now + 1 }, now)).not.toThrow();
    expect(() => assertMayExtendHold(latest({ amount: 1 }), owed(), over, now)).not.toThrow();
    for (const before of [undefined, latest({ closed: true }), latest({ amount: 1, purpose })])
      expect(() => assertMayExtendHold(before, owed(), over, now)).toThrow(nothingToPay);
  });
});

test("a person who asks again and again holds a seat for at most the own hold and one session", () => {
  const ends = (record: RegistrationRecord) => record.holdExpiresAt as number;
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 50 * minutes }), { maxLength: 20 }), (waits) => {
      let record = registration;
      let before: LatestCheckout | undefined;
      let time = now;
      for (const wait of waits) {
        time += wait;
        if (time >= ends(record) || (before && before.expiresAt > time)) continue;
        try {
          assertMayExtendHold(before, owed(), record, time);
        } catch {
          continue;
        }
        before = latest({ expiresAt: sessionEnd(time), url: "u" });
        record = withCheckout(record, { url: "u", heldUntil: heldForSession(before) }, { now: time });
      }
      expect(ends(record)).toBeGreaterThanOrEqual(ends(registration));
      expect(ends(record)).toBeLessThanOrEqual(ends(registration) + 42 * minutes);
    }),
  );
});

test("a checkout keeps a longer hold, and its end removes only the link", () => {
  const context = { now };
  const long = { ...registration, holdExpiresAt: now + 72 * 60 * minutes };
  const opened = withCheckout(long, { url: "u", heldUntil: now + 42 * minutes }, context);
  const { holdExpiresAt: heldWithoutCheckout } = long;
  expect(opened).toEqual({ ...long, checkoutLink: "u", heldWithoutCheckout, version: 4, updatedAt: now });
  const { checkoutLink, ...closed } = opened;
  expect(withoutCheckout(opened, context)).toEqual({ ...closed, version: 5 });
});
