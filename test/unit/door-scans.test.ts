/** The rules of the door: scans of a ticket, clocks, names and marks (`docs/contract.md`, "The door"). */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { noLimit } from "#domain/capacity/seats.ts";
import { correctedTime, eveningOf } from "#domain/registrations/door/evening.ts";
import {
  bounded,
  entriesOf,
  type NewScan,
  type Scan,
  type Ticket,
  withScan,
} from "#domain/registrations/door/scans.ts";

const minute = 60_000;
const scanAt = (nonce: string, at: number, more: Partial<NewScan> = {}): NewScan => ({
  nonce,
  at,
  receivedAt: 1_000_000,
  device: `door ${nonce}`,
  deviceId: nonce,
  ...more,
});
const valid: Ticket = { is: "valid" };
const cancelled: Ticket = { is: "invalid", reason: "cancelled" };
const byExecutive: Ticket = { is: "in", by: "executive" };

/** Adds scans one after the other to a ticket that may enter, unless an executive interferes. */
function brought(scans: readonly NewScan[]): Scan[] {
  let known: Scan[] = [];
  for (const scan of scans) {
    if (known.some(({ nonce }) => nonce === scan.nonce)) continue;
    known = withScan(known, scan, entriesOf(known).length > 0 ? { is: "in", by: "scan" } : valid);
  }
  return known;
}

const outcomes = (scans: readonly Scan[]) => Object.fromEntries(scans.map(({ nonce, outcome }) => [nonce, outcome]));

describe("the scans of a ticket", () => {
  test("an undo takes its scan away, and the next one counts, also when the undo arrives first", () => {
    const undo = scanAt("u", 5, { undoes: "b" });
    const scans = [scanAt("a", 3), scanAt("b", 1), undo];
    const expected = { a: "checkedIn", b: "undone", u: "undone" };
    expect(outcomes(brought(scans))).toEqual(expected);
    expect(outcomes(brought([...scans].reverse()))).toEqual(expected);
  });

  test("a person who is let in with an invalid ticket is admitted, and others are refused", () => {
    const one = withScan([], scanAt("a", 1, { admitted: true }), cancelled);
    const two = withScan(one, scanAt("b", 2), cancelled);
    expect(two.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ["admitted", "cancelled"],
      ["refused", "cancelled"],
    ]);
    expect(entriesOf(two)).toEqual([]);
  });

  test("an executive's check-in is none of the scans, and an executive's undo ends those before it", () => {
    expect(outcomes(withScan([], scanAt("a", 1), byExecutive))).toEqual({ a: "again" });
    const entered = brought([scanAt("a", 1)]);
    expect(outcomes(withScan(entered, scanAt("b", 2), valid))).toEqual({ a: "undone", b: "checkedIn" });
  });

  const scan = fc.record({
    nonce: fc.integer({ min: 0, max: 7 }).map(String),
    at: fc.integer({ min: 0, max: 5 }),
    admitted: fc.constantFrom(undefined, true, false),
    undoes: fc.option(fc.integer({ min: 0, max: 7 }).map(String), { nil: undefined }),
  });
  const distinct = fc.uniqueArray(scan, { selector: ({ nonce }) => nonce, maxLength: 8 });

  test("the result depends on the set of scans only, not on their order or repetitions", () => {
    const prop = fc.property(
      distinct.chain((scans) =>
        fc.record({
          one: fc.shuffledSubarray(scans, { minLength: scans.length }),
          other: fc.shuffledSubarray([...scans, ...scans], { minLength: 2 * scans.length }),
        }),
      ),
      ({ one, other }) => {
        const asNew = ({ nonce, at, ...more }: (typeof one)[number]) => scanAt(nonce, at, more);
        const [first, second] = [brought(one.map(asNew)), brought(other.map(asNew))];
        expect(outcomes(second)).toEqual(outcomes(first));
        const entries = first.filter(({ outcome }) => outcome === "checkedIn" || outcome === "again");
        const earliest = entries.length > 0 ? [Math.min(...entries.map(({ at }) => at))] : [];
        expect(first.filter(({ outcome }) => outcome === "checkedIn").map(({ at }) => at)).toEqual(earliest);
      },
    );
    fc.assert(prop);
  });

  test("a hundred are kept, among them the check-in", () => {
    const many = (more: (n: number) => Partial<NewScan>) =>
      Array.from({ length: 150 }, (_, n) => scanAt(`n${n}`, 10 + n, more(n)));
    const keeps = (scans: readonly NewScan[]) => {
      let known: readonly Scan[] = [];
      for (const scan of scans)
        known = bounded(withScan(known, scan, known.length > 0 ? { is: "in", by: "scan" } : valid));
      const [first, second, ...more] = entriesOf(known);
      return {
        kept: known.length,
        later: more.length,
        first: first?.nonce,
        second: second?.nonce,
        last: known.at(-1)?.nonce,
      };
    };
    const first = scanAt("first", 1);
    const entries = many(() => ({ admitted: true }));
    expect(keeps([first, ...entries])).toMatchObject({ kept: 100, first: "first", second: "n0" });
    expect(keeps([first, ...many(() => ({ admitted: false }))])).toMatchObject({ kept: 100, first: "first" });
    // One with which no person entered matters least.
    const mixed = many((n) => ({ admitted: n % 2 === 0 }));
    expect(keeps([first, ...mixed])).toMatchObject({ kept: 100, first: "first", later: 74 });
    const undone = keeps([first, ...many((n) => ({ undoes: `n${n + 1}` }))]);
    expect(undone).toMatchObject({ kept: 100, first: "first", last: "n149" });
    // The earliest of all arrives last.
    expect(keeps([...entries, first])).toMatchObject({ kept: 100, first: "first" });
  });
});

