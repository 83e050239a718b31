/**
 * The file format of Cognito's user import: CSV without quotation marks, with a backslash before commas in values, in UTF-8
 * without a byte order mark. Pure.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-using-import-tool-csv-header.html
 */
import type { ImportedAccount } from "./accounts.ts";

/** The header of a pool without custom attributes, as returned by `aws cognito-idp get-csv-header`. */
export const usualHeader: readonly string[] = [
  "name",
  "given_name",
  "family_name",
  "middle_name",
  "nickname",
  "preferred_username",
  "profile",
  "picture",
  "website",
  "email",
  "email_verified",
  "gender",
  "birthdate",
  "zoneinfo",
  "locale",
  "phone_number",
  "phone_number_verified",
  "address",
  "updated_at",
  "cognito:mfa_enabled",
  "cognito:username",
];

/** Columns that a header must have. */
export const filledColumns = [
  "cognito:username",
  "cognito:mfa_enabled",
  "email",
  "email_verified",
  "given_name",
  "family_name",
] as const;

/** Maximum users in one file. */
export const maximumAccounts = 500_000;

const escaped = (value: string): string => value.replaceAll(",", "\\,");

/** @param header the columns of the pool, in any order */
export function csvOf(accounts: readonly ImportedAccount[], header: readonly string[]): string {
  const row = ({ email, givenName, familyName }: ImportedAccount): string => {
    const values: Readonly<Record<(typeof filledColumns)[number], string>> = {
      "cognito:username": email,
      "cognito:mfa_enabled": "FALSE",
      email,
      // Safe: signing in requires a code that is mailed to this address.
      email_verified: "TRUE",
      given_name: givenName,
      family_name: familyName,
    };
    return header.map((column) => escaped((values as Readonly<Record<string, string>>)[column] ?? "")).join(",");
  };
  return `${[header.join(","), ...accounts.map(row)].join("\n")}\n`;
}
