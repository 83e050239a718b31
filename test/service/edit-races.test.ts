/**
 * Two admins who have read the same version save at the same moment, and an admin whose save gets no answer. Both with
 * the protection, and without it to show that it is needed. The handlers run here, on a table of their own.
 */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { startTableEngine, type TableEngine } from "../../tools/laptop/dynamodb/index.ts";
import { givenDefinition } from "../../tools/laptop/test/engine/table.ts";
import { gatewayEvent } from "../gateway-event.ts";
import { givenSettings } from "../settings.ts";
import { editedRecords, editingRoutes, kinds, paramsOf } from "./edited-records.ts";
import { exec } from "./given.ts";

type Handler = (event: unknown) => Promise<APIGatewayProxyStructuredResultV2>;
type Send = (args: { input: unknown }) => Promise<unknown>;
type Member = Record<string, { ConditionExpression?: string; ExpressionAttributeValues?: object } | undefined>;

let engine: TableEngine;
const handlers = new Map<string, Handler>();
/** Stands between the handlers and the table, for each transaction. */
let between: (next: Send, args: { input: unknown }) => Promise<unknown>;
const direct: typeof between = (next, args) => next(args);

beforeAll(async () => {
  engine = await startTableEngine();
  await engine.ensureTable(givenDefinition());
  givenSettings({ TABLE_NAME: "Club", AWS_ENDPOINT_URL_DYNAMODB: engine.url, BUS_NAME: "bus" });
  const { client } = await import("#kit/table/table.ts");
  const middleware =
    (next: Send, { commandName }: { commandName?: string }) =>
    (args: { input: unknown }) =>
      commandName === "TransactWriteCommand" || commandName === "TransactWriteItemsCommand"
        ? between(next, args)
        : next(args);
  client.middlewareStack.add(middleware as never, { step: "initialize", priority: "high" });
  for (const name of new Set(editingRoutes.map((key) => capabilityOf(key)))) {
    const { handler } = (await import(`../../lambda/api/${name}/index.ts`)) as { handler: Handler };
    handlers.set(name, handler);
  }
});
afterEach(() => {
  between = direct;
  clock = undefined;
});
afterAll(() => engine.close());

let requests = 0;
/** Epoch milliseconds at which the gateway receives the requests. Undefined: now. */
let clock: number | undefined;
/** An admin calls a handler. @returns status and tag of the answer */
async function call(capability: string, routeKey: string, params: object, body: object, ifMatch?: string) {
  requests += 1;
  const tag = ifMatch === undefined ? {} : { "if-match": ifMatch };
  const asked = { as: exec, params, query: {}, body, headers: tag, requestId: `r${requests}`, at: clock ?? Date.now() };
  const { statusCode, headers } = await (handlers.get(capability) as Handler)(gatewayEvent(routeKey, asked));
  return { status: statusCode, tag: String(headers?.etag) };
}

/** The first part of its path. */
const capabilityOf = (key: string): string => /[a-z]+/.exec(key)?.[0] as string;

/** An admin calls a route about one record. */
const ask = (key: string, id: string, body: object, ifMatch?: string) =>
  call(capabilityOf(key), key, paramsOf(key, id), body, ifMatch);

/**
 * Lets two transactions reach the table only when both are decided, so that both admins have read the same; then one
 * after the other, so that neither is only in the other's way.
 */
function bothDecidedFirst(change: (args: { input: unknown }) => void = () => undefined): typeof between {
  const waiting: (() => void)[] = [];
  let last: Promise<unknown> = Promise.resolve();
  return async (next, args) => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      if (waiting.length >= 2) for (const go of waiting) go();
    });
    change(args);
    const turn = last.then(() => next(args));
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** Takes the condition of each record away, with the values that only it names. */
function withoutCondition({ input }: { input: unknown }): void {
  for (const member of (input as { TransactItems: Member[] }).TransactItems) {
    for (const item of [member.Put, member.Delete]) {
      delete item?.ConditionExpression;
      delete item?.ExpressionAttributeValues;
    }
  }
}

