/** The expressions about workshop choices, evaluated: which seats they accept and what they write. */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Parts } from "#domain/capacity/demands.ts";
import type { Choices, Seats } from "#domain/capacity/seats.ts";
import { checkPlaceholders, holds, updated } from "../model/expression.ts";
import "./environment.ts";

const { choiceParts, passedOverParts } = await import("#domain/capacity/demands.ts");
const { adjustSeats } = await import("#domain/capacity/seats.ts");

type Taken = Seats["choiceHolders"];
interface Stored {
  readonly choiceHolders: Taken;
  readonly choiceLimits: Record<string, number>;
}

const demandOf = ({ demand }: Parts) => (demand.length > 0 ? demand.join(" AND ") : undefined);
const allows = (parts: Parts, stored: Stored) => holds(demandOf(parts), { ...stored }, parts);

/** The stored item after the update. Like DynamoDB it refuses a placeholder that is not used. */
function after(parts: Parts, stored: Stored): Stored {
  const update = parts.set.length > 0 ? `SET ${parts.set.join(", ")}` : undefined;
  checkPlaceholders([update, demandOf(parts)], parts);
  return update === undefined ? stored : (updated({ ...stored }, update, parts) as unknown as Stored);
}

/** Admins name questions and choices freely, so no name may stand in an expression as it is. */
const questions = ["w", "status", "#q0 = :by0"];
const labels = ["a", "b.c", "Intro, part 1 (R&D)"];
const question = fc.constantFrom(...questions);
const label = fc.constantFrom(...labels);
/** A choice without a holder may have no counter yet. */
const counts = (max: number) => fc.dictionary(label, fc.nat(max));
const stored: fc.Arbitrary<Stored> = fc.record({
  choiceHolders: fc.record(Object.fromEntries(questions.map((name) => [name, counts(4)]))),
  choiceLimits: fc.dictionary(question, fc.integer({ min: 1, max: 4 })),
});
const choices: fc.Arbitrary<Choices> = fc.dictionary(question, label);

const countOf = (people: readonly Choices[], q: string, c: string) => people.filter((p) => p[q] === c).length;

/** Expects the right outcome when some people take their choices and others give theirs back. */
function expectMoved(item: Stored, joining: Choices[], leaving: Choices[]) {
  const parts = choiceParts(joining, leaving, item.choiceLimits);
  const result = after(parts, item);
  let room = true;
  for (const q of questions) {
    for (const c of labels) {
      const count = item.choiceHolders[q]?.[c] ?? 0;
      const joins = countOf(joining, q, c);
      const net = joins - countOf(leaving, q, c);
      const cap = item.choiceLimits[q] ?? Number.POSITIVE_INFINITY;
      if (joins > 0 && count + net > cap) room = false;
      expect(result.choiceHolders[q]?.[c] ?? 0).toBe(count + net);
    }
  }
  expect(allows(parts, item)).toBe(room);
}

describe("moving the counters", () => {
  test("admits people exactly while each of their choices has room, and counts each person once", () => {
    const joining = fc.array(choices, { maxLength: 5 });
    fc.assert(fc.property(stored, joining, (item, people) => expectMoved(item, people, [])));
  });

  test("gives the leaver's choice to the heir, and makes no other choice free", () => {
    fc.assert(fc.property(stored, choices, choices, (item, heir, leaver) => expectMoved(item, [heir], [leaver])));
  });

  test("always allows leaving, also a choice that is over its limit", () => {
    const leavers = fc.array(choices, { maxLength: 3 });
    fc.assert(fc.property(stored, leavers, (item, people) => expectMoved(item, [], people)));
  });

  test("follows the stored limit, not the one that was read, unless several people join at once", () => {
    const item = { choiceHolders: { w: { a: 2 } }, choiceLimits: { w: 2 } };
    expect(allows(choiceParts([{ w: "a" }], [], { w: 9 }), item)).toBe(false);
    expect(allows(choiceParts([{ w: "a" }, { w: "a" }], [], { w: 3 }), item)).toBe(false);
    expect(allows(choiceParts([{ w: "a" }, { w: "a" }], [], { w: 4 }), item)).toBe(true);
  });
});

describe("questions that count choices for the first time", () => {
  const choiceHolders: fc.Arbitrary<Taken> = fc.dictionary(question, fc.dictionary(label, fc.nat(9)));

  const settings = {
    ...({ generation: "i", termsVersion: 1, capacity: 9, partnerCapacity: 9, state: "OPEN", mode: "free" } as const),
    ...{ mustPay: { member: false }, opensAt: 0, deadline: 9, startsAt: 9, choiceLimits: {} },
  };
  /** The counters after the change of an event by someone who has read the counters before. */
  function counted(read: Taken, questions: string[], now: Taken): Taken {
    const { Update } = adjustSeats({ id: "gala", year: 2030 }, settings, { counted: read, questions }, undefined);
    const { UpdateExpression = "", ExpressionAttributeNames: names, ExpressionAttributeValues: values } = Update ?? {};
    const parts = { names: names ?? {}, values: values ?? {} };
    return updated({ choiceHolders: now }, UpdateExpression, parts).choiceHolders as Taken;
  }

  test("get counters, and counters that exist keep their present numbers", () => {
    fc.assert(
      fc.property(choiceHolders, choiceHolders, fc.uniqueArray(question), (known, madeMeanwhile, wanted) => {
        const now = { ...madeMeanwhile, ...known };
        const expected = { ...Object.fromEntries(wanted.map((name) => [name, {}])), ...now };
        expect(counted(known, wanted, now)).toEqual(expected);
      }),
    );
  });
});

describe("people who were passed over", () => {
  const full = fc.array(fc.record({ question, choice: label, holders: fc.nat(5) }), { maxLength: 4 });

  test("stay passed over only while their choices are at least as full as they were read", () => {
    fc.assert(
      fc.property(stored, full, (item, passedOver) => {
        const parts = passedOverParts(passedOver);
        const still = passedOver.every((one) => (item.choiceHolders[one.question]?.[one.choice] ?? 0) >= one.holders);
        expect(allows(parts, item)).toBe(still);
        expect(after(parts, item)).toEqual(item);
      }),
    );
  });

  test("with too many choices need the demand that no counter has moved", () => {
    const choiceHolders = { w: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`c${n}`, 1])) };
    const full = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ question: "w", choice: `c${n}`, holders: 1 }));
    expect(passedOverParts(full(30), choiceHolders).demand).toHaveLength(30);
    const parts = passedOverParts(full(31), choiceHolders);
    expect(parts.demand).toHaveLength(1);
    expect(allows(parts, { choiceHolders, choiceLimits: {} })).toBe(true);
    expect(allows(parts, { choiceHolders: { w: { ...choiceHolders.w, c7: 2 } }, choiceLimits: {} })).toBe(false);
  });
});
