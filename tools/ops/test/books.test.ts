/** `npm run ops -- books`: the table's payments and the provider's, compared line by line. */
import "../../../test/unit/environment.ts";

import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { DynamoDBDocumentClient, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import type { Payment } from "#domain/payments/payment.ts";
import { UsageError } from "../../kit/outputs.ts";
import { books } from "../books.ts";
import type { Run } from "../run.ts";

const table = mockClient(DynamoDBDocumentClient);
const secrets = mockClient(SecretsManagerClient);

const payment: Payment = {
  paymentId: "cs_1",
  email: "ada@student.example",
  money: { amount: 15_00, currency: "CAD", paymentIntent: "pi_1" },
  as: "seat",
  purpose: { kind: "event", event: { id: "dinner", year: 2030 }, queueKey: "Q1" },
  settledAt: 1_893_456_000_000,
  version: 3,
  refunds: { R1: { amount: 5_00, state: "succeeded", providerId: "re_1", at: 1, by: "exec@club.example" } },
  lines: { txn_1: { type: "charge", amount: 15_00, fee: 74, net: 14_26, payout: "po_1" } },
};
const item = (one: Payment) => ({ PK: `PAY#${one.money.paymentIntent}`, SK: "PAYMENT", ...one });

const intent = {
  id: "pi_1",
  amount_received: 15_00,
  currency: "cad",
  latest_charge: { id: "ch_1", balance_transaction: { id: "txn_1", amount: 15_00, fee: 74 } },
};
const refund = { id: "re_1", amount: 5_00, status: "succeeded", metadata: { refund: "R1" }, balance_transaction: null };
const dispute = {
  id: "dp_1",
  amount: 15_00,
  status: "needs_response",
  payment_intent: "pi_1",
  balance_transactions: [],
};

interface ProviderAnswers {
  readonly intent: object | undefined;
  readonly refunds: readonly object[];
  readonly disputes: readonly object[];
}
let provider: ProviderAnswers;
/** HTTP statuses of the next answers; then 200. */
let statuses: number[];
let asked: string[];
let [underWay, mostUnderWay] = [0, 0];

const errorOf = (status: number, code?: string) =>
  new Response(JSON.stringify({ error: { type: "invalid_request_error", code, message: "No." } }), {
    status,
    headers: { "stripe-should-retry": "false" },
  });

function answerTo({ pathname }: URL): Response {
  const status = statuses.shift();
  if (status !== undefined) return errorOf(status);
  if (pathname.startsWith("/v1/payment_intents/")) {
    return provider.intent ? new Response(JSON.stringify(provider.intent)) : errorOf(404, "resource_missing");
  }
  const data = pathname === "/v1/refunds" ? provider.refunds : provider.disputes;
  return new Response(JSON.stringify({ object: "list", has_more: false, url: pathname, data }));
}

beforeEach(() => {
  table.reset();
  secrets.reset();
  secrets.on(GetSecretValueCommand).resolves({
    SecretString: JSON.stringify({ apiKey: "sk_test_Confidential", webhookSecrets: ["whsec_Confidential"] }),
  });
  given(payment);
  provider = { intent, refunds: [refund], disputes: [] };
  [statuses, asked, underWay, mostUnderWay] = [[], [], 0, 0];
  jest.spyOn(globalThis, "fetch").mockImplementation(async (address) => {
    const url = new URL(String(address));
    asked.push(`${url.pathname}${decodeURIComponent(url.search)}`);
    underWay += 1;
    mostUnderWay = Math.max(mostUnderWay, underWay);
    await new Promise(setImmediate);
    underWay -= 1;
    return answerTo(url);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

const given = (...payments: readonly Payment[]) => table.on(QueryCommand).resolves({ Items: payments.map(item) });

async function run(flags: Run["flags"] = { event: "dinner", year: "2030" }, stop?: AbortSignal) {
  const [lines, notes]: [string[], string[]] = [[], []];
  const terminal = { print: (line: string) => void lines.push(line), note: (line: string) => void notes.push(line) };
  const code = await books({ flags, terminal, meter: { units: 0 }, stop } as unknown as Run);
  expect([...lines, ...notes].join()).not.toContain("Confidential");
  return { code, lines, notes };
}

const differences = async () => {
  const { code, lines } = await run();
  const sums = lines.findIndex((line) => line.startsWith("CAD came"));
  expect(code).toBe(sums > 0 ? 1 : 0);
  return lines.slice(0, sums);
};

const withRefund = (change: object): Payment => ({
  ...payment,
  refunds: { R1: { amount: 5_00, state: "succeeded", providerId: "re_1", at: 1, ...change } },
});

test("equal books: the sums, and exit code 0", async () => {
  const { code, lines } = await run();
  expect(lines).toEqual([
    "CAD came       table      15.00  provider      15.00",
    "CAD fee        table       0.74  provider       0.74",
    "CAD went back  table       5.00  provider       5.00",
    "CAD open       table       0.00  provider       0.00",
    "CAD frozen     table       0.00  provider       0.00",
    "Payments: 1, differences: 0.",
  ]);
  expect(code).toBe(0);
  expect(asked).toEqual([
    "/v1/payment_intents/pi_1?expand[0]=latest_charge&expand[1]=latest_charge.balance_transaction",
    "/v1/refunds?payment_intent=pi_1&limit=100&expand[0]=data.balance_transaction",
    "/v1/disputes?payment_intent=pi_1&limit=100",
  ]);
});

describe("a planted cent is found", () => {
  test("in the amount, with the sums of both", async () => {
    provider = { ...provider, intent: { ...intent, amount_received: 14_99 } };
    const { code, lines } = await run();
    expect(lines[0]).toBe("cs_1: amount: table 15.00 CAD, provider 14.99 CAD");
    expect(lines[1]).toBe("CAD came       table      15.00  provider      14.99");
    expect(lines.at(-1)).toBe("Payments: 1, differences: 1.");
    expect(code).toBe(1);
  });

  test("in another currency", async () => {
    provider = { ...provider, intent: { ...intent, currency: "usd" } };
    expect(await differences()).toEqual(["cs_1: amount: table 15.00 CAD, provider 15.00 USD"]);
  });

  test("in a refund", async () => {
    given(withRefund({ amount: 5_01 }));
    expect(await differences()).toEqual(["cs_1: refund R1: table 5.01 succeeded, provider 5.00 succeeded"]);
  });

  test("in a fee", async () => {
    const latest_charge = { ...intent.latest_charge, balance_transaction: { id: "txn_1", amount: 15_00, fee: 75 } };
    provider = { ...provider, intent: { ...intent, latest_charge } };
    expect(await differences()).toEqual(["cs_1: line txn_1 (charge): table 15.00, fee 0.74, provider 15.00, fee 0.75"]);
  });

  test("in the line of a refund and of a dispute, but not in lines that no payout has brought yet", async () => {
    const line = { type: "refund", amount: -5_00, fee: 0, net: -5_00, payout: "po_1" };
    given({ ...payment, lines: { txn_2: line, txn_3: { ...line, type: "adjustment", fee: 15_00 } } });
    provider = {
      ...provider,
      refunds: [{ ...refund, balance_transaction: { id: "txn_2", amount: -4_99, fee: 0 } }],
      disputes: [{ ...dispute, status: "won", balance_transactions: [{ id: "txn_3", amount: -5_00, fee: 20_00 }] }],
    };
    expect(await differences()).toEqual([
      "cs_1: dispute dp_1: table none, provider 15.00 won",
      "cs_1: line txn_2 (refund): table -5.00, fee 0.00, provider -4.99, fee 0.00",
      "cs_1: line txn_3 (adjustment): table -5.00, fee 15.00, provider -5.00, fee 20.00",
    ]);
  });
});

describe("refunds", () => {
  test("one that the provider does not have", async () => {
    provider = { ...provider, refunds: [] };
    expect(await differences()).toEqual(["cs_1: refund R1: table 5.00 succeeded, provider none"]);
  });

  test("one that the table does not have", async () => {
    provider = { ...provider, refunds: [refund, { id: "re_2", amount: 1_00, status: "pending", metadata: {} }] };
    expect(await differences()).toEqual(["cs_1: refund re_2: table none, provider 1.00 pending"]);
  });

  test.each([
    ["canceled", "failed"],
    ["requires_action", "pending"],
  ])("another state at the provider: %s", async (status, state) => {
    provider = { ...provider, refunds: [{ ...refund, status }] };
    expect(await differences()).toEqual([`cs_1: refund R1: table 5.00 succeeded, provider 5.00 ${state}`]);
  });

  test("one that was reserved, and whose answer the table never got", async () => {
    given(withRefund({ state: "reserved", providerId: undefined }));
    expect(await differences()).toEqual(["cs_1: refund R1: table 5.00 reserved, provider 5.00 succeeded"]);
  });

  test("one that the provider has refused exists nowhere, and one of its dashboard has its name", async () => {
    given({
      ...payment,
      refunds: {
        R1: { amount: 5_00, state: "failed", failure: "charge_disputed", at: 1 },
        re_3: { amount: 2_00, state: "pending", providerId: "re_3", at: 1 },
      },
    });
    provider = { ...provider, refunds: [{ id: "re_3", amount: 2_00, status: "pending", metadata: {} }] };
    const { code, lines } = await run();
    expect(code).toBe(0);
    expect(lines[3]).toBe("CAD open       table       2.00  provider       2.00");
  });

  test("what the table owes and has not sent is no difference: the provider cannot know it", async () => {
    given({ ...payment, owed: 15_00 });
    const { code, lines } = await run();
    expect(code).toBe(0);
    expect(lines[3]).toBe("CAD open       table      10.00  provider       0.00");
  });
});

describe("disputes", () => {
  test("one that the table does not have", async () => {
    const taken = [{ id: "txn_9", amount: -15_00, fee: 0 }];
    provider = { ...provider, disputes: [{ ...dispute, balance_transactions: taken }] };
    const { lines } = await run();
    expect(lines[0]).toBe("cs_1: dispute dp_1: table none, provider 15.00 open");
    expect(lines).toContain("CAD frozen     table       0.00  provider      15.00");
  });

  test("one that was lost meanwhile", async () => {
    given({ ...payment, disputes: { dp_1: { amount: 15_00, state: "open" } } });
    provider = { ...provider, disputes: [{ ...dispute, status: "lost" }] };
    expect(await differences()).toEqual(["cs_1: dispute dp_1: table 15.00 open, provider 15.00 lost"]);
  });
});

test("a payment that the provider does not know, or that it cannot be asked for", async () => {
  given(payment, { ...payment, paymentId: "cs_2", money: { amount: 1_00, currency: "CAD" } });
  provider = { ...provider, intent: undefined };
  expect(await differences()).toEqual([
    "cs_1: payment: table 15.00 CAD, provider unknown",
    "cs_2: payment: table 1.00 CAD, provider unknown",
  ]);
});

test("at most five payments are asked for at a time, and sums are by currency", async () => {
  given(...Array.from({ length: 12 }, (_, index) => ({ ...payment, paymentId: `cs_${index}` })), {
    ...payment,
    money: { ...payment.money, currency: "USD" },
  });
  const { lines } = await run();
  expect(mostUnderWay).toBe(5);
  expect(lines.filter((line) => line.includes("came"))).toEqual([
    "CAD came       table     180.00  provider     180.00",
    "USD came       table      15.00  provider      15.00",
  ]);
});

describe("the flags", () => {
  const partition = () => JSON.stringify(table.commandCalls(QueryCommand)[0]?.args[0].input.ExpressionAttributeValues);

  test("memberships, of a time", async () => {
    expect((await run({ membership: true, from: "2029-12-31T00:00Z", to: "1h" }).catch(String)) as unknown).toContain(
      "--from is in the future",
    );
    const { lines } = await run({ membership: true, from: "2020-01-01T00:00Z", to: "1h" });
    expect(partition()).toContain("PAYMENTS#MEMBERSHIP");
    // It was settled after that time.
    expect(lines).toEqual(["Payments: 0, differences: 0."]);
  });

  test("an event", async () => {
    await run();
    expect(partition()).toContain("PAYMENTS#dinner#2030");
  });

  test.each([
    {},
    { event: "dinner" },
    { event: "dinner", year: "30" },
    { event: "dinner", year: "2030", membership: true },
  ])("%j name no payments", async (flags) => {
    await expect(run(flags)).rejects.toThrow(UsageError);
  });
});

describe("the provider", () => {
  test("refuses the key", async () => {
    statuses = [403];
    await expect(run()).rejects.toThrow("The provider's key may not read payment intents");
  });

  test("does not answer", async () => {
    statuses = [500, 500];
    expect(await run()).toMatchObject({ code: 1, notes: ["The payment provider does not answer. Try again."] });
  });

  test("limits the calls: it is asked again", async () => {
    statuses = [429];
    expect(await run()).toMatchObject({ code: 0 });
    expect(asked).toHaveLength(4);
  });
});

test("Ctrl-C ends it", async () => {
  expect(await run(undefined, AbortSignal.abort())).toMatchObject({ code: 130, lines: [] });
  expect(asked).toEqual([]);
});