/** The first answer of the table gets lost on its way. The transaction is committed. */
function firstAnswerLost(): typeof between {
  let lost = false;
  return async (next, args) => {
    const answer = await next(args);
    if (lost) return answer;
    lost = true;
    throw Object.assign(new Error("no answer"), { name: "TimeoutError" });
  };
}

let records = 0;
const given = async (name: string, saveKey = editedRecords[name]?.save[0] as string) => {
  records += 1;
  const { create, remove, body } = editedRecords[name] as (typeof editedRecords)[string];
  const kind = {
    create: (id: string) => ask(create, id, body(id, "First")),
    save: (id: string, value: string, tag: string) => ask(saveKey, id, body(id, value), tag),
    remove: (id: string, tag: string) => ask(remove, id, {}, tag),
  };
  const id = `record-${records}`;
  between = direct;
  const { status, tag } = await kind.create(id);
  expect(status).toBeLessThan(300);
  return { ...kind, id, tag };
};
const statuses = (answers: readonly { status: number | undefined }[]) => answers.map(({ status }) => status).sort();

describe.each(kinds)("%s, saved by %s", (name, key) => {
  test("is saved by one of two admins who have read the same and save at the same moment", async () => {
    const { id, tag, save } = await given(name, key);
    between = bothDecidedFirst();
    const answers = await Promise.all([save(id, "By one", tag), save(id, "By the other", tag)]);
    expect(statuses(answers)).toEqual([200, 412]);
    const [first, second] = answers.map((answer) => answer.tag);
    expect([first, first === tag]).toEqual([second, false]);
  });

  test("control: without the condition of the write, both are told that they have saved", async () => {
    const { id, tag, save } = await given(name, key);
    between = bothDecidedFirst(withoutCondition);
    expect(statuses(await Promise.all([save(id, "By one", tag), save(id, "By the other", tag)]))).toEqual([200, 200]);
  });

  test("is not removed by an admin who has not seen the save of the same moment", async () => {
    const { id, tag, save, remove } = await given(name, key);
    between = bothDecidedFirst();
    const [saved, removed] = await Promise.all([save(id, "By one", tag), remove(id, tag)]);
    // One of the two comes first. For the other one the record has changed, or is gone.
    expect([
      [200, 412],
      [200, 404],
      [404, 200],
      [412, 200],
    ]).toContainEqual([saved.status, removed.status]);
  });

  test("control: without the condition of the write, it is saved and removed", async () => {
    const { id, tag, save, remove } = await given(name, key);
    between = bothDecidedFirst(withoutCondition);
    expect(statuses(await Promise.all([save(id, "By one", tag), remove(id, tag)]))).toEqual([200, 200]);
  });

  test("whose save got no answer is not refused for its own work", async () => {
    const { id, tag, save } = await given(name, key);
    between = firstAnswerLost();
    const saved = await save(id, "Second", tag);
    expect([saved.status, saved.tag === tag]).toEqual([200, false]);
    expect(await save(id, "Third", saved.tag)).toMatchObject({ status: 200 });
  });

  test("control: with another token for each try, the admin is told 412 for the own save", async () => {
    const { seam } = await import("#kit/seam.ts");
    const { id, tag, save } = await given(name, key);
    const { tokenOf } = seam;
    seam.tokenOf = () => randomUUID();
    between = firstAnswerLost();
    try {
      expect((await save(id, "Second", tag)).status).toBe(412);
    } finally {
      seam.tokenOf = tokenOf;
    }
  });
});

test.each(["an event", "a template", "a prize"])(
  "%s that is made, removed and made again in one millisecond has another tag",
  async (name) => {
    clock = Date.now();
    const { id, tag, create, save, remove } = await given(name);
    expect((await remove(id, "*")).status).toBe(200);
    const again = await create(id);
    expect([again.status, again.tag === tag]).toEqual([201, false]);
    expect(await save(id, "Second", tag)).toEqual({ status: 412, tag: again.tag });
  },
);
