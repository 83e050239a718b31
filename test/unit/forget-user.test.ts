/** The consumer of deleted accounts: the messages that it takes, and what a failure leaves for the next try. */
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { registrationItem } from "./given.ts";
import { broken, cancelled, get, query, sent, table, transactWrite } from "./mocked-table.ts";

const { handler } = await import("#consumers/forget-user.ts");

const email = "ada@unit.example";
const deletedAt = Date.parse("2030-01-01T00:00:00Z");
const metadata = { id: "n1", occurredAt: "2030-01-01T00:00:00Z", actor: email, correlationId: "r1" };
const event = { "detail-type": "user.deleted", detail: { metadata, data: { email } } };
/** @param remaining milliseconds until the timeout of the function */
const failuresOf = async (body: unknown, remaining = 120_000) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const { batchItemFailures } = await handler({ Records: [{ messageId: "m1", body: text }] } as never, {
    getRemainingTimeInMillis: () => remaining,
  });
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
};
const registration = (eventID: string, more: object = {}) =>
  registrationItem({ email, eventID, status: "cancelled", createdAt: deletedAt - 1, ...more });
const given = (...Items: { SK: string }[]) => {
  table.on(query).resolves({ Items } as never);
  for (const Item of Items) {
    table.on(get, { Key: { PK: `USER#${email}`, SK: Item.SK } } as never).resolves({ Item } as never);
  }
};
const readKeys = () => [...new Set(sent.gets().map(({ Key }) => Key.SK))].filter((SK) => SK.startsWith("REG#"));

beforeEach(() => {
  table.reset();
  table.on(query).resolves({ Items: [] } as never);
  table.on(get).resolves({} as never);
  table.on(transactWrite).resolves({} as never);
});

afterEach(() => {
  jest.restoreAllMocks();
});

test.each([
  ["no JSON", "{"],
  ["another message", { ...event, "detail-type": "user.created" }],
  ["no email", { ...event, detail: { metadata, data: {} } }],
  ["no time", { ...event, detail: { metadata: { ...metadata, occurredAt: "soon" }, data: { email } } }],
])("%s is not understood, and changes nothing", async (_, body) => {
  expect(await failuresOf(body)).toEqual(["m1"]);
  expect(table.calls()).toHaveLength(0);
});

describe("the message of a deleted account", () => {
  test("cancels registrations that began before the deletion, and none that began after it", async () => {
    given(
      registration("a"),
      registration("b", { createdAt: deletedAt }),
      registration("c", { createdAt: deletedAt + 1 }),
    );
    expect(await failuresOf(event)).toEqual([]);
    expect(readKeys()).toEqual(["REG#a#2030", "REG#b#2030"]);
  });

  test("takes the person off the leaderboard, unless the account exists again", async () => {
    expect(await failuresOf(event)).toEqual([]);
    const Key = (SK: string) => ({ PK: `USER#${email}`, SK });
    expect(sent.transactions()[0]?.TransactItems).toMatchObject([
      { ConditionCheck: { Key: Key("USER"), ConditionExpression: "attribute_not_exists(PK)" } },
      { Delete: { Key: Key("POINTS") } },
    ]);
    table.on(transactWrite).rejects(cancelled("ConditionalCheckFailed", "None"));
    expect(await failuresOf(event)).toEqual([]);
  });

  test("comes again when one registration could not be cancelled; the others are, the points are kept for the next try", async () => {
    given(registration("a"), registration("b"));
    table.on(get, { Key: { PK: `USER#${email}`, SK: "REG#a#2030" } } as never).rejects(broken);
    expect(await failuresOf(event)).toEqual(["m1"]);
    expect(readKeys()).toContain("REG#b#2030");
    expect(sent.transactions()).toEqual([]);
  });

  // The last call needs ten seconds before the timeout.
  test.each([
    ["comes again when its time is over, and keeps the points", 12_000, ["m1"], 0],
    ["is done in one run when there is enough time", 120_000, [], 1],
  ])("%s", async (_, remaining, failures, transactions) => {
    let clock = 0;
    jest.spyOn(performance, "now").mockImplementation(() => clock);
    const registrations = Array.from({ length: 12 }, (_, n) => registration(`e${n}`));
    given(...registrations);
    for (const Item of registrations) {
      table.on(get, { Key: { PK: `USER#${email}`, SK: Item.SK } } as never).callsFake((() => {
        clock += 1_000;
        return { Item };
      }) as never);
    }
    expect(await failuresOf(event, remaining)).toEqual(failures);
    expect(sent.transactions()).toHaveLength(transactions);
    if (transactions === 0) expect(readKeys().length).toBeLessThan(registrations.length);
    else expect(readKeys()).toHaveLength(registrations.length);
  });
});
