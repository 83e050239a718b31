/** `npm run upkeep -- mutants`: a mutant lives exactly where the tests are weak. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { killedIn, type Run, runMutants } from "../run.ts";
import { linesOf, type Mutant, needless, scoresOf, shown } from "../score.ts";

const planted = "tools/upkeep/mutants/test/planted";

describe("of a planted file", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mutants-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const judged = (...tests: readonly string[]): Promise<Run> => {
    const paths = tests.map((test) => `${planted}/${test}.ts`);
    return runMutants([`${planted}/price.ts`], folder, ["--runTestsByPath", ...paths], 1, () => undefined);
  };
  const alive = ({ mutants, facts }: Run) => {
    const killed = killedIn(facts);
    return mutants.filter(({ id }) => !killed.has(id)).map(({ original, replacement }) => [original, replacement]);
  };

  test("exact tests kill every mutant, also one that never ends and one that is active while the module loads", async () => {
    const run = await judged("exact");
    expect(alive(run)).toEqual([]);
    expect(run.mutants.map(({ original, replacement }) => [original, replacement])).toEqual(
      expect.arrayContaining([
        ["n += 1", "n -= 1"],
        ["{ cents: 1_000 }", "{}"],
        ["asked ?? usual.cents", "asked && usual.cents"],
      ]),
    );
  });

  test("weak tests let the fallback's mutants live, and one that cannot be repeated is named and kills none", async () => {
    const run = await judged("weak");
    expect(alive(run)).toEqual([["{ cents: 1_000 }", "{}"]]);
    expect(run.facts.flatMap(({ red = [] }) => red)).toEqual(["fails when it is repeated"]);
  });

  test("a file without an end is named, and the files after it are judged", async () => {
    const run = await judged("ends", "exact");
    expect(run.facts.flatMap(({ file, red = [] }) => red.map((text) => [file, text]))).toEqual([
      [`${planted}/ends.ts`, "its process was ended"],
    ]);
    expect(alive(run)).toEqual([]);
  });
});

describe("the score", () => {
  const mutant = (id: string, file: string): Mutant => ({
    id,
    file,
    line: 7,
    original: "a ?? b",
    replacement: "a && b",
  });
  const mutants = [
    mutant("0", "lambda/domain/prizes/a.ts"),
    mutant("1", "lambda/domain/prizes/b.ts"),
    mutant("2", "lambda/kit/c.ts"),
  ];
  const explained = {
    file: "lambda/domain/prizes/b.ts",
    original: "a ?? b",
    replacement: "a && b",
    reason: "always there",
  };

  test("is that of each area; an explained survivor counts neither as killed nor as alive", () => {
    expect(scoresOf(mutants, new Set(["0"]), [explained]).flatMap(linesOf)).toEqual([
      "lambda/domain/prizes: 1 of 1 killed, 100 %, 1 explained",
      "alive lambda/kit/c.ts:7: a ?? b => a && b",
      "lambda/kit: 0 of 1 killed, 0 %",
    ]);
  });

  test.each([
    ["that a test kills", new Set(["1"]), 1],
    ["that lives", new Set<string>(), 0],
  ])("an explanation of a mutant %s is refused %#", (_, killed, count) => {
    expect(needless(mutants, killed, [explained])).toHaveLength(count);
  });

  test("shows a long text on one line, cut", () => {
    expect(shown(`{\n  ${"x".repeat(200)}\n}`)).toBe(`{ ${"x".repeat(98)}…`);
  });
});
