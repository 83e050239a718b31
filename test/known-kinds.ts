/** Refuses items whose kind the service does not declare, and addresses in fields that it does not declare as personal. */
import { type DynamoDBDocumentClient, paginateScan } from "@aws-sdk/lib-dynamodb";
import { emailFields, personalFieldsOf, type StoredKind, storedKindOf } from "#outbox/stored-kinds.ts";

type StoredItem = Readonly<Record<string, unknown>>;

const address = /[^\s"'<>@:#]@[a-z0-9-]+\.[a-z]/i;
const everywhere: ReadonlySet<string> = new Set(["PK", "SK", "GSI1PK", "GSI1SK", ...emailFields]);

/** The names of the fields, at any depth, with an address. */
function fieldsWithAddress(value: unknown, field: string): string[] {
  if (typeof value === "string") return value.includes("@") && address.test(value) ? [field] : [];
  if (Array.isArray(value)) return value.flatMap((one) => fieldsWithAddress(one, field));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => fieldsWithAddress(one, name));
}

/** A personal field may have addresses at any depth. */
function undeclared(item: StoredItem, kind: StoredKind): string | undefined {
  const personal: readonly string[] = personalFieldsOf(kind);
  const others = Object.entries(item).filter(([name]) => !personal.includes(name));
  return others
    .flatMap(([name, value]) => fieldsWithAddress(value, name))
    .find((name) => !everywhere.has(name) && !personal.includes(name));
}

/** @throws Error that says where to add the kind, or the field */
export function expectKnownKind(item: StoredItem): void {
  const [PK, SK] = [String(item.PK), String(item.SK)];
  const kind = storedKindOf({ PK, SK });
  if (!kind) {
    throw new Error(
      `An item ${PK} / ${SK} was stored, and no kind has such keys. Add it to \`storedKinds\` in lambda/outbox/stored-kinds.ts ` +
        'and to the table of docs/design.md, "The data model"; its rule, if it has one, to tools/ops/invariants/rules.ts; ' +
        "an example to test/unit/stored-items.test.ts.",
    );
  }
  const field = undeclared(item, kind);
  if (field === undefined) return;
  throw new Error(
    `An item ${PK} / ${SK} (${kind}) has an address in \`${field}\`, where no export and no erasure looks for one. Leave it out, ` +
      "or add the field in lambda/outbox/stored-kinds.ts.",
  );
}

/** The same for all items of a table. */
export async function expectKnownKinds(client: DynamoDBDocumentClient, TableName: string): Promise<void> {
  for await (const { Items } of paginateScan({ client }, { TableName })) {
    for (const item of Items ?? []) expectKnownKind(item);
  }
}
