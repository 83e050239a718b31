/** When the check-in page takes a code that its camera sees for a new scan, and when for one that is still held there. */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { CodesInView } from "../../client/door/codes-in-view.ts";

/** One look at the camera's picture, so many milliseconds after the one before. */
interface Look {
  readonly after: number;
  readonly found: readonly string[];
}
type Limits = ConstructorParameters<typeof CodesInView>[1];

/** What is taken at each look, as the camera takes it: whatever is new. */
function taken(looks: readonly Look[], limits?: Limits): { readonly codes: string[]; readonly isHeld: boolean } {
  let now = 0;
  const inView = new CodesInView(() => now, limits);
  const codes = looks.flatMap(({ after, found }) => {
    now += after;
    const code = inView.look(found);
    if (code !== undefined) inView.take(code);
    return code ?? [];
  });
  return { codes, isHeld: inView.isHeld };
}
const every = (after: number, ...found: readonly string[]): Look[] =>
  found.map((codes) => ({ after, found: [...codes] }));

describe("a code", () => {
  test.each<[string, Look[], string[], boolean]>([
    ["that is held there is one scan", every(100, "a", "a", "a"), ["a"], true],
    ["is one scan on a phone that looks every four seconds", every(4_000, "a", "a", "", "a", "", "", "a"), ["a"], true],
    ["is new after three empty looks in more than a second", every(400, "a", "", "", "", "a"), ["a", "a"], true],
    ["is not new after two, however long they take", every(60_000, "a", "", "", "a"), ["a"], true],
    ["that a fast phone misses for a second is one scan", every(10, "a", ...Array(100).fill(""), "a"), ["a"], true],
    ["ends only with a look that does not find it", [...every(300, "a", "", "", ""), ...every(900, "a")], ["a"], true],
    ["is no longer held there then", every(400, "a", "", "", ""), ["a"], false],
    ["that alternates with another one is one scan, like the other", every(900, ..."abababba"), ["a", "b"], true],
    ["is new when another one was there meanwhile", every(400, ..."abbba"), ["a", "b", "a"], true],
    ["beside another one is none", every(400, "ab", "ab"), [], false],
    ["that another one is held beside stays one scan", every(900, "a", "ab", "ab", "ab", "ab", "a"), ["a"], true],
  ])("%s", (_, looks, codes, isHeld) => {
    expect(taken(looks)).toEqual({ codes, isHeld });
  });

  test("that was not taken stays new", () => {
    const inView = new CodesInView(() => 0);
    expect([inView.look(["a"]), inView.look(["a"]), inView.isHeld]).toEqual(["a", "a", false]);
  });
});

describe("on any phone", () => {
  const pause = fc.integer({ min: 1, max: 10_000 });
  /** Between two looks that find the code: few looks of any phone that miss it, or any number in a second. */
  const missed = fc.oneof(
    fc.array(pause, { maxLength: 2 }),
    fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 16 }),
  );
  const heldThere = fc
    .array(fc.tuple(pause, missed), { minLength: 1, maxLength: 30 })
    .map((parts) =>
      parts.flatMap(([last, misses]) => [
        ...misses.map((after) => ({ after, found: [] })),
        { after: last, found: ["a"] },
      ]),
    );
  const away = fc
    .array(pause, { minLength: 3, maxLength: 30 })
    .filter((pauses) => pauses.reduce((sum, one) => sum + one, 0) > 1_000)
    .map((pauses) => pauses.map((after) => ({ after, found: [] })));

  test("a code that is held there is one scan, and one that comes back is another", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(heldThere, away), { minLength: 1, maxLength: 5 }), (visits) => {
        expect(taken(visits.flat(2))).toEqual({ codes: visits.map(() => "a"), isHeld: false });
      }),
    );
  });

  test.each([
    ["time alone", { longerThan: 1_000, looks: 0 }],
    ["looks alone", { longerThan: 0, looks: 3 }],
  ])("a rule by %s scans a code that is held there twice", (_, limits) => {
    const found = fc.check(fc.property(heldThere, (looks) => taken(looks, limits).codes.length === 1));
    expect(found.failed).toBe(true);
  });
});
