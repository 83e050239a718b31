/** Who may hand on a seat, and who may take it (`docs/contract.md`, "Handing on"). */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { reportOf } from "#domain/registrations/record/acts.ts";
import { followUpsOf } from "#domain/registrations/record/follow-ups.ts";
import { assertPaidFor, mayHandOn, whyNotHandedOn } from "#domain/registrations/record/handing-on.ts";
import { paymentsHeld, type RegistrationRecord, tombstoneOf } from "#domain/registrations/record/registration.ts";
import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
import { afterMove, asEntered } from "#domain/registrations/record/transition.ts";
import { dropOffer, putOffer } from "#domain/registrations/store/offers.ts";
import { registrationRecord } from "./given.ts";

const event = { transfers: 2 };
const money = (amount: number) => ({ amount, currency: "CAD" });

test("only a confirmed seat is handed on", () => {
  const may = registrationStatuses.filter((status) => mayHandOn(registrationRecord({ status }), event));
  expect(may).toEqual(["registered", "accepted", "acceptedComplete"]);
});

test.each<[string, Partial<RegistrationRecord>, { transfers?: number }, string | undefined]>([
  ["a seat", {}, event, undefined],
  ["a seat that was handed on once", { handed: { mark: "m", times: 1 } }, event, undefined],
  ["a seat of an event of before", {}, {}, "as often as the event allows"],
  ["a seat that was handed on twice", { handed: { mark: "m", times: 2 } }, event, "as often as the event allows"],
  ["an application", { applicant: true }, event, "Only a confirmed seat"],
  ["a seat with a rest to pay", { owes: 500 }, event, "nothing is left to pay"],
  ["a seat of a deleted account", { ofDeletedAccount: true }, event, "Only a confirmed seat"],
])("%s: the sentence says why not", (_, changes, of, refusal) => {
  const registration = registrationRecord(changes);
  expect(mayHandOn(registration, of)).toBe(refusal === undefined);
  const because = whyNotHandedOn(registration, of);
  if (refusal === undefined) expect(because).toBeUndefined();
  else expect(because).toContain(refusal);
});

test("nobody takes a seat for which less was paid than the person would pay", () => {
  const cents = fc.option(fc.integer({ min: 0, max: 5_000 }), { nil: undefined });
  fc.assert(
    fc.property(cents, cents, fc.boolean(), (price, amount, refunded) => {
      const paid = amount === undefined ? {} : { paid: money(amount) };
      const registration = registrationRecord({ ...paid, ...(refunded && { refunded }) });
      const isRefused = (price ?? 0) > (refunded ? 0 : (amount ?? 0));
      const taking = expect(() => assertPaidFor(registration, price));
      if (isRefused) taking.toThrow("costs more than was paid");
      else taking.not.toThrow();
    }),
  );
});

test.each(Object.entries({ held: true, kept: true, due: false, dueByHand: false, returned: false }))(
  "a deposit that is %s counts as paid: %s",
  (deposit, counts) => {
    const registration = registrationRecord({ paid: money(500), deposit: deposit as "held" });
    const taking = expect(() => assertPaidFor(registration, 500));
    if (counts) taking.not.toThrow();
    else taking.toThrow("costs more than was paid");
  },
);

describe("an offer", () => {
  const offer = {
    ...{ mark: "m", event: { id: "gala", year: 2030 }, email: "grace@unit.example", fname: "Grace" },
    ...{ by: "ada@unit.example", isPartner: false, generation: "i", createdAt: 1_893_456_000_000 },
  };
  const stored = {
    ...{ PK: "OFFERS#gala#2030", SK: "m", GSI1PK: "NAMED#grace@unit.example", GSI1SK: "1893456000000" },
    ...offer,
  };

  test("is stored until the event is over, and once it is accepted sixty days longer", () => {
    const dates = { startDate: "2030-03-01T18:00:00Z", endDate: "2030-03-01T22:00:00Z" };
    const over = Date.parse(dates.endDate) / 1_000;
    expect(putOffer(offer, dates).Put?.Item).toEqual({ ...stored, ttl: over });
    const accepted = { ...offer, acceptedAt: offer.createdAt + 1 };
    expect(putOffer(accepted, dates).Put?.Item).toMatchObject({
      acceptedAt: accepted.acceptedAt,
      ttl: over + 60 * 86_400,
    });
    expect(putOffer(offer, {}).Put?.Item).toMatchObject({ ttl: offer.createdAt / 1_000 + 30 * 86_400 });
    expect(dropOffer(offer).Delete?.Key).toEqual({ PK: stored.PK, SK: stored.SK });
  });

  test("ends with every move, and who has handed on a seat is known after registering again", () => {
    const registration = registrationRecord({ offer: "m", gave: true });
    expect(afterMove(registration, { to: "checkedIn" }, { now: 5 })).not.toHaveProperty("offer");
    const { status, version, noticeVersion, gave, offer: _offer, ...newcomer } = registration;
    const ended = { ...registration, status: "cancelled" } as const;
    expect(asEntered(newcomer, "waitlist", ended)).toMatchObject({ gave: true });
    expect(asEntered({ ...newcomer, generation: "other" }, "waitlist", ended)).not.toHaveProperty("gave");
  });
});

test("the payments of others that name the person are known after registering again, and after a deletion", () => {
  const ended = registrationRecord({ status: "cancelled", handed: { mark: "m", times: 1 }, paidBy: "cs_1" });
  const { status, version, noticeVersion, handed, paidBy, ...newcomer } = ended;
  const again = asEntered({ ...newcomer, generation: "other" }, "waitlist", tombstoneOf(ended, { now: 5 }));
  expect(again).toMatchObject({ held: ["cs_1"] });
  const other = asEntered(newcomer, "registered", { ...again, handed: { mark: "n", times: 1 }, paidBy: "cs_2" });
  expect(paymentsHeld(other)).toEqual(["cs_1", "cs_2"]);
  const usual = registrationRecord({ status: "cancelled", paidBy: "cs_1" });
  for (const one of [tombstoneOf(usual, { now: 5 }), asEntered(newcomer, "waitlist", usual)])
    expect(one).not.toHaveProperty("held");
});

test("who has handed on a seat has not cancelled it, and nobody is promoted but for a workshop", () => {
  expect(reportOf("self/transfer")).toBe("handed on");
  const before = registrationRecord({ choices: { w: "a" } });
  expect(followUpsOf(before, { ...before, choices: { w: "a" } })).toEqual([]);
  expect(followUpsOf(before, { ...before, choices: {} })).toEqual(["promote"]);
});
