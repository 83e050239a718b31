/** DynamoDB: every documented operation, the corners of keys, expressions and indexes, and the limits. */
import { startTableEngine } from "../../dynamodb/index.ts";
import { createTable, inTable } from "../engine/compare.ts";
import { edges } from "../engine/edges.ts";
import { limitEdges } from "../engine/limit-edges.ts";
import { type Case, cases } from "../engine/operations.ts";
import { errorName, type Json, type ProtocolClient, protocolClient } from "../engine/protocol-client.ts";
import { compareWithMiniStack, type Difference, type Operation } from "./compare.ts";

const lists: Readonly<Record<string, readonly Case[]>> = { Operations: cases, Corners: edges, Limits: limitEdges };

/** Each list begins with an empty table of its own. */
const operations: readonly Operation<ProtocolClient>[] = Object.entries(lists).flatMap(([table, some]) =>
  some.map(({ name, operation, body, outcome, reasons }) => ({
    name: `${table}: ${name}`,
    call: async (client) => {
      const reply = await client.call(operation, inTable(body, table));
      const codes = (reply.body.CancellationReasons as Json[] | undefined)?.map(({ Code }) => Code);
      return { outcome: reply.status === 200 ? "fine" : errorName(reply), reasons: codes };
    },
    answer: { outcome, reasons },
  })),
);

const fine = { outcome: "fine", reasons: undefined };
const lacking = (source: string, table: string, ...names: readonly string[]): readonly Difference[] =>
  names.map((name) => ({ operation: `${table}: ${name}`, theirs: fine, source }));

const differences: readonly Difference[] = [
  {
    operation: "Operations: a member of two kinds",
    theirs: { outcome: "TransactionCanceledException", reasons: ["ConditionalCheckFailed"] },
    source: "API_TransactWriteItem: a member is one of ConditionCheck, Put, Delete and Update",
  },
  ...lacking(
    "API_UpdateTimeToLive: enabling what is enabled is a ValidationException",
    "Operations",
    "expiry switched on again",
  ),
  ...lacking(
    "Expressions.UpdateExpressions: operands are numbers, and paths do not overlap",
    "Corners",
    "a sum with text",
    "the same path twice",
    "an expression that is none",
  ),
  ...lacking("API_Query: a filter has no key attributes", "Corners", "a filter on a key"),
  ...lacking("API_ConditionCheck: ConditionExpression is required", "Corners", "a check without a condition"),
  ...lacking(
    "Quotas: lengths and operators of expressions, depth of paths, lengths of names and values",
    "Limits",
    "301 operators",
    "151 ranges",
    "101 sizes, which count",
    "300 negations",
    "101 operands",
    "a path of 33 levels",
    "functions and sums: 301",
    "a filter of 301 operators",
    "301 operators in a transaction",
    "a placeholder of 256 bytes",
    "a name of 256 bytes",
    "an empty name",
    "more than 2 MB of values",
    "an attribute without a name",
  ),
  ...lacking("Quotas: a number has 38 digits at most", "Limits", "a sum of 39 digits"),
  ...lacking(
    "Quotas: a partition key has 2,048 bytes at most and a sort key 1,024, also those of indexes",
    "Limits",
    "a query of a sort key too long",
    "an index's partition key too long",
    "an index's sort key too long",
    "an index's sort key too long, without the other",
    "an index key too long by an update",
    "an index key too long in a transaction",
    "an index key too long by an update in a transaction",
  ),
  ...lacking(
    "Quotas: the items of a transaction have 4 MB at most",
    "Limits",
    "more than 4 MB with what is only checked",
    "more than 4 MB of reads",
  ),
  ...lacking(
    "API_TransactWriteItems: ClientRequestToken is a text of 1 to 36 characters",
    "Limits",
    "an empty token",
    "a token that is a number",
  ),
];

async function withTables(client: ProtocolClient): Promise<ProtocolClient> {
  for (const table of Object.keys(lists)) await createTable(client, table);
  return client;
}

compareWithMiniStack({
  operations,
  differences,
  ours: async () => {
    const engine = await startTableEngine({ conflictMilliseconds: 0 });
    const client = await withTables(protocolClient(engine.url));
    return {
      ...client,
      close: async () => {
        client.close();
        await engine.close();
      },
    };
  },
  theirs: ({ client }) => withTables(protocolClient(client.endpoint, client.credentials.accessKeyId)),
});