describe("the time of a scan", () => {
  const evening = eveningOf({ startDate: "2030-03-02T02:00:00.000Z", endDate: "2030-03-02T06:00:00.000Z" });
  const start = Date.parse("2030-03-02T02:00:00.000Z");

  test("is corrected by the difference of the clocks", () => {
    const [now, wrong] = [start + 90 * minute, 7 * 86_400_000];
    expect(correctedTime(start + 10 * minute + wrong, now + wrong, now, evening)).toBe(start + 10 * minute);
  });

  test("lies in the evening, and not in the future", () => {
    const late = start + 48 * 60 * minute;
    expect(correctedTime(0, late, late, evening)).toBe(evening.opens);
    expect(correctedTime(late + 5 * minute, late, late, evening)).toBe(evening.closes);
    expect(correctedTime(start + 9, start, start, evening)).toBe(start);
    // The day before, a scan is at the time of the request.
    expect(correctedTime(5, 5, start - 86_400_000, evening)).toBe(start - 86_400_000);
  });

  test("the evening of an event without an end, without a start, and without both", () => {
    const hour = 60 * minute;
    const end = start + 12 * hour;
    expect(eveningOf({ startDate: "2030-03-02T02:00:00.000Z" })).toEqual({
      opens: start - 6 * hour,
      closes: end + 3 * hour,
      acceptedUntil: end + 14 * 24 * hour,
    });
    expect(eveningOf({ endDate: "2030-03-02T14:00:00.000Z" })).toEqual(
      eveningOf({ startDate: "2030-03-02T02:00:00.000Z" }),
    );
    // A date alone is the whole day.
    const day = { startDate: "2030-03-02T08:00:00.000Z", wholeDays: { startDate: "2030-03-02" } };
    expect(eveningOf(day).closes).toBe(Date.parse(day.startDate) + 27 * hour - 1);
    expect(eveningOf({})).toEqual({ opens: 0, closes: noLimit, acceptedUntil: noLimit });
    const later = 7 + 14 * 24 * 60 * minute;
    expect(eveningOf({}, 7)).toEqual({ opens: 0, closes: later, acceptedUntil: later });
  });
});
