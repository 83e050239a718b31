/**
 * The surroundings in which the capacity protocol is tested: the product's own code, with every call to the table
 * released one at a time by fast-check's scheduler. Calls can be refused, or get lost before or after they are carried
 * out. Actors can vanish between two calls, and eventually consistent reads can be old. No real time passes.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import {
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionInProgressException,
} from "@aws-sdk/client-dynamodb";
import { BatchGetCommand, TransactWriteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { jest } from "@jest/globals";
import type fc from "fast-check";
import type { RequestContext } from "#kit/request/context.ts";
import { givenSettings } from "../settings.ts";
import { InvalidExpression, type Item } from "./expression.ts";
import { type Changed, MemoryTable } from "./table.ts";

givenSettings({ TABLE_NAME: "Model" });

/** The context of the nth request of a run, which is made now. Its new ids are ULIDs by their form. */
export function contextOf(n: number, now: number, actor = "model"): RequestContext {
  const number = (value: number) => String(value).padStart(13, "0");
  let ids = 0;
  return {
    ...{ now, actor, requestId: `r${n}`, queueKey: `${now}#${String(n).padStart(26, "0")}` },
    deadline: performance.now() + 15_000,
    newId: () => number(n) + number(++ids),
  };
}

/** A call to the table: its actor, and the document client's command. */
export interface Call {
  readonly actor: string;
  readonly command: unknown;
  /**
   * The number of the call in its run. A read of an abandoned try may be carried out after the read of the next try.
   */
  readonly issued: number;
}

/**
 * The fate of a call. `failed`: the call never arrives. `lost`: the call is carried out, but its answer never arrives.
 * `late`: the caller stops waiting first, and the call is carried out at some later moment. Until then DynamoDB answers
 * a transaction with the same token that it is in progress, or, if the call is still on its way, carries that one out.
 * `vanish`: the actor never makes another call.
 */
export type Fate = "fine" | "conflict" | "failed" | "lost" | "late" | "vanish";

/** The changes that a run makes to calls. */
export interface Interference {
  readonly fate: (call: Call, isWrite: boolean) => Fate;
  /** How many values old an eventually consistent read is; for a strong read of several items, how it is torn. */
  readonly age: () => number;
  /** The length of a pause between two tries, in milliseconds. */
  readonly pause: () => number;
  /** Changes a command before it is carried out: a mutant of the protocol. */
  readonly mutate?: ((call: Call) => void) | undefined;
  /** Changes an answer, or the error in its place: a mutant that sees other facts than the stored ones. */
  readonly disguise?: ((call: Call, answer: object) => object) | undefined;
  /** Whether a pause comes before a call: a mutant that makes a call after another one, not beside it. */
  readonly delays?: ((call: Omit<Call, "issued">) => boolean) | undefined;
}

/** Sees every call before and after it is carried out. */
export interface Witness {
  /** A call leaves its caller. */
  issued?(call: Call): void;
  commit(changes: readonly Changed[], actor: string): void;
  answered(call: Call, answer: object): void;
}

interface World {
  readonly table: MemoryTable;
  readonly witness: Witness;
  order?: fc.Scheduler | undefined;
  interference?: Interference | undefined;
  /** Changes the answers to an actor that runs alone. */
  disguise?: Interference["disguise"];
  readonly trace: string[];
  /** The number of waiting calls of each actor. An actor is removed when it is done or has vanished. */
  readonly waiting: Map<string, number>;
  readonly vanish: Map<string, () => void>;
  /** Tokens of transactions that are still to be carried out although their callers have stopped waiting. */
  readonly inProgress: Set<string>;
  calls: number;
}

/** More calls than any run needs that does not go round in circles. */
const maxCalls = 3_000;
export class Livelock extends Error {}

const actors = new AsyncLocalStorage<string>();
const forever = new Promise<never>(() => undefined);
let world: World | undefined;
let milliseconds = 0;

const immediate = () => new Promise<void>((resolve) => setImmediate(resolve));
const current = (): World => {
  if (!world) throw new Error("a call outside of every run");
  return world;
};
export const actorNow = (): string => actors.getStore() ?? "nobody";

