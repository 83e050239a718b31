/** A price that is a deposit: what each move makes of it, which refunds count, and the sums (`docs/contract.md`, "Deposits"). */
import "./environment.ts";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Deposit } from "#domain/events/pricing.ts";
import type { Payment } from "#domain/payments/record/payment.ts";
import { waitsFor } from "#domain/payments/record/waits-for.ts";
import { refundPlanFor, wasRefunded } from "#domain/payments/refunds/refund-rules.ts";
import { totalsOf } from "#domain/payments/treasurer/totals.ts";
import { answering } from "#domain/registrations/record/acts.ts";
import { moves } from "#domain/registrations/record/moves.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { afterMove, isRefundable, refundOf } from "#domain/registrations/record/transition.ts";
import { costsText } from "../../client/shared/opening.ts";
import { registrationRecord } from "./given.ts";

const { refundLetter } = await import("#domain/notices/refund-letter.ts");
const { moneyChat } = await import("#domain/notices/money-chat.ts");
const { changeEvent, newEvent } = await import("#domain/events/event.ts");
const { markMembers } = await import("#domain/payments/settling/brought.ts");
const { registrationIn } = await import("#domain/registrations/record/stored-form.ts");
const { registrationAnswer } = await import("#api/records/registration-answer.ts");
const { systemContext } = await import("#kit/request/context.ts");

const now = 1_893_456_000_000;
const context = systemContext("r", now);
const states = ["agreed", "held", "due", "dueByHand", "returned", "kept"] as const satisfies readonly Deposit[];
const money = { amount: 1_000, currency: "CAD", paymentIntent: "pi_1" };
const paid = { paidBy: "cs_1", paid: money };
const given = (more: Partial<RegistrationRecord> = {}) => registrationRecord({ deposit: "held", ...paid, ...more });
const moveTo = (to: string, from = "registered") => moves.find((one) => one.from === from && one.to === to)!;
const reasonOf = (before: RegistrationRecord, after: RegistrationRecord, isByRule = false) =>
  (refundOf(before, after, isByRule)?.data as { reason?: string } | undefined)?.reason;

// biome-ignore format: one row a case
test.each<[what: string, more: Partial<RegistrationRecord>, after: Deposit | undefined, reason: string | undefined]>([
  ["no deposit",                 { deposit: undefined },                  undefined,   undefined],
  ["a deposit by card",          {},                                      "due",       "checked in"],
  ["a deposit in cash",          { paidBy: "hand_1" },                    "dueByHand", "checked in"],
  ["a part of it in cash",       { paidBy: "hand_1", owes: 400 },         "dueByHand", "checked in"],
  ["a free or waived seat",      { deposit: "agreed", paidBy: undefined, paid: undefined }, "agreed", undefined],
  ["money that is back already", { refunded: true },                      "held",      undefined],
  ["a second check-in, due",     { deposit: "due" },                      "due",       undefined],
  ["a second one, by hand",      { deposit: "dueByHand" },                "dueByHand", undefined],
  ["a second one, returned",     { deposit: "returned" },                 "returned",  undefined],
  ["a second one, kept",         { deposit: "kept" },                     "kept",      undefined],
])("a check-in: %s", (_what, more, deposit, reason) => {
  const before = given(more);
  const after = afterMove(before, moveTo("checkedIn"), { now });
  expect([after.deposit, reasonOf(before, after)]).toEqual([deposit, reason]);
  if (reason) expect(after.owes).toBeUndefined();
  const undone = afterMove(after, moveTo("registered", "checkedIn"), { now });
  expect([undone.deposit, reasonOf(after, undone)]).toEqual([deposit, undefined]);
});

test("executives who check themselves in have not cancelled: no rule for cancelling holds their deposit back", () => {
  const [before, rule] = [given(), answering["self/desk"].refund === "by rule"];
  const after = afterMove(before, moveTo("checkedIn"), { now });
  expect(refundOf(before, after, rule)?.data).not.toHaveProperty("cancelledByPerson");
  const left = afterMove(before, moveTo("cancelled"), { now });
  expect(refundOf(before, left, rule)?.data).toMatchObject({ cancelledByPerson: true });
});

