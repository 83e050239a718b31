/**
 * Delivers a message as AWS may: at least twice, each time to a fresh instance of the function, the first of which dies at
 * any of its writes or calls to other services. What a consumer leaves has to be the same each time.
 */
import { DynamoDBDocumentClient, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { jest } from "@jest/globals";
import { sourcesIn } from "../../tools/upkeep/repository/imports.ts";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";

type Handler = (event: never) => Promise<{ readonly batchItemFailures: readonly unknown[] }>;

export interface Delivered {
  /** Loads the module of the function, with nothing that an earlier instance remembers. */
  readonly load: () => Promise<Handler>;
  readonly items: readonly object[];
  /** The body of the message in the queue. */
  readonly body: object;
  /**
   * Partitions of the marks of what is sent at most once: after a death it may be lost, and the mark stays as it was.
   */
  readonly atMostOnce?: RegExp;
}

class Death extends Error {}

class Surroundings {
  table = new MemoryTable();
  now = Date.parse("2029-12-01T12:00:00Z");
  /** What other services were told, in order. */
  effects: string[] = [];
  /** Writes and calls to other services so far, and the one at which the process dies. */
  calls = 0;
  death: { readonly at: number; readonly isCarriedOut: boolean } | undefined;

  /** A write, or a call to another service. */
  call<T>(carryOut: () => T): T {
    this.calls += 1;
    const { at = Number.POSITIVE_INFINITY, isCarriedOut = false } = this.death ?? {};
    if (this.calls > at || (this.calls === at && !isCarriedOut)) throw new Death("before the call");
    const answer = carryOut();
    if (this.calls === at) throw new Death("before the answer");
    return answer;
  }

  tell(effect: string): void {
    this.call(() => void this.effects.push(effect));
  }

  send(command: object): object {
    const isWrite = command instanceof UpdateCommand || command instanceof TransactWriteCommand;
    if (this.death && this.calls >= this.death.at) throw new Death("over");
    return isWrite ? this.call(() => this.table.execute(command, () => 0)) : this.table.execute(command, () => 0);
  }
}

let here: Surroundings;

/** Packages and the compiler of schemas have no memory of messages, and take seconds: all instances share them. */
async function sharePackages(): Promise<void> {
  const imported = /^(?:import|export) (?!type\b)[^;]*?from "([@a-z][^"]*)"|import\("([@a-z][^"]*)"\)/gm;
  const names = Object.values(sourcesIn("lambda/consumers", "lambda/domain", "lambda/outbox", "lambda/kit")).flatMap(
    (source) => [...source.matchAll(imported)].flatMap(([, a, b]) => a ?? b ?? []),
  );
  const shareable = names.filter((one) => !one.startsWith("node:"));
  for (const name of new Set([...shareable, "#kit/schema/compile.ts"])) {
    const shared = await import(name);
    jest.unstable_mockModule(name, () => shared);
  }
}

/** The provider makes a refund once for each key, and ends a session as often as it is told. */
function provider(method: string, path: string, body: string, key: string): object {
  const form = Object.fromEntries(new URLSearchParams(body));
  if (method === "GET") return { object: "list", data: [], has_more: false };
  const [, id] = /sessions\/(\w+)\/expire/.exec(path) ?? [];
  const effect = id === undefined ? `refund ${key}` : `end ${id}`;
  here.call(() => here.effects.includes(effect) || here.effects.push(effect));
  if (id !== undefined) return { id, object: "checkout.session", status: "expired", payment_status: "unpaid" };
  const made = { id: "re_1", object: "refund", status: "succeeded", currency: "cad", created: 1 };
  return { ...made, amount: Number(form.amount), payment_intent: form.payment_intent, metadata: { refund: key } };
}

const connection = {
  getClientName: () => "test",
  makeRequest: async (
    _host: string,
    _port: string,
    path: string,
    method: string,
    headers: Record<string, string>,
    body: string,
  ) => {
    const answer = provider(method, path, body ?? "", headers["Idempotency-Key"] ?? "");
    const plain = {
      getStatusCode: () => 200,
      getHeaders: () => ({}),
      getRawResponse: () => ({}),
      toStream: () => ({}),
    };
    return { ...plain, toJSON: async () => answer };
  },
};

