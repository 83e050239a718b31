/** The moves of a registration, one by one (`docs/contract.md`, "Moves of a registration"). */
import { describe, expect, test } from "@jest/globals";
import { type Actor, findMove, type Move, mayDelete, moves, refusalOf } from "#domain/registrations/record/moves.ts";
import { holdsSeat, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationStatuses, type State, stateOf, statusOf } from "#domain/registrations/record/statuses.ts";
import { afterMove, asEntered, messageOf, refundOf } from "#domain/registrations/record/transition.ts";
import { channelsOf } from "#outbox/notice-kinds.ts";
import { registrationRecord } from "./given.ts";

test.each<[State, State, Actor, RegExp]>([
  ["registered", "accepted", "admin", /accepted\. It can become cancelled, waitlist, or checkedIn\.$/],
  ["registered", "accepted", "self", /accepted\. It can become cancelled\.$/],
  ["checkedIn", "cancelled", "admin", /cancelled\. Undo the check-in first: set it to registered\.$/],
  ["checkedIn", "cancelled", "self", /cannot become cancelled\.$/],
])("the refusal of %s to %s says what is possible, to %s", (from, to, by, sentence) => {
  expect(refusalOf(from, to, by, { priced: false, application: false })).toMatch(sentence);
});

const states: readonly State[] = [...registrationStatuses, "applicant"];
const actors: readonly Actor[] = ["self", "admin", "system", "payment"];

/** The actors of each legal move: S self, A admin, Y system, P payment. Every other move is illegal. */
const legal: Readonly<Record<State, Partial<Record<State, string>>>> = {
  incomplete: { registered: "SAYP", cancelled: "SAYP" },
  waitlist: { registered: "AY", incomplete: "AY", accepted: "A", acceptedPending: "A", cancelled: "SA", rejected: "A" },
  registered: { checkedIn: "A", waitlist: "A", cancelled: "SA" },
  checkedIn: { registered: "A", accepted: "A", acceptedComplete: "A" },
  applicant: { accepted: "A", acceptedPending: "A", waitlist: "A", rejected: "A", cancelled: "SA" },
  accepted: { acceptedComplete: "SA", checkedIn: "A", cancelled: "SAY", rejected: "A" },
  acceptedPending: { acceptedComplete: "SAYP", cancelled: "SAYP", rejected: "A" },
  acceptedComplete: { checkedIn: "A", cancelled: "SA" },
  rejected: { accepted: "A", acceptedPending: "A", waitlist: "A" },
  cancelled: {},
};
/** The states that hold a seat. */
const seated = new Set<State>([
  ...(["registered", "incomplete", "checkedIn"] as const),
  ...(["accepted", "acceptedPending", "acceptedComplete"] as const),
]);
const seatsOf = (state: State): number => Number(seated.has(state));

const letterOf: Record<Actor, string> = { self: "S", admin: "A", system: "Y", payment: "P" };
const everyTerms = [true, false].flatMap((priced) => [true, false].map((application) => ({ priced, application })));

describe.each(states)("a move from %s", (from) => {
  test.each(states)("to %s is allowed to exactly the right actors", (to) => {
    const may = legal[from][to] ?? "";
    for (const actor of actors) {
      const found = everyTerms.some((terms) => findMove(from, to, terms, actor));
      expect({ actor, may: found }).toEqual({ actor, may: may.includes(letterOf[actor]) });
    }
  });

  test.each(actors)("to deleted is allowed to %s exactly if cancelling is, or is done", (actor) => {
    const mayCancel = (legal[from].cancelled ?? "").includes(letterOf[actor]);
    expect(mayDelete(from, actor)).toBe(mayCancel || from === "cancelled");
  });
});

test.each<[State, State, { priced?: boolean; application?: boolean }]>([
  ["waitlist", "registered", { priced: false, application: false }],
  ["waitlist", "incomplete", { priced: true, application: false }],
  ["waitlist", "accepted", { priced: false, application: true }],
  ["waitlist", "acceptedPending", { priced: true, application: true }],
  ["applicant", "accepted", { priced: false, application: true }],
  ["applicant", "acceptedPending", { priced: true, application: true }],
  ["rejected", "accepted", { priced: false, application: true }],
  ["rejected", "acceptedPending", { priced: true, application: true }],
  ["registered", "checkedIn", {}],
  ["incomplete", "registered", {}],
])("the move from %s to %s depends on price and kind of the event: %j", (from, to, demanded) => {
  for (const terms of everyTerms) {
    const fits = (demanded.priced ?? terms.priced) === terms.priced;
    const suits = (demanded.application ?? terms.application) === terms.application;
    expect(findMove(from, to, terms) !== undefined).toBe(fits && suits);
  }
});