test("whatever moves follow each other, a paid seat leads to one refund at most, and by check-in if it came first", () => {
  const wanted = fc.array(fc.constantFrom("checkedIn", "registered", "cancelled"), { maxLength: 12 });
  fc.assert(
    fc.property(wanted, fc.boolean(), fc.constantFrom(undefined, "held" as const), (all, isByRule, deposit) => {
      let current = given({ deposit });
      const reasons: string[] = [];
      let came = false;
      for (const to of all) {
        const move = moves.find((one) => one.from === current.status && one.to === to);
        if (!move) continue;
        const after = afterMove(current, move, { now });
        reasons.push(...[reasonOf(current, after, isByRule) ?? []].flat());
        came ||= to === "checkedIn";
        current = after;
      }
      const isOver = current.status === "cancelled";
      const expected = deposit && came ? ["checked in"] : isOver ? ["registration ended"] : [];
      expect(reasons).toEqual(expected);
    }),
  );
});

test("a seat whose deposit has had to go back is refunded no more when it ends", () => {
  expect(states.filter((deposit) => isRefundable(given({ deposit })))).toEqual(["agreed", "held"]);
});

describe("the marks on the seat", () => {
  const payment: Payment = {
    ...{ paymentId: "cs_1", email: "ada@unit.example", money, as: "seat", settledAt: 1, deposit: "due", version: 1 },
    purpose: { kind: "event", event: { id: "gala", year: 2030 }, queueKey: "w" },
  };
  const refund = { amount: 1_000, at: 1, by: "system" };
  const back = { ...payment, refunds: { r: { ...refund, state: "succeeded" as const } }, owed: 1_000 };
  const failed = { ...payment, refunds: { r: { ...refund, state: "failed" as const } }, owed: 1_000 };
  const kept = {
    ...failed,
    kept: [{ amount: 1_000, reason: "?", by: "exec", at: 2, failedRefunds: ["r"] }],
    owed: 0,
  };
  const reversed: Payment = { ...payment, money: { ...money, amount: 0 }, byHand: { how: "cash", by: "exec" } };
  const markedBy = (of: Payment, seat: RegistrationRecord) => {
    const { registration } = markMembers(of, { seat }, context);
    return registration?.Put ? registrationIn(registration.Put.Item as never) : seat;
  };

  // biome-ignore format: one row a case
  test.each<[what: string, of: Payment, was: Deposit | undefined, is: Deposit | undefined, refunded: true | undefined]>([
    ["gone back",                  back,     "due",       "returned", undefined],
    ["gone back, by hand",         back,     "dueByHand", "returned", undefined],
    ["given back by hand, reversed", { ...payment, byHand: { how: "cash", by: "exec" } }, "returned", "dueByHand", undefined],
    ["failed after that",          failed,   "returned",  "due", undefined],
    ["kept by decision",           kept,     "due",       "kept", undefined],
    ["refunded before the person came", { ...back, deposit: "held" }, "held", "held", true],
    ["no deposit, refunded",       { ...back, deposit: undefined as never }, undefined, undefined, true],
    ["an entry by hand reversed",  reversed, "held",      "agreed", undefined],
  ])("%s", (_what, of, was, is, refunded) => {
    const seat = markedBy(of, given({ deposit: was }));
    expect([seat.deposit, seat.refunded]).toEqual([is, refunded]);
    expect(markMembers(of, { seat }, context)).toEqual({});
  });

  test("who came while the money was gone has earned the deposit once it is back, and the refund is required then", () => {
    const came = given({ status: "checkedIn", cameFrom: "registered", refunded: true });
    const won: Payment = { ...payment, deposit: "held" };
    const { registration, refund: required } = markMembers(won, { seat: came }, context);
    expect(registrationIn(registration?.Put?.Item as never)).toMatchObject({ deposit: "due" });
    expect(required?.Put?.Item).toMatchObject({ detail: { data: { reason: "checked in", paymentId: "cs_1" } } });
    for (const [of, more] of [
      [{ ...back, deposit: "held" }, {}],
      [{ ...won, kept: kept.kept }, {}],
      [won, { status: "registered" }],
    ] as const) {
      const seat = markedBy(of, { ...came, ...more });
      expect(seat.deposit).toBe("held");
    }
  });

  test("a payment that waits says that it is a deposit; it counts for no rule about leaving", () => {
    expect(waitsFor({ ...payment, owed: 1_000 })).toBe(
      "Refund 10.00 CAD (the deposit of who came), or keep it with a reason.",
    );
    expect([wasRefunded(back), wasRefunded({ ...back, deposit: "held" })]).toEqual([false, true]);
    const question = { fact: {}, payment, mode: "automatic", isLate: true, earlier: 9 } as const;
    expect(refundPlanFor(question)).toEqual({ kind: "send", amount: 1_000 });
  });

  test("the sums: what came as deposits is returned, kept, or gone otherwise", () => {
    const held = { ...payment, deposit: "held" as const };
    const left = { ...back, deposit: "held" as const };
    const { deposit: _none, ...ordinary } = payment;
    const sums = totalsOf([held, back, left, ordinary, { ...payment, owed: 1_000 }]);
    expect(sums).toMatchObject({ came: 5_000, deposits: 4_000, depositsReturned: 2_000, depositsKept: 1_000 });
    expect(sums.net).toBe(3_000);
  });
});

