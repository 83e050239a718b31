/**
 * The form in which a registration is stored, and back (`docs/design.md`, "The data model"). Pure.
 *
 * Attributes that expressions name, and those that few registrations have, keep names of their own. What a person filled
 * in is one text, `form`: every list reads it of every row, and ten short attributes cost more in names than in values,
 * and more time than one. What the keys say, what another field says and what has its usual value is left out. An item
 * without a `form` is of an earlier build. It is read as it is, and its next write gives it the present form.
 */
import type { Key } from "#kit/table.ts";
import type { BasicInformation } from "./new-registration.ts";
import type { RegistrationRecord } from "./registration.ts";

/** A registration as read, with the key of its item. */
export type StoredRegistration = RegistrationRecord & Key;

/** A row of the index of registrations: the fields that lists answer, and those that lists are made by. */
export type ListedRegistration = Pick<
  StoredRegistration,
  | keyof Key
  | "email"
  | "eventID"
  | "year"
  | "status"
  | "applicant"
  | "applicationBased"
  | "fname"
  | "studentId"
  | "basicInformation"
  | "dynamicResponses"
  | "isPartner"
  | "points"
  | "waitKey"
  | "incarnation"
  | "ticketId"
  | "holdExpiresAt"
  | "checkoutLink"
  | "checkedInAt"
  | "createdAt"
  | "updatedAt"
>;

/**
 * The attributes that the index of registrations has besides the keys. The first line is the present form, the second
 * one what an item of an earlier build has in their place. AWS takes at most 20 for an index.
 * https://docs.aws.amazon.com/goto/WebAPI/dynamodb-2012-08-10/Projection
 */
export const listedAttributes = [
  ...["status", "fname", "lname", "form", "points", "isPartner", "applicant", "applicationBased"],
  ...["holdExpiresAt", "checkoutLink", "checkedInAt", "createdAt", "updatedAt"],
  ...["studentId", "basicInformation", "dynamicResponses", "incarnation", "ticketId"],
];

/** The number of the form, in its first line. */
const format = "2";

/** The lines of a form before the answers to the event's questions. */
const headLines = 15;
/** Lines of `basicInformation`. The last name has an attribute, which the leaderboard shows. */
const lineOf = {
  fname: 4,
  studentId: 5,
  year: 6,
  faculty: 7,
  major: 8,
  gender: 9,
  diet: 10,
  heardFrom: 11,
  phone: 12,
  companyName: 13,
  role: 14,
} as const satisfies Record<Exclude<keyof BasicInformation, "lname">, number>;
const informationLines = Object.entries(lineOf) as [keyof typeof lineOf, number][];

/** Stands for the value that the registration has in the field of the same name. */
const same = "\\=";

const codes: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\t": "\\t" };
const texts: Readonly<Record<string, string>> = { "\\": "\\", n: "\n", t: "\t", e: "" };
const special = /[\\\n\t]/;

/** A text without line breaks and tabs. It is never empty, and a backslash in it begins a code. */
function coded(text: string): string {
  if (text === "") return "\\e";
  return special.test(text) ? text.replace(/[\\\n\t]/g, (character) => codes[character] as string) : text;
}

const decoded = (text: string): string =>
  text.includes("\\") ? text.replace(/\\(.)/g, (_, code: string) => texts[code] as string) : text;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Begins the 22 characters of a UUID. */
const uuidCode = "\\u";

/** The id of a question. The service gives its questions UUIDs, which have 36 characters for 16 bytes. */
const codedId = (id: string): string =>
  uuid.test(id) ? uuidCode + Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url") : coded(id);

/** The ids of the latest questions by their codes, because all rows of a list have the same ones. */
const knownIds = new Map<string, string>();
const mostKnownIds = 1_000;

function decodedId(code: string): string {
  if (!code.startsWith(uuidCode)) return decoded(code);
  const known = knownIds.get(code);
  if (known !== undefined) return known;
  const hex = Buffer.from(code.slice(uuidCode.length), "base64url").toString("hex");
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  if (knownIds.size >= mostKnownIds) knownIds.clear();
  knownIds.set(code, id);
  return id;
}

/** Absent is an empty line. */
const line = (text: string | undefined): string => (text === undefined ? "" : coded(text));

/**
 * An answer as a line: question and text with a tab between them, with two tabs when the text is a counted choice; a list
 * begins with a tab.
 */
function answerLine(id: string, answer: string | readonly string[], isChoice: boolean): string {
  if (typeof answer === "string") return `${codedId(id)}${isChoice ? "\t\t" : "\t"}${coded(answer)}`;
  return ["", codedId(id), ...answer.map(coded)].join("\t");
}

/** Bytes of these answers as they are stored. A backslash, a tab and a line break have two. */
export const answersSize = (responses: Readonly<Record<string, string | readonly string[]>>): number =>
  Object.entries(responses).reduce(
    (bytes, [id, answer]) => bytes + Buffer.byteLength(`${answerLine(id, answer, true)}\n`),
    0,
  );

/** Whether each choice is the answer to its question, so that it need not be stored twice. */
const areAnswers = ({ choices, dynamicResponses }: Pick<RegistrationRecord, "choices" | "dynamicResponses">): boolean =>
  Object.entries(choices).every(
    ([id, choice]) => Object.hasOwn(dynamicResponses, id) && dynamicResponses[id] === choice,
  );

