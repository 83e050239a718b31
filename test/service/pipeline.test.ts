import { afterEach, expect, jest, test } from "@jest/globals";
import type { SQSEvent } from "aws-lambda";
import { fakeClock } from "../unit/local-time.ts";
import { exec, user, year } from "./given.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const close of open.splice(0).reverse()) await close();
});

interface BusEvent {
  readonly "detail-type": string;
  readonly detail: { readonly metadata: { readonly id: string }; readonly data: Record<string, unknown> };
}

const eventsOf = ({ Records }: SQSEvent): BusEvent[] => Records.map(({ body }) => JSON.parse(body));

/** A consumer that records its batches, and fails at the first `failures` of them. */
function spy(failures = 0) {
  const heard: BusEvent[][] = [];
  const consume = async (event: SQSEvent): Promise<unknown> => {
    heard.push(eventsOf(event));
    if (heard.length <= failures) throw new Error("not today");
    return { batchItemFailures: [] };
  };
  return { heard, consume };
}

const silent = { Mail: spy().consume, Chat: spy().consume, Promoter: spy().consume };

/** Without disorder: these tests count deliveries, also of messages that fail. */
async function givenPipeline(options: Parameters<typeof givenStage>[0] = {}): Promise<ServiceStage> {
  const stage = await givenStage({
    quiet: true,
    disorder: undefined,
    ...options,
    standIns: { ...silent, ...options.standIns },
  });
  open.push(() => stage.close());
  return stage;
}

const gala = { id: "gala", ename: "Gala", capac: 1 };

test("each message of a registration reaches its consumers once, in the form of the catalogue", async () => {
  const [mail, chat, promoter] = [spy(), spy(), spy()];
  const stage = await givenPipeline({
    standIns: { Mail: mail.consume, Chat: chat.consume, Promoter: promoter.consume },
  });
  await stage.givenEventWith([user, "late@student.example"], gala);
  await stage.settled();

  const ulid = /^[0-9A-HJKMNP-TV-Z]{26}$/;
  const [registered] = mail.heard.flat();
  expect(registered).toEqual({
    version: "0",
    id: expect.any(String),
    account: "000000000000",
    region: "us-west-2",
    resources: [],
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    source: "club.events",
    "detail-type": "registration.registered",
    detail: {
      metadata: {
        id: expect.stringMatching(ulid),
        version: 1,
        occurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        actor: exec,
        correlationId: expect.any(String),
      },
      data: expect.objectContaining({ eventID: "gala", year, email: user, notice: "registered", version: 1 }),
    },
  });
  const types = (heard: BusEvent[][]) => heard.flat().map((one) => one["detail-type"]);
  expect(types(mail.heard)).toEqual(["registration.registered", "registration.waitlisted"]);
  expect(types(chat.heard)).toEqual(["registration.registered", "registration.waitlisted"]);
  expect(types(promoter.heard)).toEqual(["registration.waitlisted"]);
  expect(stage.deadLetters()).toEqual([]);
});

test("a mail that its consumer fails at is tried 72 times more, one every hour, and then is a dead letter", async () => {
  const mail = spy(Number.POSITIVE_INFINITY);
  const clock = fakeClock();
  const stage = await givenPipeline({ clock, standIns: { Mail: mail.consume } });
  await stage.givenEventWith([user], gala);
  await stage.settled();
  const pass = async (minutes: number) => {
    clock.advance(minutes * 60_000);
    await stage.settled();
  };
  // The fifth failure moves it to the queue of later tries, where it is tried at once.
  for (let tries = 1; tries <= 5; tries += 1) {
    expect(mail.heard).toHaveLength(tries);
    await pass(3);
  }
  for (let tries = 6; tries <= 5 + 72; tries += 1) {
    expect(mail.heard).toHaveLength(tries);
    expect(stage.deadLetters()).toEqual([]);
    await pass(59);
    expect(mail.heard).toHaveLength(tries);
    await pass(1);
  }
  expect(mail.heard).toHaveLength(5 + 72);
  expect(stage.deadLetters()).toEqual([{ queue: "MailFailures", body: mail.heard[0]?.[0], attributes: {} }]);
});

test("with the real functions a registration sends one mail with a ticket and one chat message", async () => {
  const stage = await givenStage({ quiet: true });
  open.push(() => stage.close());
  const id = await stage.givenEvent(gala);
  await stage.register(id, user);
  await stage.settled();
  expect(stage.mailbox.list().map(({ destination, subject }) => [destination.to, subject])).toEqual([
    [[user], expect.stringContaining("Gala")],
  ]);
  expect(stage.chat.list()).toHaveLength(1);
  expect(stage.deadLetters()).toEqual([]);
});
