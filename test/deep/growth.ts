/** How the time of a function grows with its input. The tests compare times with each other, never with a clock. */
import { expect } from "@jest/globals";

const size = 12_500;
const runs = 3;

/** What stands between a start and an end as often as fits: texts that make a bad pattern backtrack. */
const repeated: readonly (readonly [start: string, unit: string, end?: string])[] = [
  ...[...' a1"[<{(._-,/='].map((unit) => ["", unit] as const),
  ...["<a", "<!--", "<style>", "a.", "a@", "http:", "\n =", "\u{1F600}", "\u{1F468}\u200d", "\ud83d"].map(
    (unit) => ["", unit] as const,
  ),
  ...[" ", "\t", "\n", "\r\n\t \u00a0"].map((blanks) => ["a", blanks, "a"] as const),
  ...[`="`, "'", "a='' ", "a "].map((attribute) => ["<a ", attribute] as const),
  ["<!--", "-"],
  ["<style>", `</style${" ".repeat(50)}`],
  ["<style></style", " "],
  ["a@", "b."],
  ["a@", "b", "."],
  ["a@b", "-"],
  ["a", ";", "2030"],
  ["https://", "/"],
  ["https://", "a@", "b"],
  ["https://a/", "a/../"],
  ["https://a/", "a/"],
  ["2030-01-01", " ", "x"],
  ["2030-01-01T00:00:00.", "0"],
  ["image/", "+xml", "x"],
  ["V2.", "A"],
];

/** Texts of about `n` characters. */
const hostileTexts: Readonly<Record<string, (n: number) => string>> = Object.fromEntries(
  repeated.map(([start, unit, end = ""]) => [
    `${JSON.stringify(unit)} after ${start}`,
    (n: number) => start + unit.repeat(n / unit.length) + end,
  ]),
);

/** Microseconds of the processor. Other processes of a busy machine do not lengthen them as they do the time of a clock. */
function once(run: () => unknown): number {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

const fastest = (run: () => unknown): number => Math.min(...Array.from({ length: runs }, () => once(run)));

/** Reads every character a few times. A function that is as fast does not grow with the square of its input. */
function lookAt(text: string): number {
  let sum = 0;
  for (let pass = 0; pass < 10; pass += 1) for (const character of text) sum += character.charCodeAt(0);
  return sum;
}

const floors = new Map<string, number>();
const floorOf = (text: string): number => {
  const floor = floors.get(text) ?? fastest(() => lookAt(text));
  floors.set(text, floor);
  return floor;
};

/** A busy machine may slow a run down, so a slow result is measured again. */
const tries = 8;

/**
 * Whether eight times the input takes at most 27 times as long, so each doubling at most three times. The square of it
 * would be 64 times. A smaller step would leave less room for a processor that is slower with longer texts.
 */
export function isLinear(run: (text: string) => unknown, textOf: (n: number) => string): boolean {
  const [short, long] = [textOf(size), textOf(8 * size)];
  const floor = floorOf(long);
  if (once(() => run(long)) <= floor) return true;
  for (let count = 0; count < tries; count += 1) {
    const shortTime = fastest(() => run(short));
    if (fastest(() => run(long)) <= 27 * Math.max(floor / 8, shortTime)) return true;
  }
  return false;
}

/** Expects that the time grows in proportion to each hostile text. */
export function expectLinear(run: (text: string) => unknown): void {
  const slow = Object.keys(hostileTexts).filter((kind) => !isLinear(run, hostileTexts[kind] as (n: number) => string));
  expect(slow).toEqual([]);
}
