/** The consumer of deleted accounts: the messages that it takes, and what a failure leaves for the next try. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import { registrationItem } from "./given.ts";
import { batchGet, broken, get, query, sent, table, transactWrite } from "./mocked-table.ts";

const { handler } = await import("#consumers/forget-user.ts");

const email = "ada@unit.example";
const deletedAt = Date.parse("2030-01-01T00:00:00Z");
const metadata = { id: "n1", occurredAt: "2030-01-01T00:00:00Z", actor: email, correlationId: "r1" };
const event = { "detail-type": "user.deleted", detail: { metadata, data: { email, origin: "self/account" } } };
const failuresOf = async (body: object) => {
  const Records = [{ messageId: "m1", body: JSON.stringify(body) }];
  const { batchItemFailures } = await handler({ Records } as never);
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
};
const queueKeyAt = (time: number) => `${time}#01ARZ3NDEKTSV4RRFFQ69G5FAV`;
const registration = (eventID: string, more: object = {}) =>
  registrationItem({ email, eventID, status: "cancelled", queueKey: queueKeyAt(deletedAt - 1), ...more });
const given = (...Items: { SK: string }[]) => {
  table
    .on(query, { ExpressionAttributeValues: { ":partition": `USER#${email}`, ":prefix": "REG#" } } as never)
    .resolves({ Items } as never);
  givenThen(...Items);
};
/** What is stored when the registrations that were listed are read. */
const givenThen = (...Items: { SK: string }[]) => {
  for (const Item of Items) {
    table.on(get, { Key: { PK: `USER#${email}`, SK: Item.SK } } as never).resolves({ Item } as never);
  }
  // The registration beside the seats of its event.
  table.on(batchGet).callsFake((({ RequestItems }: { RequestItems: Record<string, { Keys: { SK: string }[] }> }) => ({
    Responses: Object.fromEntries(
      Object.entries(RequestItems).map(([name, { Keys }]) => [
        name,
        Items.filter(({ SK }) => Keys.some((key) => key.SK === SK)),
      ]),
    ),
  })) as never);
};
const readKeys = () => [...new Set(sent.gets().map(({ Key }) => Key.SK))].filter((SK) => SK?.startsWith("REG#"));
/** How often the total was to be removed. */
const drops = () =>
  sent.transactions().filter(({ TransactItems }) => TransactItems?.[0]?.Delete?.Key?.SK === "POINTS").length;

beforeEach(() => {
  table.reset();
  table.on(query).resolves({ Items: [] } as never);
  table.on(get).resolves({} as never);
  table.on(transactWrite).resolves({} as never);
});

test("a message without a time is not understood, and changes nothing", async () => {
  const detail = { metadata: { ...metadata, occurredAt: "soon" }, data: { email } };
  expect(await failuresOf({ ...event, detail })).toEqual(["m1"]);
  expect(table.calls()).toHaveLength(0);
});

describe("the message of a deleted account", () => {
  test("cancels registrations that began before the deletion, and none that began after it", async () => {
    const [before, since] = [deletedAt - 9, deletedAt + 1].map((time) => ({ createdAt: time }));
    given(
      registration("a"),
      registration("b", { queueKey: queueKeyAt(deletedAt) }),
      registration("c", { queueKey: queueKeyAt(deletedAt + 1), ...since }),
      // The person came back after the deletion, and registered again for an event of before.
      registration("again", { queueKey: queueKeyAt(deletedAt + 1), ...before }),
      // An admin moved the person to the end of the line after the deletion.
      registration("moved", { queueKey: queueKeyAt(deletedAt + 1), registeredAt: deletedAt - 9, ...before }),
    );
    expect(await failuresOf(event)).toEqual([]);
    expect(readKeys()).toEqual(["REG#a#2030", "REG#b#2030", "REG#moved#2030"]);
  });

  test("leaves a registration alone that begins anew while it is read", async () => {
    given(registration("a", { status: "registered" }));
    givenThen(registration("a", { status: "registered", queueKey: queueKeyAt(deletedAt + 1) }));
    expect(await failuresOf(event)).toEqual([]);
    expect(sent.transactions().filter((one) => JSON.stringify(one).includes("REG#a"))).toEqual([]);
  });

  test("takes every registration that stays out of the total, and removes a total of 0", async () => {
    const entered = { fname: "Ada", basicInformation: { diet: "vegan" } };
    given(registration("a", { status: "checkedIn", points: 7, ...entered }));
    expect(await failuresOf(event)).toEqual([]);
    const Key = { PK: `USER#${email}`, SK: "POINTS" };
    const [_counts, kept, emptied, dropped] = sent.transactions().map(({ TransactItems }) => TransactItems);
    expect(kept).toMatchObject([
      { Put: { Item: { SK: "REG#a#2030", status: "checkedIn", points: 7, ofDeletedAccount: true } } },
      { Update: { Key, ExpressionAttributeValues: { ":gained": -7 } } },
      { Put: { Item: { detailType: "registration.updated" } } },
    ]);
    expect(emptied).toMatchObject([
      { Put: { Item: { SK: "REG#a#2030", form: "{}" } } },
      { Put: { Item: { detailType: "registration.updated" } } },
    ]);
    expect(dropped).toMatchObject([
      { Delete: { Key, ConditionExpression: "attribute_not_exists(PK) OR points = :none" } },
    ]);
  });

  test("comes again when one registration could not be cancelled; the others are, and the total stays for the next try", async () => {
    given(registration("a"), registration("b"));
    table.on(get, { Key: { PK: `USER#${email}`, SK: "REG#a#2030" } } as never).rejects(broken);
    expect(await failuresOf(event)).toEqual(["m1"]);
    expect(readKeys()).toContain("REG#b#2030");
    expect(drops()).toBe(0);
  });
});
