/** The kept count of a long line is right after the last message, however often, late and disordered messages come. */
import "./environment.ts";
import { QueryCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { ulid } from "ulid";
import { MemoryTable } from "../model/table.ts";

const { client } = await import("#kit/table.ts");
const { Contended } = await import("#kit/errors.ts");
const { seam } = await import("#kit/seam.ts");
const { joinLine, readLineEnd } = await import("#domain/capacity/line.ts");
const { keptCountKey, putEmptyCount, readKeptCount } = await import("#domain/registrations/line/kept-count.ts");
const { recountLine } = await import("#domain/registrations/line/recount.ts");
const { waitingIn } = await import("#domain/registrations/line/waiting.ts");

const event = { id: "gala", year: 2030 };
const begin = Date.parse("2030-01-01T00:00:00Z");
const generation = ulid(begin);
const noHurry = { deadline: Number.POSITIVE_INFINITY };

/** A line with a clock of its own. Each change is a message that has to be delivered. */
class Line {
  readonly table = new MemoryTable();
  now = begin + 1_000;
  wholeCounts = 0;
  waiting: string[] = [];
  readonly messages: { readonly sentAt: number; readonly by: 1 | -1 }[] = [];
  /** Runs while a count is on its way, after DynamoDB has counted. */
  meanwhile: () => void = () => undefined;
  /** Changes the write of a count, or lets it wait. */
  mutate: (command: UpdateCommand) => Promise<void> | void = () => undefined;
  #joined = 0;

  constructor() {
    jest.spyOn(Date, "now").mockImplementation(() => this.now);
    jest.spyOn(seam, "pause").mockImplementation(async (milliseconds) => {
      this.now += milliseconds;
    });
    this.table.seed(putEmptyCount(event, generation, begin).Put?.Item as never);
    jest.spyOn(client, "send").mockImplementation((async (command: unknown) => {
      if (command instanceof UpdateCommand) await this.mutate(command);
      const answer = this.table.execute(command, () => 0);
      if (command instanceof QueryCommand && command.input.Select === "COUNT") {
        this.wholeCounts += 1;
        this.meanwhile();
      }
      return answer;
    }) as never);
  }

  join(of = generation): void {
    this.#joined += 1;
    const queueKey = `${this.now}#${String(this.#joined).padStart(26, "0")}`;
    const place = { email: `${queueKey}@x`, queueKey, choices: {}, isPartner: false, fname: "Ada", version: 1 };
    this.table.seed(joinLine(event, { ...place, generation: of }).Put?.Item as never);
    if (of !== generation) return;
    this.waiting.push(queueKey);
    this.messages.push({ sentAt: this.now + 200, by: 1 });
  }

  leave(): void {
    const SK = this.waiting.shift();
    if (SK === undefined) return;
    const Delete = { TableName: "Unit", Key: { PK: "WAIT#gala#2030", SK } };
    this.table.remove(Delete.Key);
    this.messages.push({ sentAt: this.now + 200, by: -1 });
  }

  deliver(message: { readonly sentAt: number } | undefined): Promise<void> {
    if (!message) return Promise.resolve();
    this.now = Math.max(this.now, message.sentAt);
    return recountLine({ event, generation, sentAt: message.sentAt }, noHurry);
  }

  /** The number that a reader is told. */
  async told(): Promise<number | undefined> {
    return waitingIn(await readLineEnd(event), await readKeptCount(event, "eventual"), generation);
  }
}

afterEach(() => void jest.restoreAllMocks());

type Step = { readonly do: "join" | "leave" | "deliver" | "wait"; readonly n: number };
const steps = fc.array(
  fc.record({ do: fc.constantFrom<Step["do"]>("join", "leave", "deliver", "wait"), n: fc.nat(40) }),
  { maxLength: 25 },
);

/** Plays a story, then delivers every message in another order, every third one twice. @returns told and true number */
async function play(story: readonly Step[], during: readonly Step[], mutant?: (line: Line) => void) {
  const line = new Line();
  for (let n = 0; n < 25; n += 1) line.join();
  const change = ({ do: what, n }: Step) => {
    for (let times = 0; times <= n % 12; times += 1) {
      if (what === "join") line.join();
      if (what === "leave") line.leave();
    }
  };
  const left = [...during];
  line.meanwhile = () => {
    const step = left.pop();
    if (step) change(step);
  };
  mutant?.(line);
  for (const step of story) {
    change(step);
    line.now += step.n * 50;
    if (step.do === "deliver") await line.deliver(line.messages[step.n % line.messages.length]);
  }
  for (let at = 0; at < line.messages.length; at += 1) {
    const message = line.messages[(at * 7 + 3) % line.messages.length];
    await line.deliver(message);
    if (at % 3 === 0) await line.deliver(message);
  }
  // The order above may leave messages out, and changes may have come meanwhile.
  for (const message of line.messages) await line.deliver(message);
  return { told: await line.told(), waiting: line.waiting.length };
}

test("after the last message a reader is told the number of people who wait", async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, async (story, during) => {
      const { told, waiting } = await play(story, during);
      expect(told).toBe(waiting);
    }),
    { numRuns: 60 },
  );
});

