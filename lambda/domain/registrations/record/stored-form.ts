/**
 * How a registration is stored, and read back (`docs/design.md`, "The data model"). Pure.
 *
 * Fields that expressions and indexes name are attributes of their own. What a person filled in is one attribute, `form`:
 * JSON of named fields, because every list reads it of every row. What the keys say and what has its usual value is left
 * out. A field that is absent has its usual value; one that this build does not know is kept as it is.
 */
import type { Key } from "#kit/table.ts";
import type { RegistrationRecord } from "./registration.ts";

/** A registration as read, with the key of its item. */
export type StoredRegistration = RegistrationRecord & Key;

/** A row of the index of registrations: the fields that lists answer, and those that lists are made by. */
export type ListedRegistration = Pick<
  StoredRegistration,
  | keyof Key
  | keyof ReturnType<typeof keyFields>
  | "queueKey"
  | (typeof formFields)[number]
  | Exclude<(typeof listedAttributes)[number], "form">
> & {
  /** Only in the rows of one person's list, which are whole items. */
  readonly ticketId?: string;
};

/**
 * The attributes that the index of registrations has besides the keys. AWS takes at most 20 for an index.
 * https://docs.aws.amazon.com/goto/WebAPI/dynamodb-2012-08-10/Projection
 */
export const listedAttributes = [
  ...(["status", "generation", "fname", "form", "points", "isPartner", "applicant", "applicationBased"] as const),
  ...(["holdExpiresAt", "checkoutLink", "checkedInAt", "createdAt", "updatedAt"] as const),
] as const;

/**
 * What a person fills in, stored in `form`. A question of every form is a field of `basicInformation`; one beside it is
 * named here.
 */
const formFields = ["studentId", "basicInformation", "dynamicResponses"] as const;

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** Bytes of these answers as they are stored. */
export const answersSize = (responses: RegistrationRecord["dynamicResponses"]): number =>
  Buffer.byteLength(JSON.stringify(responses));

/** The time of a queueKey, epoch milliseconds. */
const timeOf = (queueKey: string): number => Number.parseInt(queueKey, 10);

/**
 * The attributes of a registration besides its keys and those of its leaderboard. A tombstone has its queueKey under
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

type Attributes = Key & Readonly<Record<string, unknown>>;

/** The fields that the keys say. */
function keyFields({ PK, SK }: Key) {
  const at = SK.lastIndexOf("#");
  return { email: PK.slice("USER#".length), eventID: SK.slice("REG#".length, at), year: Number(SK.slice(at + 1)) };
}

/** The registration of an item. Attributes that only indexes need are left out. */
export function registrationIn(item: Attributes): StoredRegistration {
  const { leaderboard, lname, form = "{}", formerQueueKey, ...own } = item;
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

/** The registration of a row of the index. */
export const listedRegistrationIn = (row: Attributes): ListedRegistration => registrationIn(row);
