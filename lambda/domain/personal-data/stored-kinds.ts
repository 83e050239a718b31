/**
 * Every kind of item in the table, with the patterns of its keys: small letters stand for a value, the rest is literal.
 * `docs/design.md` ("The data model") says what the items hold, and `npm run ops -- check` has their rules. Tests refuse
 * an item that is of none of these kinds.
 */
export const storedKinds = {
  event: ["EVENT#id#year", "META"],
  "memory of a deleted event": ["EVENT#id#year", "GONE#generation"],
  "mark of an announced mail": ["EVENT#id#year", "ANNOUNCED#generation#mail"],
  "kept report": ["EVENT#id#year", "REPORT#generation"],
  seats: ["SEAT#id#year#00", "POOL"],
  "place in the partners' line": ["WAIT#id#year#PARTNERS", "ms#ulid"],
  "place in line": ["WAIT#id#year", "ms#ulid"],
  registration: ["USER#email", "REG#id#year"],
  "request of a guest": ["GUEST#email", "id#year"],
  hold: ["HOLD", "ms#id#year#email"],
  "door link": ["DOOR#id#year", "LINK"],
  "device at the door": ["DOOR#id#year", "DEVICE#id"],
  "scans of a ticket": ["SCAN#id#year#generation", "mark"],
  "total points": ["USER#email", "POINTS"],
  account: ["USER#email", "USER"],
  membership: ["USER#email", "MEMBER"],
  profile: ["USER#email", "PROFILE"],
  "profile id": ["PID#profile", "PID"],
  checkout: ["PAY#checkout", "CHECKOUT"],
  "latest checkout of an event": ["USER#email", "CHECKOUT#EVENT#id#year"],
  "latest checkout of the membership": ["USER#email", "CHECKOUT#MEMBER"],
  session: ["PAY#session", "SESSION"],
  settlement: ["PAY#session", "SETTLED"],
  payment: ["PAY#payment", "PAYMENT"],
  "mark of the reconciliation": ["RECONCILIATION", "MARK"],
  "payment that waits": ["PAYMENTS#WAITING", "ms#session"],
  "own payment": ["USER#email", "RECEIPT#session"],
  "own refund": ["USER#email", "REFUND#id"],
  "outbox row": ["OUT#hour#shard", "ulid"],
  "marker of a notice": ["SENT#channel#email", "notice"],
  campaign: ["CMP", "id"],
  "content of a campaign": ["CMP#id", "CONTENT"],
  "batch of a campaign": ["CMP#id", "BATCH#number"],
  "delivery of a campaign": ["CMPR#id", "email"],
  "request with a key": ["REQ#hash", "REQ"],
  "request for a campaign": ["CMPREQ#hash", "CMPREQ"],
  "closed token": ["TOKEN#token", "CLOSED"],
  "closed sign-up": ["SIGNUPS", "CLOSED"],
  "count of mails with codes": ["SIGNUPS#hour", "kind"],
  suppression: ["SUPPRESSED", "email"],
  "lifted suppression": ["UNSUPPRESSED", "email"],
  template: ["TPL#name", "TPL"],
  "line of a template": ["TPL", "name"],
  prize: ["PRIZE", "id"],
  "note of an import": ["IMPORT#hash", "IMPORT"],
  feedback: ["FB#id#year#form", "hash"],
  "project, text": ["BTXP#project", "META"],
  "project, market": ["BTXP#project", "MARKET"],
  "account in the game": ["USER#email", "BTX#event"],
  "listed game account": ["BTXA#event", "email"],
  trade: ["BTXT#project", "ms#ulid"],
  "other price change": ["BTXM#project", "ms#ulid"],
} as const satisfies Readonly<Record<string, readonly [partition: string, sort: string]>>;

export type StoredKind = keyof typeof storedKinds;

/** A value has at least one character, of any kind. */
const expressionOf = (pattern: string): RegExp => new RegExp(`^${pattern.replaceAll(/[a-z]+/g, ".+")}$`, "s");

const expressions = Object.entries(storedKinds).map(
  ([kind, keys]) => [kind as StoredKind, ...(keys.map(expressionOf) as [RegExp, RegExp])] as const,
);

/** The kind of an item; undefined when the service writes no such items. */
export const storedKindOf = ({ PK, SK }: { readonly PK: string; readonly SK: string }): StoredKind | undefined =>
  expressions.find(([, partition, sort]) => partition.test(PK) && sort.test(SK))?.[0];
