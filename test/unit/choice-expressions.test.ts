/** The expressions about workshop choices, evaluated: what they let through and what they write. */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  choiceParts,
  join,
  newChoiceParts,
  nothing,
  type Parts,
  passedOverParts,
} from "../../lambda/seats/choice-expressions.ts";
import type { Choices, Seats } from "../../lambda/seats/seats.ts";
import { checkPlaceholders, holds, updated } from "../model/expression.ts";

type Taken = Seats["taken"];
interface Stored {
  readonly taken: Taken;
  readonly choiceCaps: Record<string, number>;
}

const demandOf = ({ demand }: Parts) => (demand.length > 0 ? demand.join(" AND ") : undefined);
const allows = (parts: Parts, stored: Stored) => holds(demandOf(parts), { ...stored }, parts);

/** The stored item after the update. DynamoDB refuses a placeholder that is not used, so do we. */
function after(parts: Parts, stored: Stored): Stored {
  const update = parts.set.length > 0 ? `SET ${parts.set.join(", ")}` : undefined;
  checkPlaceholders([update, demandOf(parts)], parts);
  return update === undefined ? stored : (updated({ ...stored }, update, parts) as unknown as Stored);
}

/** People name questions and choices: none of this may reach an expression as it is. */
const questions = ["w", "status", "#q0 = :by0"];
const labels = ["a", "b.c", "Intro, part 1 (R&D)"];
const question = fc.constantFrom(...questions);
const label = fc.constantFrom(...labels);
const counts = (max: number) => fc.record(Object.fromEntries(labels.map((name) => [name, fc.nat(max)])));
const stored: fc.Arbitrary<Stored> = fc.record({
  taken: fc.record(Object.fromEntries(questions.map((name) => [name, counts(4)]))),
  choiceCaps: fc.dictionary(question, fc.integer({ min: 1, max: 4 })),
});
const choices: fc.Arbitrary<Choices> = fc.dictionary(question, label);

const countOf = (people: readonly Choices[], q: string, c: string) => people.filter((p) => p[q] === c).length;

/** What becomes of a stored item when some people take their choices and others give theirs back. */
function expectMoved(item: Stored, joining: Choices[], leaving: Choices[]) {
  const parts = choiceParts(joining, leaving, item.choiceCaps);
  const result = after(parts, item);
  let room = true;
  for (const q of questions) {
    for (const c of labels) {
      const count = item.taken[q]?.[c] as number;
      const joins = countOf(joining, q, c);
      const net = joins - countOf(leaving, q, c);
      const cap = item.choiceCaps[q] ?? Number.POSITIVE_INFINITY;
      if (joins > 0 && count + net > cap) room = false;
      expect(result.taken[q]?.[c]).toBe(count + net);
    }
  }
  expect(allows(parts, item)).toBe(room);
  expect(result.choiceCaps).toEqual(item.choiceCaps);
}

