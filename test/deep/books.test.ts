/**
 * An event with 500 payments on a running stage: cancellations, refunds by hand, in the dashboard and twice, failures,
 * disputes, repeated and reordered events, lost answers, and a day without the provider. At the end the books equal the
 * provider's to the cent, and `npm run ops -- books` says so; a planted cent is found.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import pMap from "p-map";
import { exec, year } from "../service/given.ts";
import { givenOutages, hour, newPeople, type OutageStage } from "../service/outage.ts";

const people = Number(process.env.PAYMENTS ?? 500);
const price = 1_000;
const id = "books";

let outage: OutageStage;
let stage: OutageStage["stage"];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "books-"));
  outage = await givenOutages({ refunds: "automatic" });
  stage = outage.stage;
  await writeFile(join(folder, "outputs.json"), JSON.stringify(stage.outputs));
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true, force: true });
});

interface Paid {
  readonly email: string;
  readonly session: string;
}

async function pay(email: string): Promise<Paid> {
  expect((await stage.register(id, email)).status).toBe(201);
  const { id: session } = await stage.eventCheckout(id, email);
  stage.payments.pay(session);
  return { email, session };
}

const refund = (session: string, body: object) =>
  stage.api("POST", `/payments/${session}/refunds`, { as: exec, body: { reason: "Sorry!", ...body } });

const cancel = async (email: string) => expect((await stage.moveTo(id, email, "cancelled", email)).status).toBe(200);

/** Every n-th of them, from the k-th on. */
const each = (all: readonly Paid[], n: number, k: number) => all.filter((_, index) => index % n === k);

async function ops(...list: string[]): Promise<{ readonly code: number; readonly lines: string }> {
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["bin/start.mjs", "ops", "books", ...list, "--stage-outputs", join(folder, "outputs.json")],
      { maxBuffer: 10_000_000 },
    );
    return { code: 0, lines: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, lines: stdout + stderr };
  }
}

test("the books of 500 payments equal the provider's to the cent", async () => {
  await stage.givenEvent({ id, capac: people, pricing: { members: 5, nonMembers: price / 100 } });
  stage.payments.duplicate(1);
  const paid = await pMap(newPeople(people), pay, { concurrency: 8 });
  await stage.settled();

  // Refunds while events come twice, late and in reverse, and some answers are lost.
  stage.payments.holdBack();
  stage.payments.loseAnswers(true);
  await pMap(each(paid, 10, 0), ({ email }) => cancel(email), { concurrency: 8 });
  await pMap(each(paid, 10, 1), ({ session }) => refund(session, { amount: 333 }), { concurrency: 8 });
  await stage.settled();
  stage.payments.loseAnswers(false);
  for (const { session } of each(paid, 20, 2)) stage.payments.refundInDashboard(session, 450);
  for (const { session } of each(paid, 20, 12)) {
    stage.payments.refundInDashboard(session, 600);
    // Two at once, of which at most one fits.
    await Promise.all([refund(session, { amount: 300 }), refund(session, { amount: 301 })]);
  }
  await stage.settled();
  await stage.payments.release({ reversed: true });
  await stage.settled();
  await outage.passFirstTries();

  // A day without the provider.
  stage.payments.silence(true);
  await pMap(each(paid, 25, 3), ({ email }) => cancel(email), { concurrency: 8 });
  await pMap(each(paid, 25, 4), ({ session }) => refund(session, { amount: 1 }), { concurrency: 8 });
  await outage.passFirstTries();
  await outage.pass(24 * hour, 6 * hour);
  stage.payments.silence(false);
  await outage.passHours(2);

  // An empty balance, failures after success, disputes.
  stage.payments.emptyBalance(true);
  await pMap(each(paid, 10, 5), ({ session }) => refund(session, {}), { concurrency: 8 });
  await stage.settled();
  stage.payments.emptyBalance(false);
  await stage.settled();
  for (const { id: refundId } of stage.payments.refunds().filter((_, index) => index % 7 === 0)) {
    stage.payments.moveRefund(refundId, "fail");
  }
  for (const [index, { session }] of each(paid, 50, 6).entries()) {
    stage.payments.dispute(session);
    if (index % 3 !== 2) stage.payments.closeDispute(session, index % 3 === 0 ? "won" : "lost");
  }
  await stage.settled();
  stage.payments.payOut();
  await stage.settled();
  await outage.passFirstTries();
  expect(outage.failures()).toEqual([]);

  const payments = await stage.list(`/payments?eventID=${id}&year=${year}`);
  const rows = payments.body as { paymentId: string; paymentIntent: string; [sum: string]: unknown }[];
  expect(rows).toHaveLength(people);
  const refunds = stage.payments.refunds().filter(({ status }) => status === "succeeded");
  const lines = stage.payments.balanceTransactions();
  const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0);
  const inTable = (name: string) => sum(rows.map((row) => row[name] as number));
  const lost = stage.payments.disputes().filter(({ status }) => status !== "won");
  expect({
    came: inTable("amount"),
    back: inTable("wentBack"),
    fee: inTable("fee"),
    frozen: inTable("frozen"),
  }).toEqual({
    came: people * price,
    back: sum(refunds.map(({ amount }) => amount)),
    fee: sum(lines.map(({ fee }) => fee)),
    frozen: sum(lost.map(({ amount }) => amount)),
  });
  expect(rows.filter((row) => (row.wentBack as number) > price)).toEqual([]);
  const states = ["kept", "refunded", "part refunded", "frozen"];
  const counted = states.map((state) => `${state} ${rows.filter((row) => row.state === state).length}`).join(", ");
  console.info(`refunds ${refunds.length} of ${stage.payments.refunds().length}, ${counted}`);

  await stage.invoke("Reconciler", {});
  await stage.settled();
  for (const list of [[], ["--event", id, "--year", `${year}`]]) {
    const equal = await ops(...list);
    expect([equal.code, equal.lines]).toEqual([0, expect.stringContaining(`Payments: ${people}, differences: 0.`)]);
    console.info(equal.lines);
  }

  const [row] = rows;
  await stage.table.send(
    new UpdateCommand({
      TableName: stage.outputs.tableName,
      Key: { PK: `PAY#${row?.paymentIntent}`, SK: "PAYMENT" },
      UpdateExpression: "SET money.amount = :planted",
      ExpressionAttributeValues: { ":planted": price + 1 },
    }),
  );
  const planted = await ops();
  expect([planted.code, planted.lines]).toEqual([1, expect.stringContaining("differences: 1")]);
}, 900_000);