/** Lets the released call finish, and every actor reach its next call. */
export async function settle(release: () => Promise<void>): Promise<void> {
  await release();
  const { waiting } = current();
  for (let patience = 20; patience > 0; patience -= 1) {
    await immediate();
    if (![...waiting.values()].includes(0)) return;
  }
}

async function turn(label: string): Promise<void> {
  const { order, waiting } = current();
  const actor = actorNow();
  if (!order) return;
  if (!waiting.has(actor)) return forever;
  waiting.set(actor, (waiting.get(actor) ?? 0) + 1);
  await order.schedule(Promise.resolve(), label);
  const left = waiting.get(actor);
  if (left === undefined) return forever;
  waiting.set(actor, left - 1);
}

/** Lets other actors come first. No time passes. */
export const pass = (): Promise<void> => turn(`${actorNow()}: pass`);

// A pause between two tries takes no real time, but other actors may come first.
jest.unstable_mockModule("node:timers/promises", () => ({
  setTimeout: async () => {
    milliseconds += world?.interference?.pause() ?? 1;
    await turn(`${actorNow()}: pause`);
  },
}));
jest.spyOn(performance, "now").mockImplementation(() => milliseconds);

const isWrite = (command: unknown): boolean =>
  command instanceof UpdateCommand || command instanceof TransactWriteCommand;

const metadata = { $metadata: { httpStatusCode: 400 }, message: "" };
const noAnswer = () => Object.assign(new Error("no answer in time"), { name: "TimeoutError" });

export function conflictFor(command: unknown): Error {
  if (!(command instanceof TransactWriteCommand)) return new ProvisionedThroughputExceededException(metadata);
  const CancellationReasons = (command.input.TransactItems ?? []).map(() => ({ Code: "TransactionConflict" }));
  return new TransactionCanceledException({ ...metadata, CancellationReasons });
}

const tokenOf = (command: unknown): string | undefined =>
  command instanceof TransactWriteCommand ? command.input.ClientRequestToken : undefined;

/** Carries a call out at a later moment. No caller waits for it. */
function carryOutLate({ actor, command, issued }: Call, label: string): void {
  const { order, table, trace, inProgress } = current();
  // Every other late call has not reached DynamoDB yet.
  const token = issued % 2 === 0 ? tokenOf(command) : undefined;
  if (token !== undefined) inProgress.add(token);
  const carryOut = () => {
    if (token !== undefined) inProgress.delete(token);
    try {
      actors.run(actor, () => table.execute(command, () => 0));
      trace.push(`${label} -> done late`);
    } catch (error) {
      if (error instanceof InvalidExpression) throw error;
      trace.push(`${label} -> late, ${(error as Error).name}`);
    }
  };
  void order?.schedule(Promise.resolve(), `${label}, late`).then(carryOut);
}

const nameOf = (command: unknown): string => {
  const { input } = command as { input: Record<string, unknown> };
  const name = (command as object).constructor.name.replace("Command", "");
  const about = Object.values((input.Key ?? input.ExpressionAttributeValues ?? {}) as object)[0];
  return `${name}${typeof about === "string" ? ` ${about}` : ""}`;
};

/**
 * A strong read of several items in two parts, because DynamoDB reads the items of a batch one by one.
 * @param at 0: in one; 1: the first item before the others; 2: behind them
 */
function torn({ input }: BatchGetCommand, at: number): readonly BatchGetCommand[] {
  const [[table, { Keys = [], ...how }] = ["", { Keys: [], ConsistentRead: false }]] = Object.entries(
    input.RequestItems ?? {},
  );
  if (at === 0 || Keys.length < 2 || !how.ConsistentRead) return [];
  const parts = [Keys.slice(0, 1), Keys.slice(1)].map(
    (keys) => new BatchGetCommand({ RequestItems: { [table]: { ...how, Keys: keys } } }),
  );
  return at === 1 ? parts : parts.reverse();
}

/** Reads the parts of a batch; others may write between them. */
async function readTorn(parts: readonly BatchGetCommand[], label: string): Promise<object> {
  const { table } = current();
  const found: Record<string, Item[]> = {};
  for (const [n, part] of parts.entries()) {
    if (n > 0) await turn(`${label}, the rest`);
    const { Responses = {} } = table.execute(part, () => 0) as { Responses?: Record<string, Item[]> };
    for (const [name, items] of Object.entries(Responses)) found[name] = [...(found[name] ?? []), ...items];
  }
  return { Responses: found };
}

