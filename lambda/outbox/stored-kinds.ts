/**
 * The catalogue of what the table holds: every kind of item, with the patterns of its keys, whose it is, what in it is
 * personal, how long it stays, and why it outlives its person's account. The export, the plan of an erasure, the audit,
 * `npm run ops -- who` and `check` read it, stores make their keys by it, and the table of `docs/design.md` ("The data
 * model") says the same. A kind belongs here before anything stores it: a key of no kind does not compile.
 */
import {
  filled,
  type Key,
  type KeyPatterns,
  type KeyTexts,
  keyFrom,
  kitKinds,
  type ValuesOf,
} from "#kit/table/item.ts";

/** What happens to an item when its person deletes the account. */
type AfterDeletion =
  /** It goes with the account, or with the registration that is cancelled. */
  | { readonly goes: true }
  /** It stays, without what the person entered in it. */
  | { readonly isEmptied: string }
  /** It goes some weeks later, or stays under a name that leads to no person (`lambda/domain/personal-data/erase.ts`). */
  | { readonly goesLater: string }
  | { readonly isRenamed: string }
  /** It stays, until its end if it has one. */
  | { readonly stays: string };

interface StoredKindFacts {
  readonly keys: KeyPatterns;
  /** Time to live, in words. Absent: the item stays until something removes it. */
  readonly ttl?: string;
  /** Absent: of no person. */
  readonly personal?: {
    /** The fields of the record with personal data, besides the person's email. */
    readonly fields: readonly string[];
    readonly after: AfterDeletion;
  };
}

const goes = { goes: true } as const;
const stays = (why: string) => ({ stays: why }) as const;
const goesLater = (why: string) => ({ goesLater: why }) as const;
const isRenamed = (why: string) => ({ isRenamed: why }) as const;
const isEmptied = { isEmptied: "The ratings stay. Name, email and text go." } as const;
const counted = isRenamed("An event keeps its counts, its points and what was checked in.");
const books = isRenamed("The club's books must show every payment.");
const refunds = goesLater("Refunds may still come back.");
const provider = goesLater("The payment provider may still send an event about it.");
const games = isRenamed("The prices of a game are the sum of its trades.");
const twice = stays("Nothing is sent to anybody twice.");
const onceOnly = goesLater("Nothing is sent to anybody twice.");

/** Of no person. */
const common = <const K extends KeyPatterns>(keys: K, ttl?: string) => ({ keys, ttl });
/** A person's. */
const own = <const K extends KeyPatterns>(
  keys: K,
  after: AfterDeletion,
  fields: readonly string[] = [],
  ttl?: string,
) => ({ keys, ttl, personal: { fields, after } });

/** What a person enters in the account, other than the name and the favourites. */
export const userDetails = [
  "faculty",
  "major",
  "year",
  "studentId",
  "diet",
  "gender",
  "education",
  "university",
] as const;

const accountFields = ["fname", "lname", ...userDetails, "favEvents"];
const membershipFields = [
  ...[
    "firstName",
    "lastName",
    "pronouns",
    "faculty",
    "major",
    "year",
    "education",
    "studentNumber",
    "diet",
    "heardFrom",
  ],
  ...["heardFromSpecify", "university", "highSchool", "discordId", "international", "prevMember", "topics"],
];
const profileFields = [
  ...["fname", "lname", "pronouns", "major", "year", "hobby1", "hobby2", "funQuestion1", "funQuestion2", "linkedIn"],
  ...["profilePictureURL", "additionalLink", "description"],
];

