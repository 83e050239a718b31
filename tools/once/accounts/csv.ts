/**
 * The file format of Cognito's user import: CSV without quotation marks, with a backslash before commas in values, in UTF-8
 * without a byte order mark. Pure.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pools-using-import-tool-csv-header.html
 */
import type { ImportedAccount } from "./accounts.ts";

/** The header of a pool without custom attributes, as returned by `aws cognito-idp get-csv-header`. */
const header: readonly string[] = [
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

const escaped = (value: string): string => value.replaceAll(",", "\\,");

export function csvOf(accounts: readonly ImportedAccount[]): string {
  const row = ({ email, givenName, familyName }: ImportedAccount): string => {
    const values: Readonly<Record<string, string>> = {
      "cognito:username": email,
      "cognito:mfa_enabled": "FALSE",
      email,
      // Safe: signing in requires a code that is mailed to this address.
      email_verified: "TRUE",
      given_name: givenName,
      family_name: familyName,
    };
    return header.map((column) => escaped(values[column] ?? "")).join(",");
  };
  return `${[header.join(","), ...accounts.map(row)].join("\n")}\n`;
}
