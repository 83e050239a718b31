/**
 * What requests cost over HTTP with 1,000 registrations: at most what `docs/performance.md` says, or the table here. With 100 a
 * requested item costs as much.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Endpoint, endpoints, rareEndpoints } from "../../tools/upkeep/bench/endpoints.ts";
import {
  columnsOf,
  type Figures,
  few,
  type Measured,
  many,
  measureBoth,
  measureOn,
} from "../../tools/upkeep/bench/measure.ts";
import { type BenchStage, startBenchStage } from "../../tools/upkeep/bench/stage.ts";

const page = readFileSync(new URL("../../docs/performance.md", import.meta.url), "utf8");

/** Things, round trips, read and write units, kB, of requests that the page leaves out. */
const rare: readonly (readonly [string, readonly number[]])[] = [
  ["POST /registrations, again with its key", [1, 1, 0, 1, 1]],
  ["DELETE /registrations, eight people", [8, 26, 90, 88, 1]],
  ["PATCH /users/{email}, admin", [1, 3, 2, 5, 1]],
  ["PATCH /users/favEvent/self", [1, 3, 2, 3, 1]],
  ["GET /users/self/export", [1, 17, 19, 3, 3]],
  ["DELETE /users/self", [1, 5, 25, 54, 1]],
  ["POST /members/grant", [1, 3, 5, 18, 2]],
  ["POST /btx/market/buy, again", [1, 3, 3, 10, 1]],
  ["GET /events/{id}/{year}/door", [206, 5, 122, 0, 11]],
  ["GET /events/{id}/{year}/door/search", [1, 4, 20, 2, 1]],
  ["POST /registrations/check-in/scans", [1, 3, 7, 10, 1]],
];

/** The numbers of a row of the page by its request. */
const budgets = new Map([
  ...[...page.matchAll(/^\| `(.+)` \| (.+) \|$/gm)].map(
    ([, name = "", cells = ""]) => [name, cells.split(" | ").map((cell) => Number(cell.replaceAll(",", "")))] as const,
  ),
  ...rare,
]);

/** How much more a requested item may cost with the data that is not requested; 1 for all others. */
const mayGrow: Readonly<Record<string, number>> = {
  // It reads the event's whole list.
  "GET /events/{id}/{year}/door/search": 3.2,
  // A place that is not among the first hundred.
  "GET /registrations, the last in line": 2.4,
  "POST /registrations, joining the line": 1.3,
  // A small event is filled up with people who have no points yet.
  "PUT /registrations/massUpdate, 25 people": 1.1,
};

const costOfItem = ({ asked, readUnits, writeUnits }: Figures): number => (readUnits + writeUnits) / asked;

/** What is above its budget, or grows. */
function tooMuch(measured: Readonly<Record<"few" | "many", Measured>>): string[] {
  return Object.entries(measured.many).flatMap(([name, figures]) => {
    const small = measured.few[name] as Figures;
    const most = budgets.get(name) ?? [];
    const [, ...above] = columnsOf(figures).map((figure, column) => figure > (most[column] ?? 0));
    const grown = costOfItem(figures) > costOfItem(small) * (mayGrow[name] ?? 1);
    const found = ["round trips", "read", "write", "kB"].filter((_, column) => above[column]);
    return [...found, ...(grown ? ["growth"] : [])].map(
      (what) => `${name}: ${what} ${JSON.stringify([figures, small])}`,
    );
  });
}

let bench: BenchStage;
let measured: Awaited<ReturnType<typeof measureBoth>>;
beforeAll(async () => {
  bench = await startBenchStage();
  measured = await measureBoth(bench, [...endpoints, ...rareEndpoints]);
});
afterAll(() => bench.close());

test("no request costs more than docs/performance.md says, nor grows with what it does not ask for", () => {
  expect([...budgets.keys()]).toEqual(Object.keys(measured.many));
  expect(tooMuch(measured)).toEqual([]);
});

test("a request that reads everybody's registrations where it asks for one breaks its budgets", async () => {
  const name = "GET /registrations, one";
  const honest = endpoints.find((endpoint) => endpoint.name === "GET /registrations of an event") as Endpoint;
  const { asked: _asked, ...greedy } = { ...honest, name };
  const worse = { few: await measureOn(bench, few, [greedy]), many: await measureOn(bench, many, [greedy]) };
  const found = (what: string) => expect.stringMatching(new RegExp(`^${name}: ${what} `));
  expect(tooMuch(worse)).toEqual([found("round trips"), found("read"), found("kB"), found("growth")]);
});
