import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { nextInLine } from "#domain/capacity/allocate.ts";
import { passedOverParts } from "#domain/capacity/demands.ts";
import { type Place, roomFor } from "#domain/capacity/seats.ts";

const choice = fc.constantFrom("a", "b", "c");
const line = fc.array(fc.option(choice, { nil: undefined }), { maxLength: 12 }).map((choices) =>
  choices.map(
    (chosen, index): Place => ({
      email: `p${index}@unit.example`,
      queueKey: String(1000 + index),
      choices: chosen ? { w: chosen } : {},
      isPartner: false,
      fname: "",
      generation: "i",
      version: 1,
    }),
  ),
);
const seats = fc.record({
  choiceLimits: fc.record({ w: fc.integer({ min: 1, max: 3 }) }),
  choiceHolders: fc.record({ w: fc.record({ a: fc.nat(3), b: fc.nat(3), c: fc.nat(3) }) }),
});

test("no person who could be seated is passed over, and no choice gets more holders than it has room for", () => {
  fc.assert(
    fc.property(line, seats, fc.integer({ min: 1, max: 5 }), (places, stored, count) => {
      const room = { ...stored, seats: 0, capacity: 100 };
      const { chosen, passedOver } = nextInLine(places, room, count);
      expect(chosen.length).toBeLessThanOrEqual(count);
      const choiceHolders = { ...stored.choiceHolders.w } as Record<string, number>;
      let left = count;
      for (const place of places) {
        const wanted = place.choices.w;
        const fits = wanted === undefined || (choiceHolders[wanted] ?? 0) < stored.choiceLimits.w;
        expect(chosen.includes(place)).toBe(fits && left > 0);
        if (!fits || left === 0) continue;
        left -= 1;
        if (wanted) choiceHolders[wanted] = (choiceHolders[wanted] ?? 0) + 1;
      }
      // Each choice that keeps people waiting is demanded of the stored counts.
      for (const full of passedOver)
        expect(stored.choiceHolders.w[full.choice as "a"]).toBeGreaterThanOrEqual(full.holders);
    }),
  );
});

test("a question without a limit always has room", () => {
  expect(roomFor({ w: "a" }, { choiceLimits: {}, choiceHolders: { w: { a: 99 } } })).toBe(true);
  expect(roomFor({ w: "a" }, { choiceLimits: { w: 1 }, choiceHolders: {} })).toBe(true);
  expect(roomFor({ w: "a" }, { choiceLimits: { w: 99 }, choiceHolders: { w: { a: 99 } } })).toBe(false);
});

const full = (choice: string, holders: number) => ({ question: "w", choice, holders });

test.each([
  ["the first", [full("a", 3), full("a", 2)], { ":pt0": 3 }],
  ["the last", [full("a", 2), full("a", 3)], { ":pt0": 3 }],
  ["one for each choice", [full("a", 2), full("b", 1), full("a", 1)], { ":pt0": 2, ":pt1": 1 }],
  ["none of no holders", [full("a", 0), full("b", 1)], { ":pt0": 1 }],
])("of several conditions for a choice the strictest one is demanded: %s", (_, passedOver, values) => {
  expect(passedOverParts(passedOver).values).toEqual(values);
});