/** Replaces the document client's `send`. */
async function send(command: unknown): Promise<object> {
  const here = current();
  const { interference, table, witness, trace } = here;
  const asked = { actor: actorNow(), command };
  if (!interference) {
    const answer = table.execute(command, () => 0);
    return here.disguise?.({ ...asked, issued: 0 }, answer) ?? answer;
  }
  if (interference.delays?.(asked)) await turn(`${asked.actor}: pause`);
  here.calls += 1;
  const call = { ...asked, issued: here.calls };
  if (here.calls > maxCalls) throw new Livelock("round in circles");
  interference.mutate?.(call);
  const label = `${call.actor}: ${nameOf(command)}`;
  witness.issued?.(call);
  await turn(label);
  const fate = interference.fate(call, isWrite(command));
  if (fate === "vanish") {
    trace.push(`${label} -> vanishes before it`);
    here.vanish.get(call.actor)?.();
    return forever;
  }
  if (fate === "conflict") {
    trace.push(`${label} -> conflict`);
    throw conflictFor(command);
  }
  if (fate === "failed") {
    trace.push(`${label} -> failed`);
    throw noAnswer();
  }
  if (fate === "late") {
    trace.push(`${label} -> under way, answer lost`);
    carryOutLate(call, label);
    throw noAnswer();
  }
  if (here.inProgress.has(tokenOf(command) ?? "")) {
    trace.push(`${label} -> in progress`);
    throw new TransactionInProgressException(metadata);
  }
  const disguise = (answer: object) => interference.disguise?.(call, answer) ?? answer;
  let answer: object;
  try {
    const parts = command instanceof BatchGetCommand ? torn(command, interference.age()) : [];
    answer = parts.length > 0 ? await readTorn(parts, label) : table.execute(command, interference.age);
    witness.answered(call, answer);
    trace.push(`${label} -> ${fate === "lost" ? "done, answer lost" : "done"}`);
  } catch (error) {
    if (error instanceof InvalidExpression) throw error;
    trace.push(`${label} -> ${(error as Error).name}`);
    const told = disguise(fate === "lost" ? noAnswer() : (error as Error));
    if (told instanceof Error) throw told;
    return told;
  }
  if (fate === "lost") throw disguise(noAnswer());
  return disguise(answer);
}

/** Puts the model's table behind the product's client. */
export async function openWorld(): Promise<void> {
  const { client } = await import("#kit/table/table.ts");
  Object.assign(client, { send });
}

/** A new table, from which the product reads until the next one is made. */
export function newWorld(witness: Witness, table = new MemoryTable()): MemoryTable {
  milliseconds = 0;
  world = { table, witness, trace: [], waiting: new Map(), vanish: new Map(), inProgress: new Set(), calls: 0 };
  table.onCommit = (changes) => witness.commit(changes, actorNow());
  return table;
}

/**
 * One actor runs alone, and no call fails.
 * @param disguise changes an answer: a mutant of what the actor sees
 */
export function alone<T>(name: string, act: () => Promise<T>, disguise?: Interference["disguise"]): Promise<T> {
  Object.assign(current(), { disguise });
  return actors.run(name, act);
}

/** All actors run at once until each has finished or vanished. */
export async function together(
  people: Readonly<Record<string, () => Promise<void>>>,
  order: fc.Scheduler,
  interference: Interference,
): Promise<void> {
  const here = current();
  Object.assign(here, { order, interference });
  for (const name of Object.keys(people)) here.waiting.set(name, 0);
  const all = Object.entries(people).map(([name, act]) => {
    const vanished = new Promise<void>((resolve) => here.vanish.set(name, resolve));
    return Promise.race([actors.run(name, act), vanished]).finally(() => here.waiting.delete(name));
  });
  try {
    await order.waitFor(Promise.all(all));
    // Late calls are carried out before the results are judged.
    while (order.count() > 0) await settle(() => order.waitOne());
  } finally {
    Object.assign(here, { order: undefined, interference: undefined });
  }
}

/** The calls of the run, to find the cause of a violation. */
export const traceOf = (): readonly string[] => current().trace;