/** What a person filled in, with the generation of the event and the ticket. */
function formOf(registration: RegistrationRecord): string {
  const { incarnation, ticketId, studentId, basicInformation, dynamicResponses, choices } = registration;
  const lines: string[] = [format, coded(incarnation), coded(ticketId), line(studentId)];
  for (const [name, at] of informationLines) {
    const value = basicInformation[name];
    const isSame = (name === "fname" || name === "studentId") && value !== undefined && value === registration[name];
    lines[at] = isSame ? same : line(value);
  }
  const countsAnswers = areAnswers(registration);
  for (const [id, answer] of Object.entries(dynamicResponses)) {
    lines.push(answerLine(id, answer, countsAnswers && Object.hasOwn(choices, id)));
  }
  return lines.join("\n").replace(/\n+$/, "");
}

/** The time of a queueKey, epoch milliseconds. */
const timeOf = (queueKey: string): number => Number.parseInt(queueKey, 10);

/**
 * The attributes of a registration besides its keys and the name of its leaderboard. A field that this function does not
 * know becomes an attribute. A tombstone has its queueKey under another name, because `waitKey` is a key of the index.
 */
export function storedForm(registration: RegistrationRecord): Readonly<Record<string, unknown>> {
  // A registration that was read with its whole item has attributes of indexes.
  const { GSI1PK, GSI1SK, lb, lname: _lname, ...fields } = registration as RegistrationRecord & Record<string, unknown>;
  const { email, eventID, year, incarnation, ticketId, studentId, basicInformation, dynamicResponses, ...rest } =
    fields;
  const { choices, waitKey, fname, points, isPartner, applicant, applicationBased, ...more } = rest;
  const { noticeVersion, changedBy, createdAt, updatedAt, ...own } = more;
  const { lname } = basicInformation;
  return {
    ...own,
    [registration.status === "deleted" ? "formerKey" : "waitKey"]: waitKey,
    form: formOf(registration),
    ...(!areAnswers(registration) && { choices }),
    ...(fname !== "" && { fname }),
    ...(lname !== undefined && { lname }),
    ...(points !== 0 && { points }),
    ...(isPartner && { isPartner }),
    ...(applicant && { applicant }),
    ...(applicationBased && { applicationBased }),
    ...(noticeVersion !== registration.version && { noticeVersion }),
    // The request that began the registration is in its queueKey. An import names no request.
    ...(changedBy !== waitKey && { changedBy: changedBy ?? "" }),
    ...(createdAt !== timeOf(waitKey) && { createdAt }),
    ...(updatedAt !== createdAt && { updatedAt }),
  };
}

type Attributes = Key & Readonly<Record<string, unknown>>;

/** The fields that the keys say. */
function keyFields({ PK, SK }: Key) {
  const at = SK.lastIndexOf("#");
  return { email: PK.slice("USER#".length), eventID: SK.slice("REG#".length, at), year: Number(SK.slice(at + 1)) };
}

/** The fields of the form, and the choices among the answers. */
function formFields(form: string, { fname, lname }: { readonly fname: string; readonly lname: string | undefined }) {
  const lines = form.split("\n");
  if (lines[0] !== format) throw new Error(`A registration has the unknown form ${lines[0]}.`);
  const [, incarnation = "", ticketId = "", ownStudentId] = lines;
  const studentId = ownStudentId ? decoded(ownStudentId) : undefined;
  const basicInformation: Record<string, string> = {};
  for (const [name, at] of informationLines) {
    const text = lines[at];
    if (text)
      basicInformation[name] = text === same ? (name === "fname" ? fname : (studentId as string)) : decoded(text);
  }
  if (lname !== undefined) basicInformation.lname = lname;
  const responses: [string, string | string[]][] = [];
  const choices: [string, string][] = [];
  for (let at = headLines; at < lines.length; at += 1) {
    const [id = "", ...parts] = (lines[at] as string).split("\t");
    if (id === "") responses.push([decodedId(parts[0] as string), parts.slice(1).map(decoded)]);
    else {
      const [name, text] = [decodedId(id), decoded(parts.at(-1) as string)];
      responses.push([name, text]);
      if (parts.length > 1) choices.push([name, text]);
    }
  }
  return {
    incarnation: decoded(incarnation),
    ticketId: decoded(ticketId),
    ...(studentId !== undefined && { studentId }),
    basicInformation,
    dynamicResponses: Object.fromEntries(responses),
    choices: Object.fromEntries(choices),
  };
}

/**
 * The registration of an item, of the present form or of an earlier one. Attributes of indexes are left out.
 * @throws Error the item has a form that this build does not know
 */
export function registrationIn(item: Attributes): StoredRegistration {
  const { GSI1PK, GSI1SK, lb, lname, ...attributes } = item;
  if (item.form === undefined) return { ...keyFields(item), ...attributes } as unknown as StoredRegistration;
  const { form, formerKey, changedBy, ...own } = attributes;
  const { fname = "", waitKey = formerKey, version } = own as Partial<RegistrationRecord> & Attributes;
  const createdAt = own.createdAt ?? timeOf(waitKey as string);
  const request = changedBy === undefined ? waitKey : changedBy;
  return {
    points: 0,
    isPartner: false,
    noticeVersion: version,
    updatedAt: createdAt,
    ...keyFields(item),
    ...formFields(form as string, { fname, lname: lname as string | undefined }),
    ...own,
    fname,
    waitKey,
    createdAt,
    ...(request !== "" && { changedBy: request }),
  } as unknown as StoredRegistration;
}

/** The registration of a row of the index. */
export const listedRegistrationIn = (row: Attributes): ListedRegistration => registrationIn(row);
