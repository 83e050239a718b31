/** What a new email does with each kind of item, and an item under the new one. Pure. */
import type { Item } from "#kit/table/table.ts";
import { type PersonalKind, type StoredKind, storedKindOf } from "#outbox/stored-kinds.ts";

/**
 * `moves`: in the one transaction, so that each seat, place in line and membership has a person at any moment. `follows`:
 * afterwards, one by one. `goes`: it is removed then. `waits`: while there is one, the email stays. `ends`: by itself, or it
 * stays with the former address, and what is left there is erased as after a deletion.
 */
type Fate = "moves" | "follows" | "goes" | "waits" | "ends";

// biome-ignore format: one row a kind
const fates = {
  account: "moves",
  membership: "moves",
  "end of a term": "moves",
  profile: "moves",
  "profile id": "moves",
  "total points": "moves",
  "forgiven no-shows": "moves",
  registration: "moves",
  "place in line": "moves",
  "place in the partners' line": "moves",
  "account in the game": "moves",
  "listed game account": "moves",
  "own payment": "follows",
  payment: "follows",
  "own refund": "follows",
  checkout: "follows",
  "signed feedback": "follows",
  feedback: "follows",
  trade: "follows",
  "scans of a ticket": "follows",
  "offer of a seat": "follows",
  suppression: "follows", // A copy: the former address wants no news either.
  hold: "waits",
  "latest checkout of an event": "goes", // A late payment is settled by its checkout.
  "latest checkout of the membership": "goes",
  "address of a calendar": "goes", // It is sealed with the former email.
  "new email": "ends",
  "request of a guest": "ends",
  "erasure to come": "ends",
  "outbox row": "ends",
  "audit row": "ends",
  "marker of a notice": "ends",
  "batch of a campaign": "ends",
  "delivery of a campaign": "ends",
  "lifted suppression": "ends",
  "count of a mailbox's codes": "ends",
  "count of a mailbox's new passwords": "ends",
  "count of a mailbox's guest links": "ends",
} as const satisfies Readonly<Record<PersonalKind, Fate>>;

const known: Readonly<Partial<Record<StoredKind, Fate>>> = fates;

export const fateOf = (item: Item): Fate => known[storedKindOf(item) ?? "event"] ?? "ends";

const keys = new Set(["PK", "SK", "GSI1PK", "GSI1SK"]);

/** A value with the new email for the former one. Longer texts are the person's words, and stay. */
function valueWith(value: unknown, from: string, to: string): unknown {
  if (typeof value === "string") return value.toLowerCase() === from ? to : value;
  if (Array.isArray(value)) return value.map((one) => valueWith(one, from, to));
  if (typeof value !== "object" || value === null || value instanceof Set) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, valueWith(one, from, to)]));
}

const partsWith = (text: string, from: string, to: string): string =>
  text
    .split("#")
    .map((part) => (part === from ? to : part))
    .join("#");

/** An item of one email as an item of another. */
export function renamed(item: Item, from: string, to: string): Item {
  const isRegistration = storedKindOf(item) === "registration";
  const other = (name: string, value: unknown): unknown => {
    if (typeof value !== "string") return valueWith(value, from, to);
    if (keys.has(name)) return partsWith(value, from, to);
    if (isRegistration && name === "form") return JSON.stringify(valueWith(JSON.parse(value), from, to));
    return valueWith(value, from, to);
  };
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, other(name, value)])) as Item;
}

/** The condition that an item is as it was read: by its version and generation, or by all that was read of it. */
export function unchanged({ PK: _PK, SK: _SK, ...read }: Item) {
  const { version, generation } = read;
  const versioned = { version, ...(generation !== undefined && { generation }) };
  const fields = Object.entries(typeof version === "number" ? versioned : read);
  if (fields.length === 0) return { ConditionExpression: "attribute_exists(PK)" };
  return {
    ConditionExpression: fields.map((_, at) => `#f${at} = :f${at}`).join(" AND "),
    ExpressionAttributeNames: Object.fromEntries(fields.map(([name], at) => [`#f${at}`, name])),
    ExpressionAttributeValues: Object.fromEntries(fields.map(([, value], at) => [`:f${at}`, value])),
  };
}
