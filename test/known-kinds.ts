/** Refuses items whose kind the service does not declare. */
import { type DynamoDBDocumentClient, paginateScan } from "@aws-sdk/lib-dynamodb";
import { storedKindOf } from "#domain/catalogue/stored-kinds.ts";

/** @throws Error that says where to add the kind */
export function expectKnownKind({ PK, SK }: { readonly PK?: unknown; readonly SK?: unknown }): void {
  if (storedKindOf({ PK: String(PK), SK: String(SK) })) return;
  throw new Error(
    `An item ${PK} / ${SK} was stored, and no kind has such keys. Add it to \`storedKinds\` in lambda/domain/catalogue/stored-kinds.ts ` +
      'and to the table of docs/design.md, "The data model"; its rule, if it has one, to tools/ops/invariants/rules.ts; ' +
      "an example to test/unit/stored-items.test.ts.",
  );
}

/** The same for all items of a table. */
export async function expectKnownKinds(client: DynamoDBDocumentClient, TableName: string): Promise<void> {
  for await (const { Items } of paginateScan({ client }, { TableName, ProjectionExpression: "PK, SK" })) {
    for (const item of Items ?? []) expectKnownKind(item);
  }
}
