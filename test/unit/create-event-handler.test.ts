/** POST /events: the calls to the table, and the answers to their outcomes. */
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import {
  admin,
  broken,
  caller,
  cancelled,
  contended,
  get,
  inProgress,
  internal,
  now,
  outcomeUnknown,
  putsOf,
  requestId,
  sent,
  table,
  throttled,
  transactWrite,
  unanswered,
  withoutPatience,
} from "./mocked-table.ts";

const { handler } = await import("#api/events/index.ts");
const call = caller(handler);
const body = { id: "gala", year: 2030, ename: "Gala", capac: 5, startDate: "2030-05-01T18:00:00Z" };
const create = (fields: object = {}, as = admin) => call("POST /events", { as, body: { ...body, ...fields } });

beforeEach(() => {
  table.reset();
  table.on(get).resolves({} as never);
  table.on(transactWrite).resolves({} as never);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** A cancelled transaction with a code for each of its members. */
const refused = (event: string, seats = "None") => cancelled(event, seats, "None", "None");
const conditionFailed = refused("ConditionalCheckFailed");
const another = { Item: { state: "OPEN", generation: "another" } } as never;
const generationOf = (transaction: number) => putsOf(sent.transactions()[transaction])[0]?.Item?.generation;

describe("creating an event sends", () => {
  test("one strongly consistent read of the seats, then one transaction", async () => {
    expect(await create()).toMatchObject({ status: 201, body: { item: { id: "gala" } } });
    expect(sent.gets()).toEqual([
      { TableName: "Unit", Key: { PK: "SEAT#gala#2030#00", SK: "POOL" }, ConsistentRead: true },
    ]);
    expect(sent.transactions()).toHaveLength(1);
    expect(table.calls()).toHaveLength(2);
  });

  test("the event, on condition that it does not exist", async () => {
    await create();
    const [event] = putsOf(sent.transactions()[0]);
    expect(event).toEqual({
      TableName: "Unit",
      ConditionExpression: "attribute_not_exists(PK)",
      Item: {
        PK: "EVENT#gala#2030",
        SK: "META",
        GSI1PK: "EVENTS#0",
        GSI1SK: "2030-05-01T18:00:00.000Z#gala#2030",
        ...body,
        startDate: "2030-05-01T18:00:00.000Z",
        isCompleted: false,
        scheduleVersion: 0,
        generation: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
        version: 1,
        termsVersion: 1,
        createdAt: now,
        updatedAt: now,
      },
    });
  });

  test("a hidden event into a list of its own", async () => {
    await create({ isPublished: false });
    expect(putsOf(sent.transactions()[0])[0]?.Item).toMatchObject({ GSI1PK: "EVENTS#H" });
  });

  test("its empty seats, on condition that there are none in use", async () => {
    await create();
    const [, seats] = putsOf(sent.transactions()[0]);
    expect(seats).toMatchObject({
      TableName: "Unit",
      ConditionExpression: "attribute_not_exists(PK) OR #state = :deleted",
      ExpressionAttributeNames: { "#state": "state" },
      ExpressionAttributeValues: { ":deleted": "DELETED" },
      Item: {
        PK: "SEAT#gala#2030#00",
        SK: "POOL",
        generation: generationOf(0),
        capacity: 5,
        seats: 0,
        gate: "direct",
        state: "OPEN",
        recreated: false,
      },
    });
  });

  test("seats that remember an earlier event of this name", async () => {
    table.on(get).resolves({ Item: { state: "DELETED", generation: "earlier" } } as never);
    expect((await create()).status).toBe(201);
    expect(putsOf(sent.transactions()[0])[1]?.Item?.recreated).toBe(true);
  });

  test("the message, with its actor and the request", async () => {
    await create();
    const message = putsOf(sent.transactions()[0])[2];
    expect(message).toMatchObject({
      ConditionExpression: "attribute_not_exists(PK)",
      Item: {
        PK: expect.stringMatching(/^OUT#2027011508#[0-7]$/),
        detailType: "event.created",
        detail: {
          metadata: { version: 1, occurredAt: new Date(now).toISOString(), actor: admin, correlationId: requestId },
          data: { id: "gala", year: 2030, ename: "Gala", version: 1 },
        },
      },
    });
    expect(message?.Item?.detail.metadata.id).toBe(message?.Item?.SK);
  });

  test.each<[string, object]>([
    ["a capacity of 0", { capac: 0 }],
    ["an end before the start", { endDate: "2030-04-30" }],
    ["nothing to choose", { registrationQuestions: [{ label: "Q", type: "SELECT", required: true, choices: [] }] }],
  ])("nothing for an event with %s", async (_, fields) => {
    expect((await create(fields)).status).toBe(400);
    expect(table.calls()).toHaveLength(0);
  });

  test("nothing for a caller who is no admin", async () => {
    const answer = await create({}, "exec@club.example.evil.example");
    expect(answer).toMatchObject({ status: 403, body: { code: "FORBIDDEN", message: "Unauthorized" } });
    expect(table.calls()).toHaveLength(0);
  });
});

describe("creating an event answers", () => {
  test.each([
    ["the event", conditionFailed],
    ["the seats", refused("None", "ConditionalCheckFailed")],
    ["both", refused("ConditionalCheckFailed", "ConditionalCheckFailed")],
  ])("a duplicate without another try when the event was created since the read, seen by %s", async (_, error) => {
    table
      .on(get)
      .resolvesOnce({} as never)
      .resolves(another);
    table.on(transactWrite).rejects(error);
    expect(await create()).toMatchObject({ status: 409, body: { code: "DUPLICATE", requestId } });
    expect([sent.gets().length, sent.transactions().length]).toEqual([2, 1]);
  });

  test("a duplicate without a transaction when the event exists", async () => {
    table.on(get).resolves(another);
    expect(await create()).toMatchObject({ status: 409, body: { code: "DUPLICATE", requestId } });
    expect(sent.transactions()).toHaveLength(0);
  });

  test.each([
    ["a conflict", refused("None", "TransactionConflict")],
    ["a throttled member", refused("ThrottlingError")],
    ["a throttled call", throttled],
  ])("the outcome of the second try after %s, for the same event", async (_, error) => {
    table
      .on(transactWrite)
      .rejectsOnce(error)
      .resolves({} as never);
    expect((await create()).status).toBe(201);
    expect([sent.gets().length, sent.transactions().length]).toEqual([2, 2]);
    expect(generationOf(1)).toBe(generationOf(0));
  });

  test.each([
    ["stays without an answer", unanswered],
    ["is still under way", inProgress],
  ])("success when the first try %s: the same transaction is sent again", async (_, error) => {
    // Also when the first try was committed: DynamoDB does not write a known token again.
    table
      .on(transactWrite)
      .rejectsOnce(error)
      .resolves({} as never);
    expect(await create()).toMatchObject({ status: 201, body: { item: { id: "gala", ename: "Gala" } } });
    const [first, second, ...others] = sent.transactions();
    expect([sent.gets().length, others]).toEqual([1, []]);
    expect(second).toEqual(first);
    expect(first?.ClientRequestToken).toMatch(/^[-0-9a-f]{36}$/);
  });

  test("a duplicate when another caller created the event during an unknown outcome", async () => {
    table
      .on(get)
      .resolvesOnce({} as never)
      .resolves(another);
    table.on(transactWrite).rejectsOnce(unanswered).rejects(conditionFailed);
    expect(await create()).toMatchObject({ status: 409, body: { code: "DUPLICATE" } });
  });

  test.each([
    ["reading", get],
    ["writing", transactWrite],
  ])("503 `CONTENDED` when %s is throttled for long", async (_, command) => {
    withoutPatience();
    table.on(command).rejects(throttled);
    expect(await create()).toEqual(contended);
  });

  test.each([
    ["reading fails unexpectedly", get, broken],
    ["writing fails unexpectedly", transactWrite, broken],
    ["a transaction is cancelled for another reason", transactWrite, refused("None", "ValidationError")],
  ])("500 without details when %s", async (_, command, error) => {
    withoutPatience();
    table.on(command).rejects(error);
    const answer = await create();
    expect(answer).toEqual(internal);
    expect(JSON.stringify(answer)).not.toContain("secret");
  });

  test("503 `OUTCOME_UNKNOWN` when a write stays without an answer for long", async () => {
    withoutPatience();
    table.on(transactWrite).rejects(unanswered);
    expect(await create()).toEqual(outcomeUnknown);
  });

  test("an error that a repeat cannot cure after one try", async () => {
    table.on(transactWrite).rejects(broken);
    await create();
    expect(table.calls()).toHaveLength(2);
  });
});
