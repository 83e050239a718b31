/** DynamoDB: what the engine adds to dynalite, and the limits. */
import { startTableEngine } from "../../dynamodb/index.ts";
import type { Case } from "../engine/case.ts";
import { createTable } from "../engine/compare.ts";
import { limits } from "../engine/limits.ts";
import { operations as documented } from "../engine/operations.ts";
import { type Json, outcomeOf, type ProtocolClient, protocolClient, reasonsOf } from "../engine/protocol-client.ts";
import { compareWithMiniStack, type Difference, type Operation } from "./compare.ts";

const cases: readonly Case[] = [...documented, ...limits];

const operations: readonly Operation<ProtocolClient>[] = cases.map(
  ({ name, request, outcome, reasons, message, shows = {} }) => [
    name,
    async (client) => {
      const reply = await client.call(...request);
      const { Item, Attributes } = reply.body;
      const seen: Json = { ...reply.body, ...reply.body.CancellationReasons?.at(-1).Item, ...Item, ...Attributes };
      return {
        outcome: outcomeOf(reply),
        reasons: reasonsOf(reply)?.map(({ Code }) => Code),
        message: message && reply.body.message,
        shows: Object.fromEntries(
          Object.keys(shows).map((field) => [field, Object.hasOwn(seen, field) ? seen[field] : undefined]),
        ),
      };
    },
    { outcome, reasons, message, shows },
  ],
);

const lacking = (source: string, ...names: readonly string[]): readonly Difference[] =>
  names.map((operation) => [operation, { outcome: "fine", shows: {} }, source]);

const differences: readonly Difference[] = [
  [
    "elements removed as they were counted before",
    { outcome: "fine", shows: { l: { L: [{ N: "1" }, { N: "3" }] } } },
    "Expressions.UpdateExpressions, REMOVE: deletes elements by their index, and shifts what remains",
  ],
  ...lacking(
    "API_TransactWriteItem: a member is one of ConditionCheck, Put, Delete and Update",
    "a member of two kinds",
  ),
  ...lacking("API_Query: a filter has no key attributes", "a filter on a key"),
  ...lacking("API_ConditionCheck: ConditionExpression is required", "a check without a condition"),
  ...lacking(
    "Quotas: operators of expressions, depth of paths, lengths of names",
    "301 operators",
    "a filter of 301 operators",
    "functions and sums: 301",
    "101 operands",
    "a path of 33 levels",
    "an attribute without a name",
  ),
  ...lacking("Quotas: a number has 38 digits at most", "a sum of 39 digits"),
  ...lacking(
    "Quotas: a partition key has 2,048 bytes at most and a sort key 1,024, also those of indexes",
    "a query of a sort key too long",
    "an index's partition key too long",
    "an index's sort key too long, without the other",
    "an index key too long by an update",
    "an index key too long in a transaction",
    "an index key too long by an update in a transaction",
  ),
  ...lacking(
    "Quotas: the items of a transaction have 4 MB at most",
    "more than 4 MB with what is only checked",
    "more than 4 MB of reads",
  ),
  ...lacking("API_TransactWriteItems: ClientRequestToken is a text", "a token that is a number"),
];

const withTable = async (client: ProtocolClient): Promise<ProtocolClient> => {
  await createTable(client, "Club");
  return client;
};

compareWithMiniStack({
  operations,
  differences,
  ours: async () => {
    const engine = await startTableEngine({ conflictMilliseconds: 0 });
    const client = await withTable(protocolClient(engine.url));
    return {
      ...client,
      close: async () => {
        client.close();
        await engine.close();
      },
    };
  },
  theirs: ({ client }) => withTable(protocolClient(client.endpoint, client.credentials.accessKeyId)),
});
