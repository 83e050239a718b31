/** The same operations against the engine and against AWS's DynamoDB Local. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { errorName, type Json, type ProtocolClient, type Reply } from "./protocol-client.ts";
import { type Step, step } from "./sequences.ts";
import { givenDefinition } from "./table.ts";

const sets = new Set(["SS", "NS", "BS"]);

/** One way to write a number: AWS stores `2.50` as `2.5`, DynamoDB Local only where it is not nested. */
const plainNumber = (text: string): string => String(Number(text));

/**
 * The parts of an answer that must be equal: without request ids and messages, sets in one order. DynamoDB Local counts
 * capacity differently from AWS (nothing for missing items), so other tests compare it with AWS's documentation.
 */
function essence(operation: string, reply: Reply): unknown {
  const { body } = reply;
  if (reply.status !== 200) {
    const { Item, CancellationReasons } = body as { Item?: unknown; CancellationReasons?: Json[] };
    const reasons = CancellationReasons?.map(({ Code, Item: old }) => ({ Code, Item: old }));
    return ordered({ status: reply.status, error: errorName(reply), Item, reasons });
  }
  if (operation === "BatchGetItem") {
    for (const items of Object.values(body.Responses as Record<string, unknown[]>)) items.sort(byText);
  }
  const { ConsumedCapacity: _units, ...rest } = body;
  return ordered(rest);
}

const byText = (a: unknown, b: unknown): number => (JSON.stringify(ordered(a)) < JSON.stringify(ordered(b)) ? -1 : 1);

/**
 * In AWS's documentation an error in an update is the reason of a cancelled transaction; for some errors DynamoDB Local
 * refuses the whole request instead.
 */
export const saysTheSame = (operation: string, ours: Reply, theirs: Reply): boolean =>
  isDeepStrictEqual(essence(operation, ours), essence(operation, theirs)) ||
  (errorName(theirs) === "ValidationException" &&
    ((ours.body.CancellationReasons ?? []) as Json[]).some(
      ({ Code, Message }) => Code === "ValidationError" && Message === (theirs.body.message ?? theirs.body.Message),
    ));

/** Names and sets in one order; undefined is absent. */
function ordered(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) {
    const elements = value.map((element) => ordered(element));
    return sets.has(name) ? elements.sort() : elements;
  }
  if (name === "N") return plainNumber(value as string);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, ordered(part, key)]),
  );
}

let tables = 0;

/** A request that is written for the table `Club`, for another one. */
export const inTable = (body: Json, TableName: string): Json =>
  JSON.parse(JSON.stringify(body).replaceAll('"Club"', `"${TableName}"`));

/** A table as the product has it. */
export async function createTable(client: ProtocolClient, TableName: string): Promise<void> {
  const { TimeToLiveSpecification: _ttl, StreamSpecification: _stream, ...definition } = givenDefinition({ TableName });
  const { status, body } = await client.call("CreateTable", { ...definition, BillingMode: "PAY_PER_REQUEST" });
  if (status !== 200) throw new Error(`no table: ${JSON.stringify(body)}`);
}

/** All stored items, in the table and in both indexes. */
async function finalState(client: ProtocolClient, TableName: string): Promise<unknown> {
  const state: Record<string, unknown> = {};
  for (const IndexName of [undefined, "GSI1", "Leaders"]) {
    const { body } = await client.call("Scan", { TableName, IndexName });
    state[IndexName ?? "table"] = ordered((body.Items as unknown[]).sort(byText));
  }
  return state;
}

const different = (of: unknown, ours: unknown, theirs: unknown): Error =>
  new Error(`The engine answers otherwise than AWS: ${JSON.stringify({ of, ours, theirs }, undefined, 1)}`);

/** How many operations were compared, by operation and outcome. */
export type Tally = Map<string, number>;

/** Carries out a sequence on both sides; every answer and the final state must be the same. */
async function playBoth(
  engine: ProtocolClient,
  reference: ProtocolClient,
  TableName: string,
  steps: readonly Step[],
  tally: Tally,
): Promise<void> {
  for (const { operation, body } of steps) {
    const request = inTable(body, TableName);
    const [ours, theirs] = await Promise.all([engine.call(operation, request), reference.call(operation, request)]);
    const outcome = `${operation} ${ours.status === 200 ? "fine" : errorName(ours)}`;
    tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
    if (!saysTheSame(operation, ours, theirs)) throw different({ operation, request }, ours.body, theirs.body);
  }
  const [ours, theirs] = [await finalState(engine, TableName), await finalState(reference, TableName)];
  if (!isDeepStrictEqual(ours, theirs)) throw different("final state", ours, theirs);
}

/** Random sequences, each in a table of its own. */
export async function compareSequences(
  engine: ProtocolClient,
  reference: ProtocolClient,
  { sequences, steps, shrink = true }: { sequences: number; steps: number; shrink?: boolean },
): Promise<Tally> {
  const tally: Tally = new Map();
  await fc.assert(
    fc.asyncProperty(fc.array(step("Club"), { minLength: steps, maxLength: steps }), async (some) => {
      tables += 1;
      const name = `Table${process.pid}n${tables}`;
      await Promise.all([createTable(engine, name), createTable(reference, name)]);
      await playBoth(engine, reference, name, some, tally);
    }),
    { numRuns: sequences, endOnFailure: !shrink },
  );
  return tally;
}
