/** The stage is killed in the middle of a rush and started again: nothing that was answered is lost, nobody is told twice. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import type { StageOutputs } from "../../lib/local/outputs.ts";
import { localAssembly } from "../service/stage.ts";
import { type Running, startKillable } from "./killable.ts";

const exec = "exec@club.example";
const year = 2030;

let directory: string;
let assembly: string;
let running: Running | undefined;
afterEach(() => running?.kill());
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "kill-"));
  assembly = await localAssembly({});
});
afterAll(() => rm(directory, { recursive: true, force: true }));

type Item = Record<string, unknown> & { readonly PK: string; readonly SK: string };

async function everything({ dynamodbUrl, region, tableName }: StageOutputs): Promise<Item[]> {
  const client = new DynamoDBClient({
    region,
    endpoint: dynamodbUrl,
    credentials: { accessKeyId: "LOCALTest", secretAccessKey: "local" },
  });
  const items: Item[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page: { Items?: unknown[]; LastEvaluatedKey?: Record<string, unknown> } = await DynamoDBDocumentClient.from(
      client,
    ).send(new ScanCommand({ TableName: tableName, ConsistentRead: true, ExclusiveStartKey }));
    items.push(...((page.Items ?? []) as Item[]));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  client.destroy();
  return items;
}

/** Chat is told at most once: what was under way when the stage died is given up. */
const isBeingMailed = ({ PK, state }: Item): boolean =>
  /^SENT#.*#mail#/.test(PK) && (state === "claimed" || state === "released");

test.each([1, 2, 3])(
  "round %d",
  async (round) => {
    const id = `kill-${round}`;
    const people = Array.from({ length: 120 }, (_, n) => `r${round}p${n}@kill.example`);
    const first = await startKillable(assembly, directory);
    await first.api("POST", "/events", exec, { id, year, ename: "Kill", capac: 30, startDate: "2030-05-01T18:00" });
    const body = (email: string) => ({ eventID: id, year, email });
    const told = new Map<string, string>();
    let answered = 0;
    const dead = new Promise<void>((resolve) => {
      const rush = people.map(async (email, n) => {
        const { status, body: answer } = await first.api("POST", "/registrations", email, body(email));
        if (status === 201) told.set(email, String(answer.registrationStatus));
        answered += 1;
        if (answered === 60) void first.kill().then(resolve);
        if (n % 4 === 0)
          await first.api("DELETE", `/registrations/${email}`, email, body(email)).then(() => told.delete(email));
      });
      for (const one of rush) one.catch(() => undefined);
    });
    await dead;

    const second = await startKillable(assembly, directory);
    running = second;
    // What was being sent when the stage died is sent again when the lease on it has ended.
    const deadline = Date.now() + 150_000;
    let items: Item[] = [];
    do {
      expect(await second.settled()).toBe(0);
      await setTimeout(2_000);
      items = await everything(second.outputs);
    } while (items.some(isBeingMailed) && Date.now() < deadline);
    const ofEvent = items.filter((item) => item.SK === `REG#${id}#${year}`);
    const statusOf = (email: string) => ofEvent.find((item) => item.email === email)?.status;
    // Whoever was answered is in; those whose departure was under way may be gone.
    for (const [email, status] of told) {
      const now = statusOf(email);
      expect([status, "registered", "deleted"]).toContain(now);
      if (now === "deleted") expect(people.indexOf(email) % 4).toBe(0);
    }
    const seats = items.find((item) => item.PK === `SEAT#${id}#${year}#00`);
    const holders = ofEvent.filter(({ status }) => status === "registered").length;
    const waiting = ofEvent.filter(({ status }) => status === "waitlist").length;
    expect(seats?.seats).toBe(holders);
    expect(items.filter(({ PK }) => PK === `WAIT#${id}#${year}`)).toHaveLength(waiting);
    if (waiting > 0) expect(holders).toBe(30);

    // Every notice was sent or superseded, and no mail was sent twice.
    const notices = items.filter(
      ({ PK, detail }) =>
        PK.startsWith("OUT#") &&
        (detail as { data: { eventID?: string; notice?: string } }).data.eventID === id &&
        (detail as { data: { notice?: string } }).data.notice !== undefined,
    );
    const markers = new Map(
      items.filter(({ PK }) => PK.startsWith("SENT#")).map((item) => [item.PK, String(item.state)]),
    );
    expect(notices.length).toBeGreaterThan(60);
    const sent: string[] = [];
    for (const { SK, detail } of notices) {
      const { email } = (detail as { data: { email: string } }).data;
      const state = markers.get(`SENT#${SK}#mail#${email}`);
      expect(["sent", "superseded"]).toContain(state);
      if (state === "sent") sent.push(SK);
    }
    const { emails } = (await (await fetch(`${second.outputs.mailUrl}/store`)).json()) as {
      emails: { destination: { to: string[] } }[];
    };
    const mailed = emails.filter(({ destination }) => destination.to.some((to) => to.includes(`r${round}p`)));
    // At most one batch is between sending and saying so when the stage dies: the only window in which a mail comes twice.
    expect(mailed.length).toBeGreaterThanOrEqual(sent.length);
    expect(mailed.length - sent.length).toBeLessThanOrEqual(2);
  },
  300_000,
);
