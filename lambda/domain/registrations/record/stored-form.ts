/**
 * The stored format of registrations (`docs/design.md`, "The data model"). Pure.
 *
 * Fields that expressions and indexes use are separate attributes. What a person entered is one attribute, `form`, as JSON
 * of named fields, because lists read it for every row. Fields that follow from the keys and default values are omitted;
 * absent fields have their default. Unknown fields are preserved.
 */

import { timeOf } from "#kit/request/context.ts";
import type { KeyTexts } from "#kit/table/item.ts";
import { valuesIn } from "#outbox/stored-kinds.ts";
import type { RegistrationRecord } from "./registration.ts";

/** A registration as read, with the key of its item. */
export type StoredRegistration = RegistrationRecord & KeyTexts;

/** A row of the index of registrations: the fields that lists return or are built from. */
export type ListedRegistration = Pick<
  StoredRegistration,
  | keyof KeyTexts
  | keyof ReturnType<typeof keyFields>
  | "queueKey"
  | (typeof formFields)[number]
  | Exclude<(typeof listedAttributes)[number], "form">
> & {
  /** Only in the rows of one person's list, which are complete items. */
  readonly ticketId?: string;
  readonly changedBy?: string | undefined;
};

/**
 * The attributes that the index of registrations has in addition to the keys. AWS allows at most 20 per index.
 * https://docs.aws.amazon.com/goto/WebAPI/dynamodb-2012-08-10/Projection
 */
export const listedAttributes = [
  ...(["status", "generation", "fname", "form", "points", "isPartner", "applicant", "applicationBased"] as const),
  ...(["holdExpiresAt", "checkoutLink", "checkedInAt", "createdAt", "updatedAt"] as const),
] as const;

/**
 * What a person enters, stored in `form`. `basicInformation` contains the questions of every form. `refunded`, `owes`, `coming`,
 * `offer`, `gave`, `handed`, `left`, `leftAt`, `code`, `deposit`, `behindOthers` and `plusOnes` are here because lists show or count them.
 */
const formFields = [
  "studentId",
  "basicInformation",
  "dynamicResponses",
  "refunded",
  "owes",
  "coming",
  "offer",
  "gave",
  "handed",
  "left",
  "leftAt",
  "code",
  "deposit",
  "behindOthers",
  "plusOnes",
] as const;

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** Bytes of these answers as they are stored. */
export const answersSize = (responses: RegistrationRecord["dynamicResponses"]): number =>
  Buffer.byteLength(JSON.stringify(responses));

/**
 * The attributes of a registration other than its keys and those of its leaderboard. A tombstone stores its queueKey under
 * another name, because `queueKey` is a key of the index.
 */
export function storedForm(registration: RegistrationRecord): Readonly<Record<string, unknown>> {
  const { email, eventID, year, queueKey, fname, points, isPartner, noticeVersion, ...rest } = registration;
  const { choices, createdAt, updatedAt, ...others } = rest;
  const own = Object.entries(others).filter(([name]) => !(formFields as readonly string[]).includes(name));
  const filledIn = formFields.map((name) => [name, registration[name]]).filter(([, value]) => !isEmpty(value));
  return {
    ...Object.fromEntries(own),
    [registration.status === "deleted" ? "formerQueueKey" : "queueKey"]: queueKey,
    form: JSON.stringify(Object.fromEntries(filledIn)),
    ...(!isEmpty(choices) && { choices }),
    ...(fname !== "" && { fname }),
    ...(points !== 0 && { points }),
    ...(isPartner && { isPartner }),
    ...(noticeVersion !== registration.version && { noticeVersion }),
    ...(createdAt !== timeOf(queueKey) && { createdAt }),
    ...(updatedAt !== createdAt && { updatedAt }),
  };
}

type Attributes = KeyTexts & Readonly<Record<string, unknown>>;

/** The fields that follow from the keys. */
function keyFields(key: KeyTexts) {
  const { email = "", id: eventID = "", year } = valuesIn("registration", key);
  return { email, eventID, year: Number(year) };
}

/** The registration in an item, without attributes that only indexes need. */
export function registrationIn(item: Attributes): StoredRegistration {
  const { leaderboard, lname, GSI1PK, GSI1SK, form = "{}", formerQueueKey, ...own } = item;
  const { queueKey = formerQueueKey, version } = own as Partial<RegistrationRecord> & Attributes;
  const createdAt = own.createdAt ?? timeOf(queueKey as string);
  return {
    fname: "",
    basicInformation: {},
    dynamicResponses: {},
    choices: {},
    points: 0,
    isPartner: false,
    noticeVersion: version,
    updatedAt: createdAt,
    ...keyFields(item),
    ...JSON.parse(form as string),
    ...own,
    queueKey,
    createdAt,
  } as StoredRegistration;
}

/** The registration in a row of the index. */
export const listedRegistrationIn = (row: Attributes): ListedRegistration => registrationIn(row);