test("a count that is added to instead of set is found out by a message that comes twice", async () => {
  const story: Step[] = [{ do: "join", n: 11 }];
  const adding = (line: Line) => {
    line.mutate = ({ input }) => {
      const before = Number(line.table.peek(keptCountKey(event) as never)?.waiting);
      const { ExpressionAttributeValues: values = {} } = input;
      values[":waiting"] = before === 0 ? line.waiting.length : before + 1;
    };
  };
  const { told, waiting } = await play(story, [{ do: "join", n: 3 }], adding);
  expect(told).not.toBe(waiting);
  expect(await play(story, [{ do: "join", n: 3 }])).toEqual({ told: waiting, waiting });
});

describe("two counts at once", () => {
  /** The first count is slow: before it is written, people leave, and a second count is written. */
  async function slowCount(mutate: (command: UpdateCommand) => void = () => undefined) {
    const line = new Line();
    for (let n = 0; n < 80; n += 1) line.join();
    const [first] = line.messages;
    let second: Promise<void> | undefined;
    line.meanwhile = () => {
      line.meanwhile = () => undefined;
      for (let n = 0; n < 30; n += 1) line.leave();
      second = line.deliver(line.messages.at(-1));
    };
    let isFirst = true;
    line.mutate = async (command) => {
      mutate(command);
      if (!isFirst || command.input.ExpressionAttributeValues?.[":waiting"] !== 80) return;
      isFirst = false;
      await second;
    };
    await line.deliver(first);
    return line;
  }

  test("leave the later one", async () => {
    const line = await slowCount();
    expect(await line.told()).toBe(50);
  });

  test("without the condition leave the earlier one", async () => {
    const line = await slowCount(({ input }) => {
      input.ConditionExpression = undefined;
      delete input.ExpressionAttributeValues?.[":of"];
      delete input.ExpressionAttributeValues?.[":before"];
    });
    expect(await line.told()).toBe(80);
  });
});

describe("the cost", () => {
  const crowd = () => {
    const line = new Line();
    for (let n = 0; n < 400; n += 1) {
      line.join();
      line.now += 2;
    }
    return line;
  };

  test("of 400 people who join at once is a few counts", async () => {
    const line = crowd();
    for (const message of line.messages) await line.deliver(message);
    expect(line.wholeCounts).toBeLessThanOrEqual(3);
    expect(await line.told()).toBe(400);
  });

  test("would be a count for each, if no count said when it began", async () => {
    const line = crowd();
    for (const _ of line.messages) await recountLine({ event, generation, sentAt: undefined }, noHurry);
    expect(line.wholeCounts).toBe(400);
  });

  test("of a short line has no write", async () => {
    const line = new Line();
    let writes = 0;
    line.mutate = () => {
      writes += 1;
    };
    for (let n = 0; n < 30; n += 1) line.join();
    for (const message of line.messages) await line.deliver(message);
    expect(writes).toBe(0);
    line.join();
    await line.deliver(line.messages.at(-1));
    expect(writes).toBe(1);
  });
});

test("a line that an earlier build has filled is counted with the first message", async () => {
  const line = new Line();
  line.table.remove(keptCountKey(event) as never);
  for (let n = 0; n < 40; n += 1) line.join();
  expect(await line.told()).toBeUndefined();
  await line.deliver(line.messages[0]);
  expect(await line.told()).toBe(40);
});

test("places of an earlier generation do not count, and a message about it changes nothing", async () => {
  const line = new Line();
  const earlier = ulid(begin - 60_000);
  line.now = begin - 30_000;
  for (let n = 0; n < 200; n += 1) line.join(earlier);
  line.now = begin + 1_000;
  for (let n = 0; n < 5; n += 1) line.join();
  expect(await line.told()).toBe(5);
  for (let n = 0; n < 35; n += 1) line.join();
  expect(await line.told()).toBe(31);
  await line.deliver(line.messages.at(-1));
  expect(await line.told()).toBe(40);
  await recountLine({ event, generation: earlier, sentAt: undefined }, noHurry);
  expect(await line.told()).toBe(40);
});

test("a message whose time is over comes again", async () => {
  const line = new Line();
  for (let n = 0; n < 40; n += 1) line.join();
  await line.deliver(line.messages[0]);
  line.join();
  const late = { deadline: performance.now() - 1 };
  const change = { event, generation, sentAt: line.messages.at(-1)?.sentAt };
  await expect(recountLine(change, late)).rejects.toThrow(Contended);
});
