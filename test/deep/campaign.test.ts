/**
 * A mail to 2,000 people on a stage that is killed twice on the way: no recipient gets two mails, and each one without
 * a mail is listed as unconfirmed.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { localAssembly } from "../../tools/laptop/template/made-before.ts";
import { exec } from "../service/given.ts";
import { type Running, startKillable } from "./killable.ts";

const many = 2_000;

let directory: string;
let assembly: string;
let running: Running | undefined;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "campaign-"));
  assembly = await localAssembly({});
});
afterEach(() => running?.kill());
afterAll(() => rm(directory, { recursive: true, force: true }));

interface Progress {
  readonly state: string;
  readonly sent: number;
  readonly failed: number;
  readonly pending: number;
  readonly unconfirmed: number;
  readonly unconfirmedRecipients: readonly string[];
}

async function progressOf(stage: Running, id: string): Promise<Progress> {
  const { body } = await stage.api("GET", `/emails/campaigns/${id}`, exec);
  return body as unknown as Progress;
}

/** Waits until the progress meets the condition. @throws Error when it does not within five minutes */
async function until(stage: Running, id: string, isIt: (progress: Progress) => boolean): Promise<Progress> {
  const deadline = Date.now() + 300_000;
  for (;;) {
    const progress = await progressOf(stage, id);
    if (isIt(progress)) return progress;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify({ ...progress, unconfirmedRecipients: [] })}`);
    await setTimeout(50);
  }
}

test("a campaign goes on after each of two kills, without a second mail to any recipient", async () => {
  const emails = Array.from({ length: many }, (_, n) => `p${n}@campaign.example`);
  running = await startKillable(assembly, directory);
  const template = {
    templateName: "Message",
    subject: "Message for {{ email }}",
    html: "<p>{{ email }}</p>",
    text: "",
  };
  expect(await running.api("POST", "/emails/templates", exec, template)).toMatchObject({ status: 201 });
  const asked = performance.now();
  const { status, body } = await running.api("POST", "/emails/send", exec, {
    templateName: "Message",
    audience: { emails },
  });
  const answered = performance.now() - asked;
  expect({ status, recipients: body.recipients }).toEqual({ status: 202, recipients: many });
  const id = String(body.campaignId);

  const seen: number[] = [];
  for (const share of [0.3, 0.6]) {
    const { sent } = await until(running, id, (progress) => progress.sent >= many * share);
    expect(sent).toBeLessThan(many);
    seen.push(sent);
    await running.kill();
    running = await startKillable(assembly, directory);
  }

  // A recipient whose mail was under way at a kill stays claimed until the lease of a minute ends. Batches come again
  // by themselves.
  const last = await until(running, id, ({ state }) => state === "done");
  expect(await running.settled()).toEqual([]);
  const { emails: mails } = (await (await fetch(`${running.outputs.mailUrl}/store`)).json()) as {
    emails: { destination: { to: string[] } }[];
  };
  const times = new Map<string, number>();
  for (const { destination } of mails) {
    const to = destination.to.join().replace(/^.*<|>.*$/g, "");
    times.set(to, (times.get(to) ?? 0) + 1);
  }
  const twice = [...times.values()].filter((count) => count > 1).length;
  const without = emails.filter((email) => !times.has(email));
  const delivered = last.unconfirmedRecipients.filter((email) => times.has(email)).length;
  console.log(
    `campaign: answered in ${answered.toFixed(0)} ms; killed at ${seen.join(" and ")} of ${many}; ` +
      `${times.size} got it, ${twice} twice, ${last.sent} noted as sent, ${last.unconfirmed} unconfirmed (${delivered} of them got it)`,
  );
  expect(twice).toBe(0);
  expect(last).toMatchObject({ failed: 0, pending: 0, sent: many - last.unconfirmed });
  // Each recipient without a mail is listed. In doubt are only the recipients whose mails were under way at the two
  // kills.
  expect(last.unconfirmedRecipients).toEqual(expect.arrayContaining(without));
  expect(times.size).toBe(last.sent + delivered);
  expect(last.unconfirmed).toBeLessThanOrEqual(2 * 2);
}, 600_000);