describe("moving the counters", () => {
  test("people are let in exactly while every choice of theirs has room, and each is counted once", () => {
    const joining = fc.array(choices, { maxLength: 5 });
    fc.assert(fc.property(stored, joining, (item, people) => expectMoved(item, people, [])));
  });

  test("somebody who leaves makes room for the heir, and for nobody's choice but their own", () => {
    fc.assert(fc.property(stored, choices, choices, (item, heir, leaver) => expectMoved(item, [heir], [leaver])));
  });

  test("leaving is always possible, also a choice that is over its limit", () => {
    fc.assert(
      fc.property(stored, fc.array(choices, { maxLength: 3 }), (item, leavers) => {
        const parts = choiceParts([], leavers);
        expect(parts.demand).toEqual([]);
        for (const q of questions) {
          for (const c of labels) {
            const left = (item.taken[q]?.[c] as number) - countOf(leavers, q, c);
            expect(after(parts, item).taken[q]?.[c]).toBe(left);
          }
        }
      }),
    );
  });

  test.each<[string, number, Choices, Choices | undefined, boolean]>([
    ["the last place of a choice", 1, { w: "a" }, undefined, true],
    ["a place too many", 2, { w: "a" }, undefined, false],
    ["another choice of a full question", 2, { w: "b.c" }, undefined, true],
    ["the place of somebody with the same choice", 2, { w: "a" }, { w: "a" }, true],
    ["the place of somebody with another choice", 2, { w: "a" }, { w: "b.c" }, false],
    ["a place that is one too many already", 3, { w: "a" }, { w: "a" }, false],
    ["no choice at all", 3, {}, undefined, true],
  ])("%s, at %i of 2 taken", (_, count, joins, leaves, fine) => {
    const item = { taken: { w: { a: count, "b.c": 1 } }, choiceCaps: { w: 2 } };
    expect(allows(choiceParts([joins], leaves ? [leaves] : []), item)).toBe(fine);
  });

  test("the limit that counts is the one in the item, not the one that was read, unless several join at once", () => {
    const item = { taken: { w: { a: 2 } }, choiceCaps: { w: 2 } };
    expect(allows(choiceParts([{ w: "a" }], [], { w: 9 }), item)).toBe(false);
    expect(allows(choiceParts([{ w: "a" }, { w: "a" }], [], { w: 3 }), item)).toBe(false);
    expect(allows(choiceParts([{ w: "a" }, { w: "a" }], [], { w: 4 }), item)).toBe(true);
  });

  test("who chooses nothing touches nothing", () => {
    expect(choiceParts([{}, {}], [{}])).toEqual(nothing);
    expect(choiceParts([], [])).toEqual(nothing);
  });
});

describe("choices offered for the first time", () => {
  const offered = fc.dictionary(question, fc.uniqueArray(label, { minLength: 1 }));
  const zeroes = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 0]));
  const zeroed = (offer: Record<string, readonly string[]>): Taken =>
    Object.fromEntries(Object.entries(offer).map(([q, names]) => [q, zeroes(names)]));

  test("get a counter, and those that count already go on counting from where they are by now", () => {
    fc.assert(
      fc.property(offered, offered, fc.nat(9), (known, wanted, takenMeanwhile) => {
        const counted = zeroed(known);
        const now = Object.fromEntries(
          Object.entries(counted).map(([q, choice]) => [
            q,
            Object.fromEntries(Object.keys(choice).map((name) => [name, takenMeanwhile])),
          ]),
        );
        const { taken } = after(newChoiceParts(counted, zeroed(wanted)), { taken: now, choiceCaps: {} });
        const expected: Record<string, Record<string, number>> = { ...now };
        for (const [q, names] of Object.entries(wanted)) expected[q] = { ...zeroes(names), ...now[q] };
        expect(taken).toEqual(expected);
      }),
    );
  });

  test("leave counters alone that somebody else has made in between", () => {
    const item = { taken: { w: { a: 3 }, v: { c: 1, d: 2 } }, choiceCaps: {} };
    const parts = newChoiceParts({ v: { c: 0 } }, { w: { a: 0 }, v: { c: 0, d: 0 } });
    expect(after(parts, item)).toEqual(item);
  });

  test("nothing new is nothing to write", () => {
    expect(newChoiceParts({ w: { a: 1, b: 2 } }, { w: { a: 0 } })).toEqual(nothing);
    expect(newChoiceParts({}, {})).toEqual(nothing);
  });
});

describe("people who were passed over", () => {
  const full = fc.array(fc.record({ question, choice: label, taken: fc.nat(5) }), { maxLength: 4 });

  test("demand that their choices are as full as they were found, or fuller", () => {
    fc.assert(
      fc.property(stored, full, (item, passedOver) => {
        const parts = passedOverParts(passedOver);
        const still = passedOver.every((one) => (item.taken[one.question]?.[one.choice] ?? 0) >= one.taken);
        expect(allows(parts, item)).toBe(still);
        expect(after(parts, item)).toEqual(item);
      }),
    );
  });

  test("get in nobody's way in the same update", () => {
    fc.assert(
      fc.property(stored, fc.array(choices, { maxLength: 3 }), full, (item, joining, passedOver) => {
        const parts = [choiceParts(joining, [], item.choiceCaps), passedOverParts(passedOver)] as const;
        const whole = join(...parts);
        expect(allows(whole, item)).toBe(parts.every((part) => allows(part, item)));
        expect(after(whole, item)).toEqual(after(parts[0], item));
      }),
    );
  });
});
