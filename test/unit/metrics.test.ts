/** The business metrics: their table, the printed line, and that each event counts once, when it is committed. */
import { setImmediate as turn } from "node:timers/promises";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import fc from "fast-check";
import { type Count, countsOfInvocation } from "#kit/count.ts";
import type { Decision } from "#kit/execute.ts";
import { namespace } from "#kit/metrics.ts";
import type { DetailType, OutboxMessage } from "#outbox/catalogue.ts";
import { countsOf } from "#outbox/message-counts.ts";
import { count, countOf, type MetricName, metrics } from "#outbox/metrics.ts";
import { readEmf } from "../emf.ts";
import {
  caller,
  cancelled,
  sent,
  table,
  throttled,
  transactWrite,
  unanswered,
  withoutPatience,
} from "./mocked-table.ts";

process.env.POWERTOOLS_METRICS_DISABLED = "false";
mockClient(SecretsManagerClient).on(GetSecretValueCommand).resolves({ SecretString: "key" });
const { counting } = await import("#kit/counting.ts");
const { execute, write } = await import("#kit/execute.ts");
const { outboxRow } = await import("#outbox/store.ts");
const { handler: registrations } = await import("#api/registrations/index.ts");
const { handler: signUp } = await import("#consumers/pre-sign-up.ts");
const { handler: sweeper } = await import("#consumers/sweeper.ts");

