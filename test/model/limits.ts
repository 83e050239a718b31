/** Requests that AWS refuses whatever is stored. The product must never send one: here it fails the run. */
import { marshall } from "@aws-sdk/util-dynamodb";
import {
  emptyKeyIssue,
  expressionIssue,
  itemIssue,
  itemSize,
  keyIssue,
  nestingIssue,
} from "../../tools/laptop/dynamodb/limits.ts";
import { maxTransactionBytes } from "../../tools/laptop/dynamodb/members.ts";
import type { AttributeMap, AttributeValue } from "../../tools/laptop/dynamodb/protocol.ts";
import { InvalidExpression, type Item, type Placeholders } from "./expression.ts";

const maxMembers = 100;

const asSent = (item: object): AttributeMap =>
  marshall(item, { removeUndefinedValues: true }) as unknown as AttributeMap;

function refuse(issue: string | undefined): void {
  if (issue !== undefined) throw new InvalidExpression(`AWS refuses: ${issue}`);
}

const known = new Map<string, string | undefined>();
function expressionIssueOf(text: string): string | undefined {
  if (!known.has(text)) known.set(text, expressionIssue(text));
  return known.get(text);
}

const between = /\bBETWEEN\s+(:\w+)\s+AND\s+(:\w+)/g;

/** AWS refuses a BETWEEN whose given bounds are in the wrong order. */
function boundsIssue(text: string, { values }: Placeholders): string | undefined {
  for (const [, low = "", high = ""] of text.matchAll(between)) {
    const [from, to] = [values[low], values[high]] as [string, string];
    if (from > to) return "The BETWEEN operator requires upper bound to be greater than or equal to lower bound";
  }
  return undefined;
}

/** @throws InvalidExpression when AWS would refuse the request */
export function checkExpressions(texts: readonly (string | undefined)[], given: Placeholders): void {
  for (const text of texts) {
    if (text === undefined) continue;
    refuse(text.trim() === "" ? "The expression can not be empty" : expressionIssueOf(text));
    refuse(boundsIssue(text, given));
  }
  const values = asSent(given.values);
  refuse(nestingIssue(values));
}

const keyAttributes = [
  { name: "PK", kind: "HASH" },
  { name: "SK", kind: "RANGE" },
] as const;

/** @throws InvalidExpression when AWS would refuse the request */
export function checkKey(item: Item): void {
  for (const { name, kind } of keyAttributes) {
    if (typeof item[name] !== "string") throw new InvalidExpression(`the key lacks ${name}`);
    const value: AttributeValue = { S: item[name] };
    refuse(emptyKeyIssue(value, { name, kind }) ?? keyIssue(value, kind));
  }
}

const indexKey = /^GSI\d(?:PK|SK)$/;

/**
 * @param item the whole item after a write
 * @throws InvalidExpression
 */
export function checkItem(item: Item): void {
  refuse(itemIssue(asSent(item)));
  for (const [name, value] of Object.entries(item)) {
    if (indexKey.test(name))
      refuse(emptyKeyIssue({ S: String(value) }, { name, kind: "HASH", index: name.slice(0, 4) }));
  }
}

/**
 * @param stored the items after the writes, and the checked items
 * @throws InvalidExpression
 */
export function checkTransaction(members: number, stored: readonly (Item | undefined)[]): void {
  if (members === 0 || members > maxMembers) throw new InvalidExpression(`a transaction of ${members} members`);
  const bytes = stored.reduce((sum, item) => sum + (item ? itemSize(asSent(item)) : 0), 0);
  if (bytes > maxTransactionBytes) throw new InvalidExpression(`a transaction of ${bytes} bytes`);
}
