/** What `npm run upkeep -- bench` makes of its figures: verdicts about budgets. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { budgets } from "../budgets.ts";
import { type Size, sizes } from "../dataset.ts";
import { endpoints } from "../endpoints.ts";
import { type Budget, brokenBudgets, counted, growthOf, type Limit } from "../judge.ts";
import type { Figures, Measured } from "../measure.ts";

const figures = (more: Partial<Figures> = {}): Figures => ({
  roundTrips: 1,
  readUnits: 2,
  writeUnits: 0,
  asyncReadUnits: 0,
  asyncWriteUnits: 0,
  bytes: 100,
  asked: 1,
  ...more,
});

const measuredAt = (size: Size, one: Figures, share: Measured["share"] = "fifth"): Measured => ({
  size,
  share,
  figures: { "GET /thing": one },
});

const budget = (more: Partial<Budget> = {}): { "GET /thing": Budget } => ({
  "GET /thing": {
    roundTrips: 1,
    readUnits: 2,
    writeUnits: 0,
    asyncReadUnits: 0,
    asyncWriteUnits: 0,
    bytes: 100,
    growth: 1,
    ...more,
  },
});

describe("budgets", () => {
  const flat = [measuredAt(100, figures()), measuredAt(10_000, figures())];

  test("what is exactly at its budget is within it", () => {
    expect(brokenBudgets(flat, budget())).toEqual([]);
  });

  test.each(counted)("a figure above its budget is named: %s", (figure) => {
    const above = figures({ [figure]: 101 });
    const sentence = expect.stringMatching(new RegExp(`^GET /thing: ${figure} 101 instead of at most .*10,000`));
    expect(brokenBudgets([measuredAt(100, figures()), measuredAt(10_000, above)], budget({ growth: 100 }))).toEqual([
      sentence,
    ]);
  });

  test("a budget for each size holds for a fifth of the people, and one number for all of them too", () => {
    const readUnits: Limit = { 100: 2, 1000: 4, 10000: 20 };
    const all = measuredAt(10_000, figures({ readUnits: 100, asked: 50 }), "all");
    const small = measuredAt(100, figures());
    expect(brokenBudgets([small, all], budget({ readUnits }))).toEqual([]);
    expect(brokenBudgets([small, all], budget())).toEqual([expect.stringContaining("readUnits 100")]);
  });

  test("growth counts what one asked thing costs", () => {
    expect(growthOf(figures({ asked: 10 }), figures({ asked: 1_000, readUnits: 200 }))).toBe(1);
    expect(growthOf(figures(), figures({ readUnits: 1, asyncWriteUnits: 5 }))).toBe(3);
    const grown = [measuredAt(100, figures({ readUnits: 1 })), measuredAt(10_000, figures())];
    expect(brokenBudgets(grown, budget())).toEqual([expect.stringMatching(/^GET \/thing: growth 2\.00 .* at most 1 /)]);
  });

  test("a request without a budget and a budget without a request are told", () => {
    expect(brokenBudgets(flat, {})).toEqual(["GET /thing has no budget"]);
    expect(brokenBudgets(flat, { ...budget(), "GET /gone": budget()["GET /thing"] })).toEqual([
      "GET /gone has a budget and was not measured",
    ]);
  });

  test("every measured request has one", () => {
    expect(Object.keys(budgets).sort()).toEqual(endpoints.map(({ name }) => name).sort());
  });
});

describe("docs/performance.md", () => {
  const page = readFileSync(new URL("../../../../docs/performance.md", import.meta.url), "utf8");
  const part = page.split("\n## ").find((text) => text.startsWith("Requests\n")) ?? "";

  /** The columns behind the first two: the sum of these figures. */
  const columns = {
    roundTrips: ["roundTrips"],
    readUnits: ["readUnits", "asyncReadUnits"],
    writeUnits: ["writeUnits", "asyncWriteUnits"],
  } as const satisfies Readonly<Record<string, readonly (typeof counted)[number][]>>;

  /** The page shows the largest size. */
  const size = Math.max(...sizes) as Size;
  const limitOf = (most: Limit): number => (typeof most === "number" ? most : most[size]);

  /** The figures of a row that are above the budget, or of a request that has none. */
  function wrongIn(row: string): string[] {
    const [name = "", ...cells] = row.replaceAll("`", "").split(" | ");
    const own = budgets[name];
    if (!own) return [`${name} has no budget`];
    // The first cell says how many things are asked for.
    return Object.entries(columns).flatMap(([column, figures], index) => {
      const value = Number((cells[index + 1] || "NaN").replaceAll(",", ""));
      const most = figures.reduce((sum, figure) => sum + limitOf(own[figure]), 0);
      return value <= most ? [] : [`${name}: ${column} ${value} instead of at most ${most}`];
    });
  }
  const rows = part
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.slice(2, -2));

  test("has every request, with figures within its budgets", () => {
    expect(rows.map((row) => row.split(" | ")[0]?.replaceAll("`", ""))).toEqual(endpoints.map(({ name }) => name));
    expect(rows.flatMap(wrongIn)).toEqual([]);
  });
});
