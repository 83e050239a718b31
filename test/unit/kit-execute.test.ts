/** `execute` on a clock of its own: a pause moves that clock and takes no real time. */
import { IdempotentParameterMismatchException } from "@aws-sdk/client-dynamodb";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { Decision, Operation } from "#kit/table/execute.ts";
import type { Transaction } from "#kit/table/table.ts";
import { cancelled, inProgress, refusedBy, sent, table, throttled, transactWrite, unanswered } from "./mocked-table.ts";

let now = 0;
let pauses = 0;
jest.unstable_mockModule("node:timers/promises", () => ({
  setTimeout: async (milliseconds: number) => {
    pauses += 1;
    now += milliseconds;
  },
}));
const { Conflict, UnknownOutcome } = await import("#kit/table/conflict.ts");
const { Contended } = await import("#kit/errors.ts");
const { afterCommit, answer, execute, followUp, readAgain, write } = await import("#kit/table/execute.ts");

const deadline = 15_000;
/** The duration of each call to the table, in milliseconds. */
let callTakes = 0;

beforeEach(() => {
  now = 0;
  pauses = 0;
  callTakes = 0;
  table.reset();
  jest.spyOn(performance, "now").mockImplementation(() => now);
  jest.spyOn(Math, "random").mockReturnValue(0.5);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** The table's answers to the transactions in turn. The last answer is repeated. */
function givenAnswers(...answers: (Error | "committed")[]): void {
  let calls = 0;
  table.on(transactWrite).callsFake(() => {
    const given = answers[Math.min(calls, answers.length - 1)];
    calls += 1;
    now += callTakes;
    if (given instanceof Error) throw given;
    return {};
  });
}

const conflict = cancelled("TransactionConflict");
const conditionFailed = refusedBy({ PK: "a", SK: "a", seats: 7 });

/** A member with the number of the read, so that decisions on different reads are different transactions. */
const members = (read: number) => ({
  seats: { Put: { TableName: "Unit", Item: { PK: "a", SK: "a", read } } },
  message: { Put: { TableName: "Unit", Item: { PK: "b", SK: "b" } } },
});
const readsSent = () => sent.transactions().map(({ TransactItems }) => TransactItems?.[0]?.Put?.Item?.read);
const tokens = () => sent.transactions().map(({ ClientRequestToken }) => ClientRequestToken);

interface Facts {
  /** The first read has the number 1. */
  readonly read: number;
  readonly learned: unknown;
}

/** An operation with the given decision. It notes what each read had learned. */
function operation<A>(decide: (facts: Facts) => Decision<A, unknown>) {
  const reads: Pick<Facts, "learned">[] = [];
  const it: Operation<Facts, A, unknown> = {
    read: async (learned) => {
      reads.push({ learned });
      return { read: reads.length, learned };
    },
    decide,
  };
  return { reads, run: () => execute(it, { deadline }) };
}
const writing = () => operation(({ read }) => write(members(read), `written on read ${read}`));
const failureOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

test("a decision to read again makes pauses from the sixth read on, and ends at the deadline as `CONTENDED`", async () => {
  const { reads, run } = operation<string>(() => {
    now += 1_000;
    return readAgain;
  });
  await expect(run()).rejects.toBeInstanceOf(Contended);
  expect(reads.length).toBeLessThan(20);
  expect(pauses).toBe(reads.length - 6);
});

describe("a write", () => {
  test("that is refused is decided again, under another token; only the next read gets its members' items", async () => {
    givenAnswers(conditionFailed, conflict, "committed");
    const { reads, run } = operation(({ read }) =>
      write(members(read), "done", (refused) => ({ seats: refused.seats, message: refused.message })),
    );
    expect(await run()).toBe("done");
    // Only the conflict makes a pause.
    expect([readsSent(), new Set(tokens()).size, pauses]).toEqual([[1, 2, 3], 3, 1]);
    const told = { seats: { PK: "a", SK: "a", seats: 7 }, message: undefined };
    expect(reads.map(({ learned }) => learned)).toEqual([undefined, told, undefined]);
  });

  test("that has a conflict is decided again after a pause: nothing was written", async () => {
    givenAnswers(conflict, throttled, "committed");
    const { run } = writing();
    expect(await run()).toBe("written on read 3");
    expect([readsSent(), new Set(tokens()).size, pauses]).toEqual([[1, 2, 3], 3, 2]);
  });
});

describe("a write whose outcome is unknown", () => {
  test("is sent again until it is committed", async () => {
    givenAnswers(unanswered, inProgress, "committed");
    const { reads, run } = writing();
    expect(await run()).toBe("written on read 1");
    const [first, ...again] = sent.transactions();
    expect(again).toEqual([first, first]);
    expect(first?.ClientRequestToken).toMatch(/^[-0-9a-f]{36}$/);
    expect([reads.length, pauses]).toEqual([1, 2]);
  });

  test("is not decided again because a repeat meets another write", async () => {
    givenAnswers(unanswered, conflict, throttled, "committed");
    const { reads, run } = writing();
    expect(await run()).toBe("written on read 1");
    expect([reads.length, readsSent(), new Set(tokens()).size]).toEqual([1, [1, 1, 1, 1], 1]);
  });
});

// The model, `test/model/capacity.test.ts`, proves that a late try is not carried out, with `tokenLeftOpen` and `closedAtOtherTimes`.
describe("the token of a try that may come late", () => {
  const mismatch = new IdempotentParameterMismatchException({
    message: "another request",
    $metadata: { httpStatusCode: 400 },
  });

  test("is closed by the same transaction twice, seconds apart, when the first closing got no answer", async () => {
    givenAnswers(unanswered, conditionFailed, unanswered, "committed");
    let time = Date.parse("2030-01-01T12:00:00Z");
    jest.spyOn(Date, "now").mockImplementation(() => {
      time += 2_000;
      return time;
    });
    const { run } = operation(({ read }) => (read === 1 ? write(members(1), "written") : answer("full")));
    expect(await run()).toBe("full");
    const [, , once, again] = sent.transactions();
    expect(again).toEqual(once);
  });

  test.each([
    ["was committed", "committed", "written on read 1"],
    // It is not documented that a refused transaction leaves its token free.
    ["was refused", conditionFailed, "written on read 2"],
    ["does not have it either, because an earlier call has closed it", mismatch, "written on read 2"],
  ] as const)("is asked for when another transaction does not get its token: it %s", async (_, itself, outcome) => {
    givenAnswers(unanswered, conditionFailed, mismatch, itself, "committed");
    expect(await writing().run()).toBe(outcome);
    const [first, , closing, again] = sent.transactions();
    expect([closing?.ClientRequestToken, again]).toEqual([first?.ClientRequestToken, first]);
    expect(closing).not.toEqual(first);
  });

  test("may be one of the client itself: it tells how often it has sent the call", async () => {
    const again = refusedBy({ PK: "a", SK: "a" });
    again.$metadata.attempts = 2;
    givenAnswers(again, "committed", "committed");
    expect(await writing().run()).toBe("written on read 2");
    const [first, closing, second] = tokens();
    expect(closing).toBe(first);
    expect(second).not.toBe(first);
  });

  test.each<[string, Transaction, string]>([
    ["puts", { a: { Put: { TableName: "Unit", Item: {} } }, b: { Delete: { TableName: "Unit", Key: {} } } }, "Put"],
    ["deletes", { a: { Delete: { TableName: "Unit", Key: {} } } }, "Delete"],
    ["updates", { a: { Update: { TableName: "Unit", Key: {}, UpdateExpression: "SET a = b" } } }, "Update"],
  ])("is closed with a right that the function has: it %s", async (_what, transaction, kind) => {
    givenAnswers(unanswered, conditionFailed, "committed", "committed");
    await operation(({ read }) => (read === 1 ? write(transaction, "first") : answer("second"))).run();
    const { TransactItems = [], ClientRequestToken } = sent.transactions()[2] ?? {};
    expect(TransactItems.map((item) => Object.keys(item))).toEqual([[kind]]);
    expect(JSON.stringify(TransactItems)).toContain(`TOKEN#${ClientRequestToken}`);
  });
});

describe("when the deadline has passed", () => {
  beforeEach(() => {
    callTakes = 4_000;
  });

  test("after conflicts the caller hears `CONTENDED`: nothing was written", async () => {
    givenAnswers(conflict);
    const error = await failureOf(writing().run());
    expect(error).toBeInstanceOf(Contended);
    expect(error).toHaveProperty("cause", expect.any(Conflict));
    expect(sent.transactions()).toHaveLength(4);
  });

  test.each([
    ["always", [unanswered]],
    ["at last", [conflict, conflict, unanswered]],
  ])("and an answer was missing %s, the caller hears `OUTCOME_UNKNOWN`", async (_, answers) => {
    givenAnswers(...answers);
    await expect(writing().run()).rejects.toBeInstanceOf(UnknownOutcome);
  });

  test("and an unknown outcome turned out to be a refusal, the caller hears `CONTENDED`", async () => {
    givenAnswers(unanswered, conditionFailed, "committed", conflict);
    await expect(writing().run()).rejects.toBeInstanceOf(Contended);
  });

  test("and the token could not be closed, the caller hears `OUTCOME_UNKNOWN`", async () => {
    givenAnswers(unanswered, conditionFailed, conflict);
    await expect(writing().run()).rejects.toBeInstanceOf(UnknownOutcome);
    callTakes = 20_000;
    givenAnswers(unanswered, conditionFailed);
    await expect(writing().run()).rejects.toBeInstanceOf(UnknownOutcome);
  });
});

test("a read with a conflict or without an answer is repeated, with the same refusal", async () => {
  givenAnswers(conditionFailed, "committed");
  const heard: unknown[] = [];
  const read = async (learned: string | undefined) => {
    heard.push(learned);
    if (heard.length === 2) throw new Conflict("busy");
    if (heard.length === 3) throw new UnknownOutcome("no answer");
  };
  const decide = (): Decision<void, string> => write(members(0), undefined, () => "told");
  await execute({ read, decide }, { deadline });
  expect(heard).toEqual([undefined, "told", "told", "told"]);
});

describe("a follow-up of a commit", () => {
  test("is left to the consumer when its time is over", async () => {
    for (const error of [new Contended(), new UnknownOutcome("unknown")])
      expect(await followUp("promote", { deadline }, () => Promise.reject(error))).toBeUndefined();
  });

  test("is not begun after the deadline", async () => {
    const begun = jest.fn(async () => "done");
    expect(await followUp("promote", { deadline: performance.now() - 1 }, begun)).toBeUndefined();
    expect(begun).not.toHaveBeenCalled();
  });

  test("does not hide another failure", async () => {
    const thrown = new TypeError("bug");
    await expect(followUp("promote", { deadline }, () => Promise.reject(thrown))).rejects.toBe(thrown);
  });

  test("that the answer needs never ends as `CONTENDED`", async () => {
    const contended = new Contended();
    const error = await failureOf(afterCommit(() => Promise.reject(contended)));
    expect(error).toBeInstanceOf(UnknownOutcome);
    expect(error).toHaveProperty("cause", contended);
  });
});
