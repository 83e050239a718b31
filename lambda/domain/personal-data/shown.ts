/** What a stored item says about a person. Pure. */
import type { Item } from "#kit/table/table.ts";
import { partitionOf, storedKindOf } from "#outbox/stored-kinds.ts";

/** What is not among a person's records, and why. */
export const leftOut = {
  feedback:
    "A submission without a name or an email is stored under a keyed hash, so that no reader of the table can see who wrote it.",
  "other people":
    "A record about another person that names this one, such as a change that this person made as an admin, is given by its kind and time only.",
  "sent mails": "The service does not keep them. Which notices were sent is in markers and deliveries.",
  "sign-in account":
    "The user pool has the email, the names and the password, as a verifier that cannot be read, and its own log of sign-ins. An operator's answer has what can be read of it.",
  payments: "Card and payer data is kept by the payment provider, under the sessions in checkouts and payments.",
  chat: "The chat of the club's team keeps what it was told, such as who registered and came. The team deletes it there.",
  backups:
    "The table can be restored to any second of the last 35 days. A deleted record is gone from there after that.",
  "archive of the bus": "It has copies of the messages about the person for 90 days.",
  logs: "They name no person.",
  "requests with a key": "They are stored under a hash, sealed with the caller's key, for one day.",
} as const satisfies Readonly<Record<string, string>>;

const partOfEmail = /[a-z0-9.!$%&'*+/=?^_`{|}~@-]/;

/** Whether the email is in the text as a whole, not as part of a longer one: `ann@x.ca` in `joann@x.ca`. */
function isWhole(text: string, email: string): boolean {
  for (let at = text.indexOf(email); at >= 0; at = text.indexOf(email, at + 1)) {
    const [before = "", after = ""] = [text[at - 1], text[at + email.length]];
    const ends =
      !partOfEmail.test(after) || (/[.!?]/.test(after) && !/[a-z0-9]/.test(text[at + email.length + 1] ?? ""));
    if (!partOfEmail.test(before) && ends) return true;
  }
  return false;
}

/** Whether a value of an item names the person, at any depth. */
export function names(value: unknown, email: string): boolean {
  if (typeof value === "string") return value.toLowerCase().includes(email) && isWhole(value.toLowerCase(), email);
  if (value instanceof Set) return [...value].some((one) => names(one, email));
  if (Array.isArray(value)) return value.some((one) => names(one, email));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, one]) => names(key, email) || names(one, email));
}

/** Fields with the person that a record is about. */
const subjects = ["email", "respondentEmail"] as const;

/** The person's own entries of a list in a shared record. */
const ownOf = (list: readonly unknown[], email: string) => list.filter((one) => names(one, email));

/** Keys and index attributes are not personal data, nor is the name that is to lead to no person. */
const withoutKeys = ({
  GSI1PK: _GSI1PK,
  GSI1SK: _GSI1SK,
  leaderboard: _leaderboard,
  pseudonym: _pseudonym,
  ttl: _ttl,
  ...fields
}: Item): object => fields;

export interface Shown {
  readonly kind: string;
  readonly record: object;
}

/** The part of an item about the person. Undefined when it does not name the person. */
export function shownOf(item: Item, email: string): Shown | undefined {
  if (!names(item, email)) return undefined;
  const kind = storedKindOf(item) ?? "unknown";
  if (item.PK === partitionOf("account", { email })) return { kind, record: withoutKeys(item) };
  if (kind === "batch of a campaign") {
    return { kind, record: { PK: item.PK, SK: item.SK, recipients: ownOf(item.recipients as unknown[], email) } };
  }
  if (kind === "outbox row") {
    const { detailType, detail } = item as {
      detailType?: unknown;
      detail?: { metadata?: object; data?: { email?: unknown } };
    };
    const subject = detail?.data?.email;
    if (subject === undefined || subject === email) return { kind, record: { detailType, ...detail } };
    return { kind: "actions about others", record: { detailType, metadata: detail?.metadata } };
  }
  const isTheirs =
    subjects.some((field) => item[field] === email) ||
    [item.PK, item.SK].some((part) => part === email || part.endsWith(`#${email}`));
  if (isTheirs) return { kind, record: withoutKeys(item) };
  return { kind: "named in records of others", record: { kind, PK: names(item.PK, email) ? item.PK : undefined } };
}
