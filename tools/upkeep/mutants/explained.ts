/** Survivors that no test needs to kill, because nothing that the project promises depends on them. */
import type { Explained } from "./score.ts";

const of = (file: string, rows: readonly (readonly [original: string, replacement: string, reason: string])[]) =>
  rows.map(([original, replacement, reason]): Explained => ({ file, original, replacement, reason }));

const uncompiled = "It does not compile.";
const speed = "It bounds how much is done at the same time.";

export const explained: readonly Explained[] = [
  ...of("lambda/domain/capacity/allocate.ts", [
    ["choice !== undefined", "true", "Without a person who is chosen, the newcomer's choice is full, so there is one."],
  ]),
  ...of("lambda/domain/capacity/demands.ts", [["by > 0", "by >= 0", "A change is by one, up or down."]]),
  ...of("lambda/domain/capacity/line.ts", [["() => false", "() => undefined", "A caller tests it for truth."]]),
  ...of("lambda/domain/capacity/place-in-line.ts", [
    ["{ return Number.NaN; }", "{}", "No number is less than undefined."],
  ]),
  ...of("lambda/domain/capacity/seats.ts", [["limit !== undefined", "true", "No number is at least undefined."]]),
  ...of("lambda/domain/personal-data/erase.ts", [
    ['factsOf(kind ?? "")?.personal?.after', 'factsOf(kind ?? "")?.personal.after', uncompiled],
    ["note.pseudonym === undefined", "true", "The same note is written again."],
    ["{ concurrency: atOnce }", "{}", speed],
  ]),
  ...of("lambda/domain/personal-data/find.ts", [
    ["{ concurrency: campaignsAtOnce }", "{}", speed],
    ['"eventual"', '""', "Every read that is not strong is eventual."],
  ]),
  ...of("lambda/outbox/trail.ts", [["rows.at(-1)?.id", "rows.at(-1).id", uncompiled]]),
];
