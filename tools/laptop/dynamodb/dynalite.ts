/**
 * The only file that uses dynalite's internals. dynalite brings validation, expressions and storage, for one item at
 * a time. The files around it add transactions, conflicts, streams, expiry and capacity. dynalite ships no types.
 */
import { createRequire } from "node:module";
import {
  type ExpressionKind,
  emptyIndexKeyIssue,
  emptyKeyIssue,
  expressionContentIssue,
  expressionSizeIssue,
  indexKeyIssue,
  itemIssue,
  keyIssue,
  nestingIssue,
} from "./limits.ts";
import {
  type AttributeMap,
  type AttributeValue,
  RequestFailed,
  type TableDescription,
  unreadable,
  validationFailure,
} from "./protocol.ts";
import type { Section } from "./section.ts";

const require = createRequire(import.meta.url);

export type Callback<T> = (error: Error | null, value?: T) => void;

/** One key space of the store, as dynalite's actions use it: the items of a table, or an index. */
export interface KeySpace {
  lock(key: string, run: (release: <F>(callback: F) => F) => void): void;
  get(key: string, callback: Callback<AttributeMap>): void;
  put(key: string, value: AttributeMap, callback: Callback<void>): void;
  del(key: string, callback: Callback<void>): void;
  createValueStream(range: object): unknown;
  createReadStream(range: object): unknown;
}

export type BatchOperation =
  | { readonly type: "put"; readonly key: string; readonly value: unknown }
  | { readonly type: "del"; readonly key: string };

/** A range of keys. */
export interface Range {
  readonly gt?: string;
  readonly gte?: string;
  readonly lt?: string;
  readonly lte?: string;
  readonly limit?: number;
  readonly reverse?: boolean;
}

/** An iterator that returns many values at a time. */
interface Values {
  nextv(size: number): Promise<AttributeMap[]>;
  close(): Promise<void>;
}

/** The store that dynalite's actions work on. */
export interface Store {
  readonly options: { readonly maxItemSize: number };
  readonly tableDb: { awsRegion: string; awsAccountId: string };
  readonly db: {
    open(): Promise<void>;
    getSync(key: string): unknown;
    batch(operations: readonly BatchOperation[]): Promise<void>;
    keys(range: Range): AsyncIterable<string>;
    values(range: Range): Values;
    iterator(range: Range): AsyncIterable<[string, unknown]>;
    clear(range: Range): Promise<void>;
    close(): Promise<void>;
  };
  getTable: (
    name: string,
    checkStatus: boolean | Callback<TableDescription>,
    callback?: Callback<TableDescription>,
  ) => void;
  getItemDb(table: string): KeySpace;
  getIndexDb(kind: string, table: string, index: string): KeySpace;
}

/** An operand of a condition: the path of an attribute, a value, or `size(path)`. */
export type Operand =
  | readonly (string | number)[]
  | AttributeValue
  | { readonly type: string; readonly name: string; readonly args: readonly Operand[] };

/** A parsed condition. */
export interface Expression {
  readonly type: string;
  readonly name?: string;
  readonly args: readonly (Expression | Operand)[];
}

/** A validated request with the expressions that dynalite parsed. */
export interface Validated extends Record<string, unknown> {
  readonly TableName: string;
  Key?: AttributeMap;
  Item?: AttributeMap;
  ExpressionAttributeValues?: AttributeMap;
  _condition?: { readonly expression: Expression };
  _filter?: { readonly expression: Expression };
  _updates?: { readonly sections: readonly Section[] };
  _projection?: { readonly paths: unknown };
}

interface Database {
  create(options: object): Store;
  createKey(item: AttributeMap, table: TableDescription): string;
  validateKey(key: AttributeMap, table: TableDescription): Error | undefined;
  validateItem(item: AttributeMap, table: TableDescription): Error | undefined;
  mapPaths(paths: unknown, item: AttributeMap): AttributeMap;
  toLexiStr(value: string, type: string): string;
}

interface Validations {
  checkTypes(data: object, types: object): Validated;
  checkValidations(data: object, types: object, custom: unknown, store: Store): void;
}

const database = require("dynalite/db") as Database;
const validations = require("dynalite/validations") as Validations;

interface Parser {
  parse(text: string, options: object): unknown;
}

