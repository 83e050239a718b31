/** The investment game over HTTP, longer and with more stored records than `npm test` has time for. */
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { draw } from "../seeds.ts";
import { type Answer, exec } from "../service/given.ts";
import { givenStage, type ServiceStage, withoutRelay } from "../service/stage.ts";
import { discrepancies } from "./btx-books.ts";

let stage: ServiceStage;
let units = 0;
beforeAll(async () => {
  stage = await givenStage({
    standIns: withoutRelay,
    onTableCall: ({ readUnits }) => {
      units += readUnits;
    },
  });
});
afterAll(() => stage.close());

const admin = (path: string, body: object) => stage.api("POST", `/btx/admin${path}`, { as: exec, body });
const counted = (answers: readonly Answer[]) => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const outcome = `${status} ${body.code ?? ""}`.trim();
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
};

test("50 people trade 5,000 times at once while prices move and accounts are reset", async () => {
  const eventId = "rush";
  const projectIds = ["a", "b", "c", "d", "e"].map((name) => `rush-${name}`);
  for (const projectId of projectIds) {
    await admin("/project", { projectId, ticker: projectId, name: projectId, eventId, seedAmount: 50 });
  }
  const people = Array.from({ length: 50 }, (_, n) => `p${n}@rush.example`);
  const answers: Answer[] = [];
  const any = (below: number) => draw(fc.nat(below - 1));
  const play = async (as: string) => {
    for (let n = 0; n < 100; n += 1) {
      const body = { projectId: projectIds[any(projectIds.length)], shares: 1 + any(40) };
      answers.push(await stage.api("POST", `/btx/market/${any(5) < 3 ? "buy" : "sell"}`, { as, body }));
    }
  };
  const whims = async () => {
    for (let n = 0; n < 40; n += 1) {
      const projectId = projectIds[n % projectIds.length];
      const bumpType = n % 2 ? "VALIDATION_GOOD" : "USER_FEEDBACK_BAD";
      answers.push(await admin("/phase-bump", { projectId, bumpType }));
      answers.push(await admin("/seed", { projectId, seedDelta: 1 }));
      // The person may have no account at the first reset, and on a busy machine the reset may run into its deadline.
      const { status } = await admin("/reset", { eventId, userId: people[n % 5] });
      expect([200, 404, 503]).toContain(status);
    }
  };
  await Promise.all([...people.map(play), whims()]);
  const {
    "200": done = 0,
    "409 INSUFFICIENT_CASH": poor,
    "409 INSUFFICIENT_SHARES": few,
    ...others
  } = counted(answers);
  console.log({ done, poor, few, others });
  // A request that is told to try again has changed nothing.
  expect(Object.keys(others).filter((outcome) => outcome !== "503 CONTENDED")).toEqual([]);
  expect(done).toBeGreaterThan(2_000);
  expect(await discrepancies(stage, eventId, people, { reset: people.slice(0, 5) })).toEqual([]);
  const all = await admin("/reset", { eventId });
  expect(all).toMatchObject({ status: 200, body: { data: { accounts: 50, complete: true } } });
  expect(await discrepancies(stage, eventId, people, { reset: people })).toEqual([]);
}, 600_000);

test("50 people trade one project in the same second, and no request is refused", async () => {
  const [eventId, projectId] = ["hot", "hot"];
  await admin("/project", { projectId, ticker: "H", name: "Hot", eventId, seedAmount: 5 });
  const people = Array.from({ length: 50 }, (_, n) => `p${n}@hot.example`);
  // The first trade opens the accounts.
  for (const side of ["buy", "buy", "sell", "buy"]) {
    const [began, took]: [number, number[]] = [performance.now(), []];
    const answers = await Promise.all(
      people.map(async (as) => {
        const answer = await stage.api("POST", `/btx/market/${side}`, { as, body: { projectId, shares: 1 } });
        took.push(Math.round(performance.now() - began));
        return answer;
      }),
    );
    console.log({ side, milliseconds: { median: took[25], slowest: took.at(-1) } });
    expect(counted(answers)).toEqual({ "200": 50 });
  }
  expect(await discrepancies(stage, eventId, people)).toEqual([]);
}, 600_000);

test("a read needs the same read units with 100 and with 100,000 trades", async () => {
  const [as, projectId, eventId] = ["reader@cost.example", "cost", "cost"];
  await admin("/project", { projectId, ticker: "C", name: "Cost", eventId });
  await stage.api("POST", "/btx/market/buy", { as, body: { projectId, shares: 5 } });
  const [template] = await stage.stored(`BTXT#${projectId}`);
  const givenTrades = async (from: number, to: number) => {
    for (let at = from; at < to; at += 25) {
      const rows = Array.from({ length: 25 }, (_, n) => {
        const SK = `${1_700_000_000_000 + at + n}#${"0".repeat(26)}`;
        return { PutRequest: { Item: { ...template, SK, GSI1SK: SK } } };
      });
      await stage.table.send(new BatchWriteCommand({ RequestItems: { [stage.outputs.tableName]: rows } }));
    }
  };
  const paths = [
    `/btx/market/snapshot?eventId=${eventId}`,
    `/btx/portfolio?eventId=${eventId}`,
    `/btx/leaderboard?eventId=${eventId}`,
    "/btx/trades",
    `/btx/trades?projectId=${projectId}`,
    `/btx/price-history?projectId=${projectId}&limit=80`,
  ];
  const costs = async () => {
    const spent: [string, number][] = [];
    for (const path of paths) {
      units = 0;
      await stage.api("GET", path, { as });
      spent.push([path, units]);
    }
    return spent;
  };
  await givenTrades(0, 100);
  const few = await costs();
  await givenTrades(100, 100_000);
  expect(await costs()).toEqual(few);
}, 600_000);

test("the reset of an account with more holdings than one transaction takes gives back all of them", async () => {
  const eventId = "many";
  const as = "many@rush.example";
  const ids = Array.from({ length: 95 }, (_, n) => `many-${n}`);
  await Promise.all(ids.map((projectId) => admin("/project", { projectId, ticker: projectId, name: "P", eventId })));
  for (const projectId of ids) {
    const { status } = await stage.api("POST", "/btx/market/buy", { as, body: { projectId, shares: 1 } });
    expect(status).toBe(200);
  }
  expect((await admin("/reset", { eventId, userId: as })).status).toBe(200);
  const { body } = await stage.api("GET", `/btx/portfolio?eventId=${eventId}`, { as });
  expect([body.data.account.cashBalance, body.data.holdings]).toEqual([2_500, []]);
  const projects = (await stage.api("GET", `/btx/projects?eventId=${eventId}`, { as })).body.data;
  expect(projects).toHaveLength(95);
  expect(projects.filter(({ netShares }: { netShares: number }) => netShares !== 0)).toEqual([]);
});
