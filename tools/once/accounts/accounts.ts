/** Creates sign-in accounts from records of users and members. Pure. */
import { canonicalEmail } from "#kit/text/email.ts";
import { oneLine } from "#kit/text/text.ts";
import type { SourceRecord } from "./records.ts";

/** An account for Cognito's import. */
export interface ImportedAccount {
  /** Canonical. */
  readonly email: string;
  /** May be empty, as the family name may. */
  readonly givenName: string;
  readonly familyName: string;
}

/** A record without an account. */
export interface RefusedRecord {
  readonly place: string;
  /** As in the record. */
  readonly id: string | undefined;
  readonly reason: string;
}

export interface Accounts {
  readonly accounts: readonly ImportedAccount[];
  readonly refused: readonly RefusedRecord[];
  /** Emails that are not canonical in the records, as `[original, canonical]`. */
  readonly respelled: readonly (readonly [string, string])[];
}

/** https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_SignUp.html */
const maximumUsername = 128;
/** https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_StringAttributeConstraintsType.html */
const maximumAttribute = 2_048;

export const reasons = {
  unreadable: "is no JSON object",
  absent: "has no email as id",
  malformed: "the email is none that the service takes: plain ASCII with one @",
  long: `the email has more than ${maximumUsername} characters, and Cognito takes no longer name`,
  twice: "the same person as an earlier record",
} as const;

/** A name that Cognito accepts, without backslashes and quotation marks, which are special in the file. */
const nameOf = (text = ""): string => {
  const name = oneLine(text.replaceAll("\\", " ").replaceAll('"', "'"));
  return name.length > maximumAttribute ? "" : name;
};

/** One account per person, in the order of the records. */
export function accountsOf(records: Iterable<SourceRecord>): Accounts {
  const accounts = new Map<string, ImportedAccount>();
  const refused: RefusedRecord[] = [];
  const respelled: [string, string][] = [];
  for (const { place, texts } of records) {
    const id = texts?.id;
    const email = id === undefined ? undefined : canonicalEmail(id);
    const refuse = (reason: string) => refused.push({ place, id, reason });
    if (texts === undefined) refuse(reasons.unreadable);
    else if (id === undefined || id.trim() === "") refuse(reasons.absent);
    else if (email === undefined) refuse(reasons.malformed);
    else if (email.length > maximumUsername) refuse(reasons.long);
    else if (accounts.has(email)) refuse(reasons.twice);
    else {
      if (id !== email) respelled.push([id, email]);
      accounts.set(email, {
        email,
        givenName: nameOf(texts.fname ?? texts.firstName),
        familyName: nameOf(texts.lname ?? texts.lastName),
      });
    }
  }
  return { accounts: [...accounts.values()], refused, respelled };
}