/** Makes a parser refuse expressions that are too long or too complex, in the order of AWS's checks. */
function limitParsed(parser: Parser, kind: ExpressionKind): void {
  const parse = parser.parse.bind(parser);
  // dynalite answers with the message of the thrown error.
  const check = (issue: string | undefined) => {
    if (issue) throw new Error(issue);
  };
  parser.parse = (text, options) => {
    check(expressionSizeIssue(text, kind));
    const result = parse(text, options);
    // The parser answers a text when it cannot understand an expression.
    if (typeof result !== "string") check(expressionContentIssue(text, kind));
    return result;
  };
}

for (const kind of ["condition", "update", "projection"] as const) {
  limitParsed(require(`dynalite/db/${kind}Parser`) as Parser, kind);
}

type Action = (store: Store, data: object, callback: Callback<Record<string, unknown>>) => void;

const operationNames = [
  "BatchGetItem",
  "CreateTable",
  "DeleteItem",
  "DescribeTable",
  "GetItem",
  "PutItem",
  "Query",
  "Scan",
  "UpdateItem",
] as const;
export type OperationName = (typeof operationNames)[number];

const fileOf = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

const operations = Object.fromEntries(
  operationNames.map((name) => [
    name,
    {
      action: require(`dynalite/actions/${fileOf(name)}`) as Action,
      validation: require(`dynalite/validations/${fileOf(name)}`) as { types: object; custom: unknown },
    },
  ]),
) as Record<OperationName, { action: Action; validation: { types: object; custom: unknown } }>;

/** An error of dynalite contains the answer to the caller. */
function asRequestFailed(error: Error & { statusCode?: number; body?: Record<string, unknown> }): Error {
  if (!error.statusCode || !error.body) return error;
  // For the key of a read, dynalite still has AWS's older wording.
  const body = JSON.stringify(error.body).replace(
    "were invalid: The AttributeValue for",
    "are not valid. The AttributeValue for",
  );
  return new RequestFailed(error.statusCode, JSON.parse(body));
}

/** Directory, region and account of a store. */
export interface Place {
  /** Absent: in memory. */
  readonly directory?: string;
  readonly region: string;
  readonly accountId: string;
}

export async function openStore({ directory, region, accountId }: Place): Promise<Store> {
  const store = database.create({ path: directory, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 });
  Object.assign(store.tableDb, { awsRegion: region, awsAccountId: accountId });
  await store.db.open();
  return store;
}

/** The parts of a request that become items, or parts of one. */
const itemParts = ["Item", "Key", "ExpressionAttributeValues"] as const;

/**
 * A copy without prototypes: dynalite looks attributes up by name, and an attribute may be named like a member of every
 * JavaScript object.
 */
function withoutPrototypes<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutPrototypes) as T;
  const copy = Object.create(null);
  for (const [name, part] of Object.entries(value)) copy[name] = withoutPrototypes(part);
  return copy;
}

/**
 * Checks a request as DynamoDB does before it looks at any item; fills in parsed expressions.
 * @throws RequestFailed ValidationException SerializationException
 */
export function validated(name: OperationName, data: object, store: Store): Validated {
  const { types, custom } = operations[name].validation;
  try {
    const checked = validations.checkTypes({ ...data }, types);
    for (const part of itemParts) {
      const items = checked[part];
      if (items) checked[part] = withoutPrototypes(items);
    }
    validations.checkValidations(checked, types, custom, store);
    assertAttributes(checked);
    return checked;
  } catch (error) {
    const failed = asRequestFailed(error as Error);
    // dynalite throws when a structure is null.
    throw failed instanceof RequestFailed ? failed : unreadable("The request has another structure than expected");
  }
}

/** dynalite limits the size of an item, but not its depth. */
function assertAttributes({ Item, ExpressionAttributeValues: values }: Validated): void {
  if (Item) refuse(itemIssue(Item));
  if (values) refuse(nestingIssue(values));
}

/** @throws RequestFailed ValidationException when there is an issue */
function refuse(issue: string | undefined): void {
  if (issue) throw validationFailure(issue);
}

/** Executes a validated request against a view of the store. */
export const act = (name: OperationName, store: Store, data: object): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    operations[name].action(store, data, (error, answer) => {
      if (error) reject(asRequestFailed(error));
      else resolve(answer as Record<string, unknown>);
    });
  });

/** The key under which an item is stored. The key must have been checked. */
export const storageKey = (key: AttributeMap, table: TableDescription): string => database.createKey(key, table);

/**
 * The key under which the item of a write, or of a read, is stored.
 * @throws RequestFailed ValidationException the key does not match the table's
 */
