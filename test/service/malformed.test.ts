/** A message that no try can handle is a dead letter at once, and not after five tries and three days of later ones. */
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { consumers } from "#consumers/functions.ts";
import { idOf } from "../../lib/resources.ts";
import { fakeClock } from "../unit/local-time.ts";
import { givenStage } from "./stage.ts";

const minute = 60_000;
const names = Object.entries(consumers).map(([name, declared]) => idOf(name, declared));

const metadata = { id: "m", version: 1, occurredAt: "2030-01-01T00:00:00Z", actor: "system", correlationId: "r" };
const event = { "detail-type": "registration.registered", detail: { metadata, data: {} } };
/** Each is wrong for every consumer. */
const malformed = {
  "does not parse": "{",
  "is no message": JSON.stringify({ hello: "world" }),
  "is for no consumer": JSON.stringify({ ...event, "detail-type": "no.such" }),
  "lacks its data": JSON.stringify(event),
  "has an unknown version": JSON.stringify({
    ...event,
    detail: { ...event.detail, metadata: { ...metadata, version: 2 } },
  }),
};

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** @param refused whether the function of mails lacks the right to put messages into dead-letter queues */
async function givenQueues(refused = false) {
  const clock = fakeClock();
  const runs: string[] = [];
  const stage = await givenStage({
    quiet: true,
    disorder: undefined,
    schedules: false,
    clock,
    onInvoked: (name) => void runs.push(name),
    withheld: (name, { action }) => refused && name === "Mail" && action === "sqs:SendMessage",
  });
  open.push(() => stage.close());
  const pass = async (minutes: number): Promise<void> => {
    clock.advance(minutes * minute);
    await stage.settled();
  };
  /** So many reasons of the logs. A line may arrive after the function has ended. */
  const reasons = async (count: number): Promise<string[]> => {
    for (const deadline = Date.now() + 5_000; ; await pause(20)) {
      const lines = stage.logs.filter(({ text }) => text.includes('"message is not understood"'));
      if (lines.length >= count || Date.now() > deadline) return lines.map(({ text }) => JSON.parse(text).reason);
    }
  };
  return { stage, runs, pass, reasons };
}

test("each consumer makes a dead letter of it in one run, says why, and nothing comes again", async () => {
  const { stage, runs, pass, reasons } = await givenQueues();
  const bodies = Object.values(malformed);
  for (const name of names) for (const body of bodies) stage.giveUp(`${name}Queue`, body);
  await stage.settled();
  const letters = stage.deadLetters();
  for (const name of names) {
    const own = letters.filter(({ queue }) => queue === `${name}Failures`).map(({ body }) => body);
    expect([name, own.length]).toEqual([name, bodies.length]);
    expect(own).toContain("{");
  }
  expect(letters).toHaveLength(names.length * bodies.length);
  const before = runs.length;
  for (let hour = 0; hour < 80; hour += 1) await pass(60);
  expect(runs.slice(before)).toEqual([]);
  const said = await reasons(letters.length);
  expect(said).toHaveLength(letters.length);
  expect(said).toEqual(
    expect.arrayContaining(["not JSON", "not for this consumer", "/detail/metadata/version/: const"]),
  );
});

test("one that waits for a later try goes too", async () => {
  const { stage } = await givenQueues();
  stage.giveUp("MailLater", malformed["lacks its data"]);
  await stage.settled();
  expect(stage.deadLetters().map(({ queue }) => queue)).toEqual(["MailFailures"]);
});

test("control: when the dead-letter queue takes no message, it waits for all tries, and the log names the right", async () => {
  const { stage, runs, pass } = await givenQueues(true);
  stage.giveUp("MailQueue", malformed["does not parse"]);
  await stage.settled();
  for (let tries = 0; tries < 5; tries += 1) await pass(3);
  for (let hour = 0; hour < 71; hour += 1) await pass(60);
  expect([stage.deadLetters(), runs.filter((name) => name === "Mail").length]).toEqual([[], 5 + 72]);
  await pass(60);
  expect(stage.deadLetters().map(({ queue }) => queue)).toEqual(["MailFailures"]);
  expect(stage.logs.some(({ text }) => text.includes('"refused":"sqs:SendMessage"'))).toBe(true);
});
