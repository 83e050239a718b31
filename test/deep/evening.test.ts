/**
 * An event from its opening to the feedback, as people live it: a rush, a line, reminders, seats that are given back by link
 * and go to the next in line, the door, and the morning after. The stage is in disorder: the stream has several shards, and
 * stream, queues and bus bring some things twice (`docs/design.md`, "Messages and consumers"). `DISORDER=<seed>` is another
 * disorder.
 */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { SQSEvent } from "aws-lambda";
import { exec, people, times, year } from "../service/given.ts";
import { registerSurely, storedOf, tally } from "../service/rush.ts";
import { givenStage, type ServiceStage } from "../service/stage.ts";

const hour = 3_600_000;
/** A person who waited for a minute is told of the line. */
const seated = /^(?:You're registered|A seat for you): /;
const isoIn = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();
const [capac, rush, leavers] = [96, 192, 24];
const newcomers = people(rush, "evening");

const disorder = Number(process.env.DISORDER ?? 1);

let stage: ServiceStage;
beforeAll(async () => {
  stage = await givenStage({ disorder });
});
afterAll(() => stage.close());

/** Waits until each of these people has a mail of this kind; a busy machine delivers some later. */
async function untilMailed(emails: readonly string[], subject: RegExp): Promise<void> {
  const missing = () => emails.filter((email) => !stage.subjectsTo(email).some((one) => subject.test(one)));
  for (const end = Date.now() + 240_000; missing().length > 0 && Date.now() < end; ) {
    await stage.settled();
    if (missing().length > 0) await pause(500);
  }
  expect([subject.source, missing().map((email) => [email, stage.subjectsTo(email)])]).toEqual([subject.source, []]);
}

async function sweep(): Promise<void> {
  await stage.settled();
  await stage.indexed();
  await stage.invoke("Sweeper", {});
  await stage.settled();
}

/** What the page of the last such mail asks the service. */
function byLink(email: string, subject: RegExp, method: string, path: string, body?: object) {
  const mail = stage.mailsTo(email).findLast((one) => subject.test(one.subject));
  const [, secret = ""] = /registration\/#(L1\.[A-Z2-7]+)/.exec(mail?.body.text ?? "") ?? [];
  return stage.api(method, path, { headers: { authorization: `Link ${secret}` }, ...(body && { body }) });
}

/**
 * Notes each state of the seats from the moment on at which all are taken. A seat that goes straight to the next in line
 * changes no count, so the table's stream has nothing of it.
 */
function watchSeats(id: string): number[] {
  const states: number[] = [];
  stage.engine.stream.onAppend((records) => {
    for (const { dynamodb } of records) {
      if (dynamodb.Keys.PK?.S !== `SEAT#${id}#${year}#00`) continue;
      const seats = Number(dynamodb.NewImage?.seats?.N);
      if (states.length > 0 || seats === capac) states.push(seats);
    }
  });
  return states;
}

test("no seat is wasted, each mail comes once, and the numbers are those of the table", async () => {
  await Promise.all(newcomers.map((email) => stage.tokenFor(email)));
  const opensAt = Date.now() + 1_500;
  const id = await stage.givenEvent({
    ...{ capac, opensAt: new Date(opensAt).toISOString(), startDate: isoIn(20 * hour) },
    attendeeFeedbackEnabled: true,
  });
  const states = watchSeats(id);
  const early = await stage.register(id, newcomers[0] as string);
  if (Date.now() < opensAt) expect(early.body).toMatchObject({ code: "NOT_OPEN_YET" });
  await pause(Math.max(0, opensAt - Date.now()));
  const answers = await Promise.all(newcomers.slice(1).map((email) => registerSurely(stage, id, email)));
  if (early.status !== 201) answers.push(await registerSurely(stage, id, newcomers[0] as string));
  expect(tally(answers.filter(({ status }) => status !== 201))).toEqual({});
  await stage.settled();
  const opened = await storedOf(stage, id);
  expect([opened.seats.seats, opened.registered.length, opened.waiting.length]).toEqual([capac, capac, rush - capac]);

  await sweep();
  await sweep();
  await untilMailed(opened.registered, /^Reminder: /);
  for (const email of opened.waiting) expect(stage.subjectsTo(email).join()).not.toContain("Reminder");
  const leaving = opened.registered.slice(0, leavers);
  const coming = opened.registered.slice(leavers);
  // Pressing the button again after an error of the gateway changes nothing more.
  const ask = async (email: string, body: object, tries = 3): ReturnType<typeof byLink> => {
    const answer = await byLink(email, /^Reminder: /, "PUT", "/links/registration", body);
    return answer.status >= 500 && tries > 0 ? ask(email, body, tries - 1) : answer;
  };
  const asked = await Promise.all([
    ...leaving.map((email) => ask(email, { registrationStatus: "cancelled", seenStatus: "registered" })),
    ...coming.map((email) => ask(email, { coming: true, seenStatus: "registered" })),
  ]);
  expect(tally(asked.filter(({ status }) => status !== 200))).toEqual({});
  await stage.settled();
  const freed = await storedOf(stage, id);
  const promoted = freed.registered.filter((email) => !coming.includes(email));
  expect(new Set(states)).toEqual(new Set([capac]));
  expect([freed.seats.seats, freed.waiting.length]).toEqual([capac, rush - capac - leavers]);
  // The line of before, in its order.
  expect(promoted.toSorted()).toEqual(
    opened.line
      .slice(0, leavers)
      .map(({ email }) => email)
      .toSorted(),
  );
  await untilMailed(promoted, seated);

  const [absent, ...present] = freed.registered;
  const scans = await Promise.all(
    present.map(async (email) => {
      const subject = promoted.includes(email) ? seated : /^Reminder: /;
      const { body } = await byLink(email, subject, "GET", "/links/registration");
      const code = body.registration.ticketCode;
      return stage.api("POST", "/registrations/check-in", { as: exec, body: { code, eventID: id, year } });
    }),
  );
  expect(tally(scans)).toEqual({ "200 Checked in.": present.length });

  await stage.changeEvent(id, { opensAt: null, startDate: isoIn(-40 * hour) });
  await sweep();
  await sweep();
  await untilMailed(present, /^How was it\? /);
  const feedback = { responses: { "overall-rating": 8 } };
  const given = await Promise.all(
    present.slice(0, 3).map((email) => byLink(email, /^How was it\? /, "POST", "/links/feedback", feedback)),
  );
  expect(given.map(({ status }) => status)).toEqual(times(3, () => 201));
  await stage.settled();
  await stage.indexed();
  const { body: report } = await stage.api("GET", `/events/${id}/${year}/report`, { as: exec });
  expect(report).toMatchObject({
    ...{ registered: capac, came: present.length, noShows: 1, waiting: rush - capac - leavers },
    ...{ cancelled: leavers, cancelledByLink: leavers, saidTheyCome: coming.length },
    ...{ feedback: { count: 3, mean: 8 }, money: { payments: 0, came: 0 } },
  });
  const sum = (counts: readonly { count: number }[]) => counts.reduce((total, { count }) => total + count, 0);
  expect([sum(report.registrationsByDay), sum(report.checkIns)]).toEqual([rush, present.length]);
  expect(stage.subjectsTo(absent as string).join()).not.toContain("How was it?");
  for (const email of newcomers) {
    const subjects = stage.subjectsTo(email);
    const twice = subjects.length - new Set(subjects).size;
    // A mail that the mail service has not confirmed in time is sent again, and its marker says so.
    const markers = twice === 0 ? [] : ((await stage.stored(`SENT#mail#${email}`)) as unknown as { tries: number }[]);
    const tries = markers.reduce((more, marker) => more + marker.tries - 1, 0);
    expect([email, subjects, twice <= tries]).toEqual([email, subjects, true]);
  }
  expect(stage.deadLetters()).toEqual([]);
  // The relay has brought some rows to the bus twice.
  const sent = stage.logs.flatMap(({ text }) => /"event sent".*"outboxId":"(\w+)"/.exec(text)?.[1] ?? []);
  expect(new Set(sent).size).toBeLessThan(sent.length);
}, 900_000);

test("a consumer that does not note what it has sent would send twice", async () => {
  const sent: string[] = [];
  const Mail = async ({ Records }: SQSEvent) => {
    sent.push(...Records.map(({ body }) => JSON.parse(body).detail.metadata.id as string));
    return { batchItemFailures: [] };
  };
  const careless = await givenStage({ disorder, standIns: { Mail, Chat: async () => ({ batchItemFailures: [] }) } });
  await careless.givenEventWith(people(10, "guest"), { id: "dinner" });
  await careless.settled();
  await careless.close();
  expect(new Set(sent).size).toBe(10);
  expect(sent.length).toBeGreaterThan(10);
});