export function checkedStorageKey({ Key, Item }: Validated, table: TableDescription): string {
  const error = Key ? database.validateKey(Key, table) : database.validateItem(Item as AttributeMap, table);
  if (error) throw asRequestFailed(error);
  const item = (Key ?? Item) as AttributeMap;
  assertKeySizes(item, table);
  if (Item) assertIndexKeys(Item, table);
  return database.createKey(item, table);
}

/** @throws RequestFailed ValidationException the key of an index is empty or too long */
export function assertIndexKeys(
  item: AttributeMap,
  { GlobalSecondaryIndexes: indexes = [] }: TableDescription,
  { isUpdate = false } = {},
): void {
  for (const { IndexName: index, KeySchema } of indexes) {
    for (const { AttributeName: name, KeyType: kind } of KeySchema) {
      const value = item[name];
      if (value && isUpdate) refuse(emptyIndexKeyIssue(value));
      if (value) refuse(indexKeyIssue(value, { name, kind, index }));
    }
  }
}

/** dynalite counts characters instead of bytes. */
function assertKeySizes(key: AttributeMap, { KeySchema }: TableDescription): void {
  for (const { AttributeName: name, KeyType } of KeySchema) {
    const value = key[name];
    if (value) refuse(keyIssue(value, KeyType));
  }
}

/** @throws RequestFailed ValidationException a key of GetItem or BatchGetItem is too long */
export function assertReadKeys({ TableName, Key, RequestItems }: Validated, store: Store): void {
  const requests = (RequestItems ?? { [TableName]: { Keys: [Key] } }) as Record<string, { Keys: AttributeMap[] }>;
  for (const [name, { Keys }] of Object.entries(requests)) {
    const table = describedIn(store, name);
    if (table) for (const key of Keys) assertKeySizes(key, table);
  }
}

/**
 * A table's description, which is kept in memory: the store answers before its call returns.
 * @returns undefined where there is no such table: the operation itself is refused
 */
export function describedIn(store: Store, name: string): TableDescription | undefined {
  let table: TableDescription | undefined;
  store.getTable(name, (_error, description) => {
    table = description;
  });
  return table;
}

interface KeyCondition {
  readonly AttributeValueList?: readonly AttributeValue[];
}

/** @throws RequestFailed ValidationException a query uses a key that no item can have */
export function assertQueriedKeys({ TableName, KeyConditions, IndexName }: Validated, store: Store): void {
  const table = describedIn(store, TableName);
  if (!table) return;
  const index = table.GlobalSecondaryIndexes?.find((one) => one.IndexName === IndexName);
  const conditions = (KeyConditions ?? {}) as Record<string, KeyCondition | undefined>;
  for (const { AttributeName: name, KeyType: kind } of (index ?? table).KeySchema) {
    for (const value of conditions[name]?.AttributeValueList ?? []) {
      refuse(emptyKeyIssue(value, { name, kind, index: index?.IndexName }));
      // DynamoDB Local accepts a partition key of any length here, and finds nothing.
      if (kind === "RANGE") refuse(keyIssue(value, kind));
    }
  }
}

export const itemPrefix = (table: string): string => `item-${table}~`;
export const indexPrefix = (kind: string, table: string, index: string): string =>
  `index-${kind.toLowerCase()}~${table}~${index}~`;
/** All keys with a prefix: the part after it is hexadecimal, digits and slashes. */
export const within = (prefix: string): Range => ({ gte: prefix, lt: `${prefix}~` });

/** The key of a table's description. */
export const descriptionKey = (table: string): string => `table~${table}`;

/** @returns undefined when the item has no such attribute, also for names that every JavaScript object has */
export function pathValue(
  [name, ...rest]: readonly (string | number)[],
  item: AttributeMap,
): AttributeValue | undefined {
  const start = Object.hasOwn(item, name as string) ? item[name as string] : undefined;
  return rest.reduce<AttributeValue | undefined>((value, step) => {
    const container = (typeof step === "number" ? value?.L : value?.M) as Record<string | number, AttributeValue>;
    return container && Object.hasOwn(container, step) ? container[step] : undefined;
  }, start);
}

/** The attributes of an item that a projection selects. */
export const project = (paths: unknown, item: AttributeMap): AttributeMap =>
  database.mapPaths(paths, withoutPrototypes(item));

/** A string for each number of up to 38 digits; the strings sort like the numbers. */
export const sortableNumber = (text: string): string => database.toLexiStr(text, "N");
