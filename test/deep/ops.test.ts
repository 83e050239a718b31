/**
 * `npm run ops -- check` and `repair` on a table of 100,000 items, in a process of their own. The figures are printed.
 * Damage is spread over the table, and all of it is found and repaired.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { marshall } from "@aws-sdk/util-dynamodb";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { exec, times, year } from "../service/given.ts";
import { operatorOf } from "../service/operator.ts";
import { givenStage, type ServiceStage, withoutRelay } from "../service/stage.ts";
import { seatsKey, vandal } from "./damage.ts";

const events = 100;
/** Of the heap. The whole table would need several times as much. */
const mostMegabytes = 64;
/** Registrations of an event: each is a registration and a person in the list of users. */
const people = 480;

let stage: ServiceStage;
let operator: Awaited<ReturnType<typeof operatorOf>>;
beforeAll(async () => {
  stage = await givenStage({ standIns: withoutRelay });
  operator = await operatorOf(stage);
});
afterAll(async () => {
  await stage.close();
  await operator.close();
});

interface Item {
  readonly PK: string;
  readonly SK: string;
}

const emailOf = (event: number, person: number): string => `p${person}.e${event}@student.example`;
const nameOf = (event: number): string => `e${event}`;

/** The items of an event with its people, made by the stores' own members. */
async function itemsOf(event: number): Promise<Item[]> {
  const { putRegistration } = await import("#domain/registrations/store/store.ts");
  const { putNewUser } = await import("#domain/people/users/store.ts");
  const [stored] = await stage.stored(`EVENT#${nameOf(event)}#${year}`);
  const { generation } = stored as { generation: string };
  const now = Date.now();
  const items = times(people, (person) => {
    const email = emailOf(event, person);
    const ticketId = `t-${event}-${person}`;
    const registration = {
      email,
      ...{ eventID: nameOf(event), year, status: "registered" as const, fname: "P", basicInformation: {} },
      ...{ dynamicResponses: {}, choices: {}, isPartner: false, points: 0, queueKey: `${now}#${person}`, generation },
      ...{ version: 1, noticeVersion: 1, ticketId, calendarUid: ticketId, createdAt: now, updatedAt: now },
    };
    const user = { email, admin: false, isMember: false, favEvents: [], createdAt: now, updatedAt: now };
    return [putRegistration(registration, undefined).Put?.Item, putNewUser(user).Put?.Item] as unknown as Item[];
  });
  return items.flat();
}

async function fill(): Promise<void> {
  for (let event = 0; event < events; event += 1) {
    const body = {
      id: nameOf(event),
      year,
      ename: "E",
      isPublished: true,
      capac: people + 10,
      startDate: `${year}-05-01T18:00:00Z`,
    };
    expect((await stage.api("POST", "/events", { as: exec, body })).status).toBe(201);
    const items = await itemsOf(event);
    await stage.engine.load(
      stage.outputs.tableName,
      items.map((item) => marshall(item)),
    );
    await vandal(stage).set(seatsKey(nameOf(event)), { seats: people, registered: people });
  }
}

const run = promisify(execFile);

async function ops(...args: string[]) {
  // How much memory a process takes depends on how busy the machine is, because V8 collects garbage when it has time.
  // A process that needs more than this dies.
  const env = { ...process.env, NODE_OPTIONS: `--max-old-space-size=${mostMegabytes}` };
  const words = ["bin/start.mjs", "ops", ...args, "--stage-outputs", operator.file];
  const ended = await run(process.execPath, words, { env, maxBuffer: 64e6 }).catch(
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
  const { stdout, stderr } = ended;
  const cost = stderr.split("\n").find((line) => line.includes("MB of memory")) ?? "";
  console.info(`${args.join(" ")}: ${cost}\n${stdout.split("\n").slice(-8).join("\n")}`);
  return { code: "code" in ended ? ended.code : 0, stdout };
}

test("a hundred thousand items are checked and repaired in little memory", async () => {
  await fill();
  const healthy = await ops("check");
  expect(healthy).toMatchObject({ code: 0, stdout: expect.stringContaining("Nothing is wrong.") });
  expect(healthy.stdout).toMatch(/Looked at (?:9[5-9]|1\d\d),\d{3} items/);

  const { put, set } = vandal(stage);
  const expiresAt = Date.now() + 3_600_000;
  for (let event = 0; event < events; event += 10) {
    const of = { id: nameOf(event), year };
    const email = emailOf(event, 7);
    await put({ PK: "HOLD", SK: `${expiresAt}#${of.id}#${year}#${email}`, email, event: of, expiresAt });
    await set(seatsKey(nameOf(event)), { seats: 5 });
    await set({ PK: `USER#${emailOf(event, 9)}`, SK: `REG#${nameOf(event)}#${year}` }, { holdExpiresAt: expiresAt });
  }
  const damaged = await ops("check");
  expect(damaged.code).toBe(1);
  for (const kind of ["hold of no person", "other counts", "hold on a paid seat"])
    expect(damaged.stdout).toContain(`10 x ${kind}`);
  expect(await ops("repair", "--apply")).toMatchObject({ code: 0, stdout: expect.stringContaining("30 repaired") });
  expect((await ops("check", "--rate", "5000")).code).toBe(0);
  expect((await ops("who", emailOf(1, 1))).code).toBe(0);
}, 1_800_000);