const ofPerson = { email: "a@unit.example", eventID: "e", year: 2030 };
const recordIn = (state: State): RegistrationRecord =>
  registrationRecord({
    ...ofPerson,
    status: statusOf(state),
    ...(state === "applicant" && { applicant: true }),
    ...(state === "checkedIn" && { cameFrom: "registered" as const, checkedInAt: 5 }),
    ...((state === "incomplete" || state === "acceptedPending") && { holdExpiresAt: 99 }),
    queueKey: "1#a",
    version: 4,
    noticeVersion: 2,
  });

describe.each(moves.map((move) => [`${move.from} to ${move.to}`, move] as const))("the move %s", (_, move: Move) => {
  const before = recordIn(move.from);
  const isUnpaid = move.to === "incomplete" || move.to === "acceptedPending";
  const after = afterMove(before, move, { now: 7 }, isUnpaid ? { holdExpiresAt: 100 } : {});

  test("changes the seats as its states say", () => {
    expect([holdsSeat(before), holdsSeat(after)]).toEqual([seated.has(move.from), seated.has(move.to)]);
    expect(stateOf(after)).toBe(move.to);
  });

  test("raises the version by one", () => {
    expect(after).toMatchObject({ version: 5, updatedAt: 7, createdAt: 1, queueKey: "1#a" });
    // A check-in tells the chat only, so it makes no mail superseded.
    expect(after.noticeVersion).toBe(move.tells && move.to !== "checkedIn" ? 5 : 2);
  });

  test("leaves a hold exactly on an unpaid seat, and the check-in's time exactly on a checked-in one", () => {
    expect(after.holdExpiresAt).toBe(isUnpaid ? 100 : undefined);
    expect(after.checkedInAt).toBe(move.to === "checkedIn" ? 7 : undefined);
    expect(after.cameFrom).toBe(move.to === "checkedIn" ? before.status : undefined);
    expect(after.applicant).toBeUndefined();
  });

  test("has a notice of a known kind", () => {
    const { type, data } = messageOf(move, after) as { type: string; data: { notice?: keyof typeof channelsOf } };
    expect(type).toBe(move.emits);
    expect(data.notice).toBe(move.tells);
    if (data.notice) expect(channelsOf[data.notice].chat).toBe(true);
  });

  test("asks for a refund exactly if it gives up a paid seat", () => {
    const paid = { amount: 1_000, currency: "CAD", paymentIntent: "pi" };
    const [was, is] = [{ ...before, paidBy: "pay", paid } as const, { ...after, paidBy: "pay", paid } as const];
    const refund = refundOf(was, is, false);
    const own = refundOf(was, is, true);
    expect(own?.data).toEqual(refund && { ...refund.data, cancelledByPerson: true });
    expect(refund?.data).toEqual(
      seatsOf(move.to) < seatsOf(move.from)
        ? { ...paid, purpose: "event", ...ofPerson, paymentId: "pay", reason: "registration ended" }
        : undefined,
    );
    expect(refundOf(before, after, false)).toBeUndefined();
  });
});

test("a registration that begins again continues its version, with a new ticket and the same calendar entry", () => {
  const { status, version, noticeVersion, ...newcomer } = {
    ...recordIn("registered"),
    ticketId: "t2",
    calendarUid: "c2",
  };
  const known = recordIn("cancelled");
  expect(asEntered(newcomer, "waitlist", known)).toMatchObject({
    ...{ status: "waitlist", version: 5, noticeVersion: 5, ticketId: "t2", calendarUid: "c" },
  });
  expect(asEntered(newcomer, "incomplete", undefined, 9)).toMatchObject({
    version: 1,
    holdExpiresAt: 9,
    calendarUid: "c2",
  });
  const ofAnother = asEntered(newcomer, "applicant", { ...known, generation: "before" });
  expect(ofAnother).toMatchObject({ status: "registered", applicant: true, version: 5, calendarUid: "c2" });
});
