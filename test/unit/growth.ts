/** How the time of a function grows with its input. The tests compare times with each other, never with a clock. */
import { expect } from "@jest/globals";

const size = 12_500;
const runs = 3;

/** Texts of about `n` characters that make a bad pattern backtrack. */
const hostileTexts: Readonly<Record<string, (n: number) => string>> = {
  "blanks between letters": (n) => `a${" ".repeat(n)}a`,
  "tabs between letters": (n) => `a${"\t".repeat(n)}a`,
  "line breaks between letters": (n) => `a${"\n".repeat(n)}a`,
  "mixed white space": (n) => `a${"\r\n\t \u00a0".repeat(n / 5)}a`,
  blanks: (n) => " ".repeat(n),
  letters: (n) => "a".repeat(n),
  digits: (n) => "1".repeat(n),
  "double quotes": (n) => '"'.repeat(n),
  "quoted attributes": (n) => `<a ${'="'.repeat(n / 2)}`,
  "single quotes in a tag": (n) => `<a ${"'".repeat(n)}`,
  "quotes that begin values": (n) => `<a ${"a='' ".repeat(n / 5)}`,
  "attributes without values": (n) => `<a ${"a ".repeat(n / 2)}`,
  "opening brackets": (n) => "[".repeat(n),
  "less-than signs": (n) => "<".repeat(n),
  "open tags": (n) => "<a".repeat(n / 2),
  "open comments": (n) => "<!--".repeat(n / 4),
  "dashes in a comment": (n) => `<!--${"-".repeat(n)}`,
  "open styles": (n) => "<style>".repeat(n / 7),
  "closing styles with blanks": (n) => `<style>${`</style${" ".repeat(50)}`.repeat(n / 57)}`,
  "a closing style that does not end": (n) => `<style></style${" ".repeat(n)}`,
  braces: (n) => "{".repeat(n),
  parentheses: (n) => "(".repeat(n),
  emoji: (n) => "\u{1F600}".repeat(n / 2),
  "joined emoji": (n) => "\u{1F468}\u200d".repeat(n / 3),
  "halves of emoji": (n) => "\ud83d".repeat(n),
  dots: (n) => ".".repeat(n),
  "letters and dots": (n) => "a.".repeat(n / 2),
  "addresses in a row": (n) => "a@".repeat(n / 2),
  "an address with many labels": (n) => `a@${"b.".repeat(n / 2)}`,
  "an address with a long label": (n) => `a@${"b".repeat(n)}.`,
  "an address of dashes": (n) => `a@b${"-".repeat(n)}`,
  dashes: (n) => "-".repeat(n),
  underscores: (n) => "_".repeat(n),
  commas: (n) => ",".repeat(n),
  semicolons: (n) => `a${";".repeat(n)}2030`,
  slashes: (n) => "/".repeat(n),
  "an address of slashes": (n) => `https://${"/".repeat(n)}`,
  "an address of names": (n) => `https://${"a@".repeat(n / 2)}b`,
  "an address that goes up": (n) => `https://a/${"a/../".repeat(n / 5)}`,
  "a path": (n) => `https://a/${"a/".repeat(n / 2)}`,
  colons: (n) => "http:".repeat(n / 5),
  "a date and blanks": (n) => `2030-01-01${" ".repeat(n)}x`,
  "a date with a long fraction": (n) => `2030-01-01T00:00:00.${"0".repeat(n)}`,
  "a media type": (n) => `image/${"+xml".repeat(n / 4)}x`,
  "a ticket": (n) => `V2.${"A".repeat(n)}`,
  "equals signs": (n) => "=".repeat(n),
  "line breaks and signs": (n) => "\n =".repeat(n / 3),
};

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
const tries = 4;

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
