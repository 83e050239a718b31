/**
 * What requests cost over HTTP, with 100 and with 1,000 registrations (`tools/upkeep/bench/budgets.ts`): round trips, units in the
 * request and behind it, bytes, and growth with what was not asked for. Times are not looked at.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { budgets } from "../../tools/upkeep/bench/budgets.ts";
import { type Dataset, importDatasets } from "../../tools/upkeep/bench/dataset.ts";
import { type Endpoint, endpoints, hotEndpoints, withoutMails } from "../../tools/upkeep/bench/endpoints.ts";
import { brokenBudgets } from "../../tools/upkeep/bench/judge.ts";
import { type Measured, measureOn } from "../../tools/upkeep/bench/measure.ts";
import { type BenchStage, startBenchStage } from "../../tools/upkeep/bench/stage.ts";

const few: Dataset = { size: 100, share: "fifth", lean: true };
const many: Dataset = { size: 1_000, share: "fifth", lean: true };

let bench: BenchStage;
let measured: Measured[];
beforeAll(async () => {
  bench = await startBenchStage();
  await importDatasets([few, many], bench.stage.outputs);
  // Both sets are in one stage, so only the hot events differ in size.
  measured = [await measureOn(bench, many, 1, withoutMails(endpoints)), await measureOn(bench, few, 1, hotEndpoints)];
}, 600_000);
afterAll(() => bench.close());

test("no request costs more than its budget, nor grows with what it does not ask for", () => {
  const names = new Set(measured.flatMap(({ figures }) => Object.keys(figures)));
  expect([...names].sort()).toEqual(Object.keys(budgets).sort());
  expect(brokenBudgets(measured, budgets)).toEqual([]);
});

test("a request that reads everybody's registrations where it asks for one breaks its budgets", async () => {
  const name = "GET /registrations, one";
  const honest = hotEndpoints.find((endpoint) => endpoint.name === "GET /registrations of an event") as Endpoint;
  const { asked: _asked, ...greedy } = { ...honest, name };
  const worse = [await measureOn(bench, many, 1, [greedy]), await measureOn(bench, few, 1, [greedy])];
  const all = measured.map((one, index) => ({ ...one, figures: { ...one.figures, ...worse[index]?.figures } }));
  const broken = brokenBudgets(all, budgets);
  for (const figure of ["roundTrips", "readUnits", "bytes", "growth"]) {
    expect(broken).toContainEqual(expect.stringMatching(new RegExp(`^${name}: ${figure} .*1,000 registrations`)));
  }
}, 300_000);