let lines: string[] = [];
beforeEach(() => {
  lines = [];
  table.reset();
  jest.spyOn(process.stdout, "write").mockImplementation((line) => lines.push(String(line)) > 0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const printed = () => lines.map((line) => readEmf(line));
const names = Object.keys(metrics) as MetricName[];

describe("the table of metrics", () => {
  test("has names that CloudWatch takes, and few of them, because each costs money", () => {
    for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z]{1,39}$/);
    expect(names.length).toBeLessThanOrEqual(22);
    expect(namespace).not.toMatch(/^AWS/);
  });
});

describe("the line of an invocation", () => {
  test("has all counts of the invocation, and the stage as its only dimension", async () => {
    const handler = counting(async (amount: number) => {
      count("Registered");
      await turn();
      count("MoneyIn", amount);
      count("Registered");
      return "answer";
    });
    expect(await handler(1_500)).toBe("answer");
    expect(printed()).toEqual([
      {
        namespace: "ClubEvents",
        dimensions: { stage: "test" },
        values: { Registered: [1, 1], MoneyIn: [1_500] },
        units: { Registered: "Count", MoneyIn: "None" },
      },
    ]);
    expect(lines[0]).toMatch(/^\{.*\}\n$/);
  });

  test("is not printed when nothing was counted, and is printed when the invocation fails", async () => {
    await counting(async () => "nothing")();
    expect(lines).toEqual([]);
    const fails = counting(async () => {
      count("SweeperRuns");
      throw new Error("stuck");
    });
    await expect(fails()).rejects.toThrow("stuck");
    expect(printed().map((line) => line?.values)).toEqual([{ SweeperRuns: [1] }]);
    count("SweeperRuns");
    await counting(async () => "nothing")();
    expect(lines).toHaveLength(1);
  });

  test("fails no answer: an amount that is no number counts as 0", async () => {
    const amounts = [Number.NaN, Number.POSITIVE_INFINITY, null, "15"] as number[];
    const handler = counting(async () => {
      for (const amount of amounts) count("MoneyOwedBack", amount);
      return "answer";
    });
    expect(await handler()).toBe("answer");
    expect(printed().map((line) => line?.values)).toEqual([{ MoneyOwedBack: [0, 0, 0, 0] }]);
  });

  test("has the counts of its own invocation only, while others run in the same process", async () => {
    const handler = counting(async (times: number) => {
      for (let done = 0; done < times; done += 1) {
        count("Promoted");
        await turn();
      }
    });
    await Promise.all([handler(3), handler(1), handler(0), handler(2)]);
    expect(printed().map((line) => line?.values.Promoted?.length)).toEqual([1, 2, 3]);
  });

  test("is in CloudWatch's format with all metrics and any number of values", async () => {
    const anyCounts = fc.array(fc.record({ name: fc.constantFrom(...names), value: fc.nat(1e9) }), { maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(anyCounts, async (counts) => {
        lines = [];
        await counting(async () => {
          for (const { name, value } of counts) count(name, value);
        })();
        const sums = (all: readonly Pick<Count, "name" | "value">[]) => {
          const sum: Record<string, number> = {};
          for (const { name, value } of all) sum[name] = (sum[name] ?? 0) + value;
          return sum;
        };
        const read = printed().flatMap((line) =>
          Object.entries(line?.values ?? {}).flatMap(([name, values]) => values.map((value) => ({ name, value }))),
        );
        expect(sums(read)).toEqual(sums(counts));
      }),
      { numRuns: 50 },
    );
  });

  test("that breaks the format is noticed", () => {
    const line = { Registered: 1, stage: "s", _aws: { Timestamp: Date.now(), CloudWatchMetrics: [{}] } };
    const directive = { Namespace: "N", Dimensions: [["stage"]], Metrics: [{ Name: "Registered", Unit: "Count" }] };
    const withDirective = (more: object, root: object = {}) =>
      JSON.stringify({
        ...line,
        _aws: { ...line._aws, CloudWatchMetrics: [{ ...directive, ...more }] },
        ...root,
      });
    expect(readEmf(withDirective({}))).toMatchObject({ values: { Registered: [1] } });
    for (const [more, root] of [
      [{ Namespace: "" }],
      [{ Dimensions: [["service"]] }],
      [{ Metrics: [{ Name: "Registered", Unit: "cents" }] }],
      [{ Metrics: [{ Name: "Gone" }] }],
      [{}, { Registered: Array(101).fill(1) }],
      [{}, { Registered: "1" }],
      [{}, { email: "ada@student.example" }],
      [{}, { _aws: { ...line._aws, Timestamp: 1, CloudWatchMetrics: [directive] } }],
    ] as [object, object?][]) {
      expect(() => readEmf(withDirective(more, root))).toThrow("No embedded metric format");
    }
  });
});

const registration = { eventID: "e", year: 2030, email: "ada@student.example" };
const money = { amount: 1_500, currency: "CAD" };
const message = (type: DetailType, data: object = registration) => ({ type, data }) as unknown as OutboxMessage;
const refund = (reason: string) => message("payment.refundRequired", { ...registration, ...money, reason });

test.each<[string, OutboxMessage, object[]]>([
  ["a person who moves up", message("registration.promoted"), [countOf("Promoted")]],
  ["an accepted application", message("registration.accepted"), [countOf("Accepted")]],
  ["one to be paid for", message("registration.acceptedPending"), [countOf("Accepted")]],
  ["one that is paid for now", message("registration.acceptedComplete"), []],
  ["a payment", message("payment.completed", money), [countOf("MoneyIn", 1_500)]],
  ["money of a paid seat that ends", refund("registration ended"), [countOf("MoneyOwedBack", 1_500)]],
  ...["nothing to pay", "wrong amount"].map((reason): [string, OutboxMessage, object[]] => [
    `money that has no use: ${reason}`,
    refund(reason),
    [countOf("MoneyIn", 1_500), countOf("MoneyOwedBack", 1_500)],
  ]),
  // The operation counts newcomers, because a person may join the line and be taken out of it again at once.
  ["a registration", message("registration.registered"), []],
  ["a place in line", message("registration.waitlisted"), []],
])("the commit of %s counts", (_, one, counts) => {
  expect(countsOf(one)).toEqual(counts);
});

describe("a transaction counts", () => {
  let counts: Count[] = [];
  const context = { now: 1_800_000_000_000, actor: "system", requestId: "r" };

  /** Writes a payment. Each decision makes a row of its own, as operations do. */
  async function pay(onDecision = () => {}): Promise<unknown> {
    counts = [];
    const decide = (): Decision<string, boolean> => {
      onDecision();
      return write({ message: outboxRow(message("payment.completed", money), context) }, "paid", () => true);
    };
    const operation = { read: async () => "facts", decide };
    const deadline = performance.now() + 60_000;
    return countsOfInvocation.run(counts, () => execute(operation, { deadline }).catch((error: unknown) => error));
  }
  /** The table's answers in turn; then it commits. */
  function givenAnswers(...answers: Error[]): void {
    table.on(transactWrite).callsFake(() => {
      const failure = answers.shift();
      if (failure) throw failure;
      return {};
    });
  }
  const once = [countOf("MoneyIn", 1_500)];

  test.each([
    ["at the first try", []],
    ["after a refusal", [cancelled("ConditionalCheckFailed")]],
    ["after a conflict and throttling", [cancelled("TransactionConflict"), throttled]],
    ["after an answer that was lost", [unanswered]],
  ])("once when it is committed %s", async (_, answers) => {
    givenAnswers(...answers);
    expect(await pay()).toBe("paid");
    expect(sent.transactions()).toHaveLength(answers.length + 1);
    expect(counts).toEqual(once);
  });

  test("nothing when it is not committed", async () => {
    withoutPatience();
    givenAnswers(...Array<Error>(9).fill(cancelled("TransactionConflict")));
    expect(await pay()).toMatchObject({ code: "CONTENDED" });
    expect(counts).toEqual([]);
  });

  test("a count by the decision would count each try", async () => {
    givenAnswers(cancelled("ConditionalCheckFailed"), cancelled("TransactionConflict"));
    expect(await pay(() => count("MoneyIn", 1_500))).toBe("paid");
    expect(counts).toHaveLength(4);
  });
});

describe("the handler of", () => {
  const values = () => printed().map((line) => line?.values);

  test.each([
    ["CONTENDED", throttled, [{ Contended: [1] }]],
    ["UNAVAILABLE", unanswered, []],
  ])("a route that answers %s", async (code, failure, lines) => {
    withoutPatience();
    table.onAnyCommand().rejects(failure as never);
    const { body } = await caller(registrations)("GET /registrations", { query: { eventID: "e", year: "2030" } });
    expect(body.code).toBe(code);
    expect(values()).toEqual(lines);
  });

  test("the sweeper counts each run, and not one that failed on its way", async () => {
    table.onAnyCommand().resolves({ Items: [] } as never);
    await sweeper();
    expect(values()).toEqual([{ SweeperRuns: [1] }]);
    table.reset();
    await expect(sweeper()).rejects.toThrow();
    expect(lines).toHaveLength(1);
  });

  test("sign-ups counts a refusal once", async () => {
    const request = { userAttributes: { email: "ada@student.example" } };
    const refused = signUp({ triggerSource: "PreSignUp_ExternalProvider", userName: "Other_1", request } as never);
    await expect(refused).rejects.toThrow("Sign in with Google");
    expect(values()).toEqual([{ SignUpsRefused: [1] }]);
  });
});
