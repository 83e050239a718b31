/** The same operations against the engine and against AWS's DynamoDB Local. */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { errorName, outcomeOf, type ProtocolClient, type Reply, reasonsOf } from "./protocol-client.ts";
import { type Step, step } from "./sequences.ts";
import { givenDefinition } from "./table.ts";

const sets = new Set(["SS", "NS", "BS"]);

/**
 * The parts of an answer that must be equal: without request ids and messages, sets in one order. DynamoDB Local tells
 * the capacity of some deletes also unasked, and counts it differently from AWS.
 */
function essence(operation: string, reply: Reply): unknown {
  const { body } = reply;
  if (reply.status !== 200) {
    const reasons = reasonsOf(reply)?.map(({ Code, Item }) => ({ Code, Item }));
    return ordered({ status: reply.status, error: errorName(reply), Item: body.Item, reasons });
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
    (reasonsOf(ours) ?? []).some(
      ({ Code, Message }) => Code === "ValidationError" && Message === (theirs.body.message ?? theirs.body.Message),
    ));

/** Names and sets in one order; undefined is absent. */
function ordered(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) {
    const elements = value.map((element) => ordered(element));
    return sets.has(name) ? elements.sort() : elements;
  }
  // AWS stores `2.50` as `2.5`, DynamoDB Local only where it is not nested.
  if (name === "N") return String(Number(value));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, ordered(part, key)]),
  );
}

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
  [engine, reference]: Sides,
  TableName: string,
  steps: readonly Step[],
  tally: Tally,
): Promise<void> {
  for (const { operation, body } of steps) {
    const [ours, theirs] = await Promise.all([engine.call(operation, body), reference.call(operation, body)]);
    const outcome = `${operation} ${outcomeOf(ours)}`;
    tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
    if (!saysTheSame(operation, ours, theirs)) throw different({ operation, body }, ours.body, theirs.body);
  }
  const [ours, theirs] = [await finalState(engine, TableName), await finalState(reference, TableName)];
  if (!isDeepStrictEqual(ours, theirs)) throw different("final state", ours, theirs);
}

/** The engine, and DynamoDB Local. */
export type Sides = readonly [ProtocolClient, ProtocolClient];

let tables = 0;

/** Random sequences, each in a table of its own. @throws Error the sides answer differently */
export async function compareSequences(
  sides: Sides,
  { sequences, steps, shrink = true }: { sequences: number; steps: number; shrink?: boolean },
): Promise<Tally> {
  const tally: Tally = new Map();
  await fc.assert(
    fc.asyncProperty(fc.array(step("Club"), { minLength: steps, maxLength: steps }), async (some) => {
      tables += 1;
      const name = `Table${process.pid}n${tables}`;
      for (const side of sides) await createTable(side, name);
      await playBoth(sides, name, JSON.parse(JSON.stringify(some).replaceAll('"Club"', `"${name}"`)), tally);
    }),
    { numRuns: sequences, endOnFailure: !shrink },
  );
  return tally;
}