test("an answer shows it of a seat that is to be paid, or was", () => {
  const shown = (more: Partial<RegistrationRecord>) => registrationAnswer(given(more)).deposit;
  expect(shown({ deposit: "agreed" })).toBeUndefined();
  expect(shown({ deposit: "agreed", status: "incomplete", holdExpiresAt: 9 })).toBe("agreed");
  expect([shown({}), shown({ status: "cancelled" })]).toEqual(["held", undefined]);
  expect(shown({ deposit: "returned", status: "cancelled" })).toBe("returned");
});

describe("an event", () => {
  const settings = { timeZone: "UTC", currency: "CAD", now };
  const body = { id: "gala", year: 2030, ename: "Gala", refundAtCheckIn: true } as const;
  const pricing = { members: 0, nonMembers: 10 };
  const create = (more: object) => newEvent({ ...body, ...more }, { ...settings, generation: "i" });

  test("needs a price for it, and takes neither applications nor company", () => {
    expect(() => create({})).toThrow("without a price");
    expect(() => create({ pricing, isApplicationBased: true })).toThrow("must not be true together");
    expect(() => create({ pricing, plusOnes: 1 })).toThrow("refundAtCheckIn");
    const event = create({ pricing });
    expect(event.refundAtCheckIn).toBe(true);
    expect(() => changeEvent(event, { pricing: null }, settings)).toThrow("without a price");
    expect(changeEvent(event, { refundAtCheckIn: false }, settings).event.termsVersion).toBe(2);
    expect(create({ refundAtCheckIn: false })).toMatchObject({ refundAtCheckIn: false });
  });
});

describe("words", () => {
  const settings = { timeZone: "UTC", webAppUrl: "https://club.example", sender: { name: "Club" } } as never;
  const refund = {
    ...{ person: { email: "ada@unit.example", fname: "Ada" }, purpose: "event" as const, title: "Gala", at: now },
    ...{ amount: 1_000, currency: "CAD" },
  } as const;
  test.each(["sent", "owed", "failed"] as const)("of a mail: %s", (news) => {
    const [own, usual] = [true, false].map((isDeposit) => refundLetter({ ...refund, news, isDeposit }, settings));
    expect(own?.paragraphs.join().includes("deposit")).toBe(news !== "failed");
    expect(usual?.paragraphs.join()).not.toContain("deposit");
    expect([own?.paragraphs.length, usual?.paragraphs.length]).toEqual([1, 2]);
  });

  test("of a mail to a payer who has handed on the seat: another person came", () => {
    const words = (isHandedOn: boolean) =>
      refundLetter({ ...refund, news: "sent", isDeposit: true, isHandedOn }, settings).paragraphs.join();
    expect(words(false)).toMatch(/^Thank you for coming\. We are sending your deposit/);
    expect(words(true)).toMatch(/^The person who has your seat has come\. We are sending your deposit/);
  });

  test("of the chat", () => {
    const data = {
      ...money,
      purpose: "event",
      eventID: "gala",
      year: 2030,
      email: "a@unit.example",
      paymentId: "cs_1",
    };
    const message = { type: "payment.refundByHand", data: { ...data, reason: "checked in", because: "stage" } };
    expect(moneyChat(message as never, { timeZone: "UTC", isErased: false }).text).toContain(
      "Refund needed: 10.00 CAD for gala 2030, it was a deposit, and the person came",
    );
  });

  test("of the page, where it costs something", () => {
    const event = { pricing: { member: 0, nonMember: 10 }, refundAtCheckIn: true } as never;
    const free = { pricing: { member: 0, nonMember: 0 }, refundAtCheckIn: true } as never;
    expect(costsText(event, "CAD", false, false)).toContain("It is a deposit: you get it back when you come");
    expect(costsText(free, "CAD", false, false)).toBeUndefined();
  });
});
