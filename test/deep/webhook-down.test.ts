/**
 * A day of payments that the webhook never heard of, then the night: every person who paid in time has the seat, each mail
 * came once, and the books are equal, also after the late events. Prints what the night costs.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, jest, test } from "@jest/globals";
import pMap from "p-map";
import { newEmail, times } from "../service/given.ts";
import { endHold } from "../service/grants-uses.ts";
import { givenStage } from "../service/stage.ts";
import { givenSettings } from "../settings.ts";

const people = Number(process.env.PAYMENTS ?? 500);
const price = 1_000;
const id = "webhook-down";
const concurrency = 8;

let stage: Awaited<ReturnType<typeof givenStage>>;
let folder: string;
let units = { read: 0, write: 0 };
// The provider's client keeps the function that it finds first.
const calls = jest.spyOn(globalThis, "fetch");
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "webhook-"));
  stage = await givenStage({
    quiet: true,
    refunds: "automatic",
    onTableCall: ({ readUnits, writeUnits }) => {
      units = { read: units.read + readUnits, write: units.write + writeUnits };
    },
  });
  await writeFile(join(folder, "outputs.json"), JSON.stringify(stage.outputs));
  givenSettings({
    ...stage.environmentOf("Reconciler"),
    AWS_ACCESS_KEY_ID: "LOCALBooks",
    AWS_SECRET_ACCESS_KEY: "local",
    AWS_ENDPOINT_URL_DYNAMODB: stage.outputs.dynamodbUrl,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: stage.outputs.secretsUrl,
  });
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true, force: true });
});

/** A night, in this process, so that its calls can be counted. */
async function night(): Promise<string> {
  const { reconcile } = await import("#domain/payments/provider-events/reconcile.ts");
  const { providerLists } = await import("#domain/payments/provider/provider-lists.ts");
  const { moneyProvider } = await import("#domain/payments/provider/refund-calls.ts");
  const { systemContext } = await import("#kit/request/context.ts");
  await stage.settled();
  const asked = () =>
    calls.mock.calls.filter(([address]) => String(address).startsWith(stage.outputs.paymentsUrl)).length;
  const [before, askedBefore, begun] = [units, asked(), performance.now()];
  const context = systemContext("night", Date.now(), performance.now() + 900_000);
  const found = await reconcile({ ...providerLists, ...moneyProvider }, context);
  const spent = { read: units.read - before.read, write: units.write - before.write };
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  return `${JSON.stringify(found)}: ${spent.read} read and ${spent.write} write units, ${asked() - askedBefore} calls, ${seconds} s`;
}

async function books(): Promise<string> {
  const outputs = ["--stage-outputs", join(folder, "outputs.json")];
  const { stdout } = await promisify(execFile)(process.execPath, ["bin/start.mjs", "ops", "books", ...outputs], {
    maxBuffer: 10_000_000,
  });
  return stdout.trim();
}

test("nobody who paid in time loses the seat, and the books are equal", async () => {
  await stage.givenEvent({ id, capac: people, pricing: { members: 5, nonMembers: price / 100 } });
  stage.payments.holdBack();
  const emails = times(people, () => newEmail());
  await pMap(
    emails,
    async (email) => {
      expect((await stage.register(id, email)).status).toBe(201);
      stage.payments.pay((await stage.eventCheckout(id, email)).id);
    },
    { concurrency },
  );
  // Of some people the hold ends before the night.
  const early = emails.slice(0, Math.ceil(people / 10));
  await pMap(early, (email) => endHold(stage, id, email), { concurrency });
  await stage.invoke("Sweeper", {});
  await stage.settled();
  console.info(`The first night: ${await night()}`);
  await stage.settled();
  console.info(`The second night: ${await night()}`);

  const expectAll = async () => {
    await stage.settled();
    expect((await stage.countsOf(id)).registeredCount).toBe(people);
    const mails = emails.map((email) => stage.subjectsTo(email).filter((one) => one.startsWith("You're registered")));
    expect(mails.filter(({ length }) => length !== 1)).toEqual([]);
    expect(await books()).toContain(`Payments: ${people}, differences: 0.`);
  };
  await expectAll();
  await stage.payments.release({ reversed: true });
  await expectAll();
  expect(stage.deadLetters()).toEqual([]);
  console.info(await books());
}, 3_600_000);