// biome-ignore format: one row a kind
export const storedKinds = {
  event: common(["EVENT#id#year", "META"]),
  "memory of a deleted event": common(["EVENT#id#year", "GONE#generation"], "60 days"),
  "mark of an announced mail": common(["EVENT#id#year", "ANNOUNCED#generation#mail"], "400 days"),
  "kept report": common(["EVENT#id#year", "REPORT#generation"]),
  seats: common(["SEAT#id#year#00", "POOL"]),
  "place in the partners' line": own(["WAIT#id#year#PARTNERS", "ms#ulid"], goes, ["fname", "choices"]),
  "place in line": own(["WAIT#id#year", "ms#ulid"], goes, ["fname", "choices"]),
  registration: own(["USER#email", "REG#id#year"], counted, ["fname", "studentId", "basicInformation", "dynamicResponses", "choices", "plusOnes"]),
  "request of a guest": own(["GUEST#email", "id#year"], goes, ["form"], "1 day"),
  "offer of a seat": own(["OFFERS#id#year", "mark"], goesLater("It shows who has handed a seat to whom."), ["fname"], "the event; accepted: 60 days after it"),
  hold: own(["HOLD", "ms#id#year#email"], goes, [], "30 days after `ms`"),
  "door link": common(["DOOR#id#year", "LINK"], "event + 400 days"),
  "device at the door": common(["DOOR#id#year", "DEVICE#device"], "event + 400 days"),
  "scans of a ticket": own(["SCAN#id#year#generation", "mark"], goesLater("They show who let whom in."), [], "400 days"),
  "total points": own(["USER#email", "POINTS"], goes),
  "forgiven no-shows": own(["USER#email", "FORGIVEN"], goes),
  "erasure to come": own(["ERASURES", "ms#email"], goesLater("What has to stay is renamed then."), [], "400 days"),
  account: own(["USER#email", "USER"], goes, accountFields),
  "address of a calendar": own(["USER#email", "CALENDAR"], goes),
  "new email": own(["USER#email", "NEW EMAIL"], goesLater("It ends by itself."), ["to"], "1 day; moving: until moved"),
  "address of the club's calendar": common(["CALENDAR", "CLUB"]),
  membership: own(["USER#email", "MEMBER"], goes, membershipFields),
  "end of a term": own(["TERMS", "ms#email"], goes),
  profile: own(["USER#email", "PROFILE"], goes, profileFields),
  "profile id": own(["PID#profile", "PID"], goes),
  checkout: own(["PAY#checkout", "CHECKOUT"], provider, ["form", "fname"], "session + 35 days"),
  "latest checkout of an event": own(["USER#email", "CHECKOUT#EVENT#id#year"], provider, ["form", "fname"], "session + 35 days"),
  "latest checkout of the membership": own(["USER#email", "CHECKOUT#MEMBER"], provider, ["form", "fname"], "session + 35 days"),
  session: common(["PAY#session", "SESSION"], "session + 35 days"),
  settlement: common(["PAY#session", "SETTLED"]),
  payment: own(["PAY#payment", "PAYMENT"], books, ["holder"], "unsettled: 35 days"),
  "mark of the reconciliation": common(["RECONCILIATION", "MARK"]),
  "payment that waits": common(["PAYMENTS#WAITING", "ms#session"]),
  movement: common(["JOURNAL", "ms#id"]),
  "closed month": common(["JOURNAL CLOSED", "month"]),
  "own payment": own(["USER#email", "RECEIPT#session"], refunds),
  "own refund": own(["USER#email", "REFUND#id"], refunds, [], "90 days; owed: until sent"),
  "outbox row": own(["OUT#hour#shard", "ulid"], stays("It shows who changed what, and is sent again after a fault."), ["fname"], "400 days"),
  "audit row": own(["AUD#hour", "ulid"], stays("It shows who changed what."), [], "400 days"),
  "marker of a notice": own(["SENT#channel#email", "notice"], onceOnly, [], "30 or 400 days"),
  campaign: common(["CMP", "id"], "180 days"),
  "campaign to come": common(["CAMPAIGNS TO COME", "ms#id"], "campaign"),
  "content of a campaign": common(["CMP#id", "CONTENT"], "180 days"),
  "batch of a campaign": own(["CMP#id", "BATCH#number"], stays("It shows whom a campaign was for."), ["recipients"], "180 days"),
  "delivery of a campaign": own(["CMPR#id", "email"], twice, [], "180 days"),
  "request with a key": common(kitKinds["request with a key"], "1 day"),
  "request for a campaign": common(["CMPREQ#hash", "CMPREQ"], "5 minutes; with a key 30 days"),
  "closed token": common(kitKinds["closed token"], "1 hour"),
  "closed sign-up": common(["SIGNUPS", "CLOSED"]),
  "count of a mailbox's codes": own(["SIGNUPS#hour", "MAILBOX#mailbox"], goes, [], "2 hours"),
  "count of a mailbox's new passwords": own(["SIGNUPS#hour", "RESET#mailbox"], goes, [], "2 hours"),
  "count of a mailbox's guest links": own(["SIGNUPS#hour", "GUEST-MAILBOX#mailbox"], goes, [], "2 hours"),
  "count of mails with codes": common(["SIGNUPS#hour", "kind"], "2 hours"),
  "count of large requests": common(["BUDGET#hash", "hour"], "2 hours"),
  suppression: own(["SUPPRESSED", "email"], stays("No campaign may reach a person who wants none."), ["reason"]),
  "lifted suppression": own(["UNSUPPRESSED", "email"], twice, [], "60 days"),
  template: common(["TPL#name", "TPL"]),
  "line of a template": common(["TPL", "name"]),
  "code of an event": common(["CODE#id#year#generation", "code"], "30 days after the event's deletion"),
  prize: common(["PRIZE", "id"]),
  "note of an import": common(["IMPORT#hash", "IMPORT"], "400 days"),
  feedback: own(["FB#id#year#form", "hash"], isEmptied, ["respondentName", "responses"]),
  "signed feedback": own(["USER#email", "FEEDBACK#id#year#form#hash"], goes),
  "project, text": common(["BTXP#project", "META"]),
  "project, market": common(["BTXP#project", "MARKET"]),
  "account in the game": own(["USER#email", "BTX#event"], games, ["displayName"]),
  "listed game account": own(["BTXA#event", "email"], games),
  trade: own(["BTXT#project", "ms#ulid"], games, ["displayName"]),
  "other price change": common(["BTXM#project", "ms#ulid"]),
} as const satisfies Readonly<Record<string, StoredKindFacts>>;

