/** The investment game over HTTP with more stored records than `npm test` has time for. */

import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { exec } from "../service/given.ts";
import { givenStage, type ServiceStage, withoutRelay } from "../service/stage.ts";

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
test("a read needs the same read units with 100 and with 10,000 trades", async () => {
  const [as, projectId, eventId] = ["reader@cost.example", "cost", "cost"];
  await admin("/project", { projectId, ticker: "C", name: "Cost", eventId });
  await stage.api("POST", "/btx/market/buy", { as, body: { projectId, shares: 5 } });
  const [template] = await stage.stored(`BTXT#${projectId}`);
  const givenTrades = async (from: number, to: number) => {
    const trades = Array.from({ length: to - from }, (_, n) => {
      const SK = `${1_700_000_000_000 + from + n}#${"0".repeat(26)}`;
      return marshall({ ...template, SK, GSI1SK: SK });
    });
    await stage.engine.load(stage.outputs.tableName, trades);
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
  await givenTrades(100, 10_000);
  expect(await costs()).toEqual(few);
}, 600_000);

test("the reset of an account with more holdings than one transaction takes gives back all of them", async () => {
  const eventId = "many";
  const as = "many@rush.example";
  const ids = Array.from({ length: 95 }, (_, n) => `many-${n}`);
  await Promise.all(ids.map((projectId) => admin("/project", { projectId, ticker: projectId, name: "P", eventId })));
  const Key = { PK: `USER#${as}`, SK: `BTX#${eventId}` };
  for (const [index, projectId] of ids.entries()) {
    // A person may trade 60 times in five minutes.
    if (index === 50) {
      const forgotten = { TableName: stage.outputs.tableName, Key, UpdateExpression: "REMOVE again" };
      await stage.table.send(new UpdateCommand(forgotten));
    }
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