/** Puts fakes behind the clients of AWS, chat and payment provider. Before any module of a function is loaded. */
export async function givenServices(): Promise<void> {
  await sharePackages();
  const { SESClient } = await import("@aws-sdk/client-ses");
  const { Stripe } = await import("stripe");
  Object.assign(Stripe, { createFetchHttpClient: () => connection });
  Object.assign(Stripe.prototype, { getMaxNetworkRetries: () => 0 });
  const spy = (on: object, send: (command: never) => object) =>
    jest
      .spyOn(on as { send: () => unknown }, "send")
      .mockImplementation((async (command: never) => send(command)) as never);
  spy(DynamoDBDocumentClient.prototype, (command) => here.send(command));
  spy(SESClient.prototype, ({ input }: { input: { Destinations: string[] } }) => {
    here.tell(`mail to ${input.Destinations}`);
    return { MessageId: "1" };
  });
  jest.unstable_mockModule("#domain/notices/webhook.ts", () => ({
    postChat: async () => {
      here.tell("chat");
      return { outcome: "posted" };
    },
  }));
  jest.unstable_mockModule("#kit/secret.ts", () => ({
    readSecret: async (name: string) =>
      name === "payments"
        ? JSON.stringify({ apiKey: "sk_test_1", webhookSecrets: ["whsec_1"] })
        : "https://chat.example/hook",
  }));
  jest.unstable_mockModule("#domain/notices/qr.ts", () => ({ qrPng: async (code: string) => Buffer.from(code) }));
  jest.unstable_mockModule("node:timers/promises", () => ({ setTimeout: async () => undefined }));
  jest.spyOn(Date, "now").mockImplementation(() => here.now);
}

/** Loads a consumer anew. */
export const fresh = (path: string) => async (): Promise<Handler> => {
  jest.resetModules();
  return (await import(path)).handler;
};

/** One delivery to a new instance. @returns whether the message has to come again */
async function deliver({ load, body }: Delivered, count: number): Promise<boolean> {
  const handler = await load();
  const attributes = { ApproximateReceiveCount: `${count}` };
  const record = { messageId: "m", body: JSON.stringify(body), attributes };
  const { batchItemFailures } = await handler({ Records: [record] } as never);
  return batchItemFailures.length > 0;
}

/** What is left, without what is made by chance, times, and the marks of a try. */
function left({ atMostOnce }: Delivered): string[] {
  const items = here.table.all().filter(({ PK }) => !/^TOKEN#/.test(`${PK}`) && !atMostOnce?.test(`${PK}`));
  return items
    .map((item) =>
      JSON.stringify(item)
        .replaceAll(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, "ulid")
        .replaceAll(/\b\d{10}(?:\d{3})?\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time")
        .replaceAll(/(OUT|AUD)#time(#\d)?/g, "hour")
        .replaceAll(/"(?:claimedBy|tries|leaseUntil|ticketId|calendarUid)":(?:"[^"]*"|\d+),?/g, ""),
    )
    .sort();
}

interface Outcome {
  readonly left: readonly string[];
  readonly effects: readonly string[];
  readonly calls: number;
}

/** Delivers until the consumer says that it is done, and `more` times. */
async function run(delivered: Delivered, death?: Surroundings["death"], more = 0): Promise<Outcome | undefined> {
  here = new Surroundings();
  for (const item of delivered.items) here.table.seed(item as never);
  here.death = death;
  for (let count = 1, isDone = false; !isDone || more-- > 0; count += 1, here.now += 61_000) {
    isDone = !(await deliver(delivered, count)) || isDone;
    here.death = undefined;
    if (count > 4) return undefined;
  }
  return { left: left(delivered), effects: here.effects, calls: here.calls };
}

/** @param mayDiffer by how many a death may change what other services are told: lost, or told again */
function faultIn(
  found: Outcome | undefined,
  once: Outcome,
  mayDiffer: { lost: number; again: number },
): string | undefined {
  if (!found) return "it is never done";
  if (`${found.left}` !== `${once.left}`) return "the table is not the same";
  const lost = once.effects.filter((one) => !found.effects.includes(one)).length;
  if (lost > mayDiffer.lost) return "other services are not told";
  return found.effects.length + lost - once.effects.length > mayDiffer.again
    ? "other services are told again"
    : undefined;
}

/**
 * What is wrong with how a consumer takes a message that comes twice, and one whose first try is killed. A death may cost
 * one repetition of what other services are told, or its loss where that is sent at most once.
 * @returns a sentence for each fault, none when all is well
 */
export async function faultsOf(delivered: Delivered): Promise<string[]> {
  const once = await run(delivered);
  if (!once) return ["delivered once, it is never done"];
  if (once.calls === 0) return ["it calls nothing after this message: store what it reads in `items`"];
  const twice = faultIn(await run(delivered, undefined, 1), once, { lost: 0, again: 0 });
  const faults = twice === undefined ? [] : [`delivered twice: ${twice}`];
  const cost = delivered.atMostOnce ? { lost: 1, again: 0 } : { lost: 0, again: 1 };
  for (let at = 1; at <= once.calls; at += 1) {
    for (const isCarriedOut of [false, true]) {
      const fault = faultIn(await run(delivered, { at, isCarriedOut }), once, cost);
      if (fault !== undefined) faults.push(`killed ${isCarriedOut ? "after" : "before"} call ${at}: ${fault}`);
    }
  }
  return faults;
}