export type StoredKind = keyof typeof storedKinds;
/** The kinds with a person. */
export type PersonalKind = {
  [K in StoredKind]: (typeof storedKinds)[K] extends { readonly personal: object } ? K : never;
}[StoredKind];

const facts: Readonly<Record<StoredKind, StoredKindFacts>> = storedKinds;

/** The facts of a kind; undefined for a name of no kind. */
export const factsOf = (kind: string): StoredKindFacts | undefined => facts[kind as StoredKind];

/**
 * The fields with an email, of any kind: whose the record is or will be, who made or changed it, and where answers go. Every test
 * refuses an address elsewhere, but for keys and personal fields.
 */
export const emailFields = [
  ...["email", "pseudonym", "respondentEmail", "actor", "by", "changedBy", "createdBy", "replyTo"],
] as const;

/** The fields of a kind that are personal, besides the email. */
export const personalFieldsOf = (kind: StoredKind): readonly string[] => facts[kind].personal?.fields ?? [];

type Keys<K extends StoredKind> = (typeof storedKinds)[K]["keys"];
type Partition<K extends StoredKind> = ValuesOf<Keys<K>[0]>;
type Sort<K extends StoredKind> = ValuesOf<Keys<K>[1]>;

/** The key of an item of a kind. A kind that is not in the catalogue, or a missing value, does not compile. */
export const keyOf = <K extends StoredKind>(kind: K, values: Partition<K> & Sort<K>): Key =>
  keyFrom<Keys<K>>(storedKinds[kind].keys, values);

/** The partition of the items of a kind. */
export const partitionOf = <K extends StoredKind>(kind: K, values: Partition<K>): string =>
  filled<Keys<K>[0]>(storedKinds[kind].keys[0], values);

/** The sort key of an item of a kind. */
export const sortOf = <K extends StoredKind>(kind: K, values: Sort<K>): string =>
  filled<Keys<K>[1]>(storedKinds[kind].keys[1], values);

const beforeValues = (pattern: string): string => pattern.replace(/[a-z].*/, "");

/** What the partitions of a kind begin with: the pattern up to its first value. */
export const partitionPrefixOf = (kind: StoredKind): string => beforeValues(facts[kind].keys[0]);

/** What the sort keys of a kind begin with, likewise. */
export const prefixOf = (kind: StoredKind): string => beforeValues(facts[kind].keys[1]);

const value = /[a-z]+/g;

/** A value has at least one character, of any kind. */
const expressionOf = (pattern: string): RegExp => new RegExp(`^${pattern.replaceAll(value, "(?<$&>.+)")}$`, "s");

const kinds = Object.keys(facts) as StoredKind[];
const expressions = Object.fromEntries(
  kinds.map((kind) => {
    const [partition, sort] = facts[kind].keys;
    return [kind, { partition: expressionOf(partition), sort: expressionOf(sort) }];
  }),
) as Readonly<Record<StoredKind, { readonly partition: RegExp; readonly sort: RegExp }>>;

/** Whether a key follows the patterns of a kind. */
export const isOfKind = (kind: StoredKind, { PK, SK }: KeyTexts): boolean =>
  expressions[kind].partition.test(PK) && expressions[kind].sort.test(SK);

/** The kind of an item; undefined when the service writes no such items. */
export const storedKindOf = (key: KeyTexts): StoredKind | undefined => kinds.find((kind) => isOfKind(kind, key));

/** The values in a key, by their names in the patterns of a kind. A part of the key that does not follow them has none. */
export const valuesIn = (kind: StoredKind, { PK, SK }: KeyTexts): Readonly<Record<string, string>> => ({
  ...expressions[kind].partition.exec(PK)?.groups,
  ...expressions[kind].sort.exec(SK)?.groups,
});
