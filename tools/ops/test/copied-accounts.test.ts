/** Which accounts a restore makes. */
import { expect, test } from "@jest/globals";
import { wantedAccounts } from "../copied-accounts.ts";

const account = (email: string, UserStatus: string, Enabled = true, more: Record<string, string> = {}) => ({
  UserStatus,
  Enabled,
  Attributes: Object.entries({ sub: "1", email, email_verified: "true", ...more }).map(([Name, Value]) => ({
    Name,
    Value,
  })),
});

const made = (...accounts: ReturnType<typeof account>[]) => [...wantedAccounts(accounts).values()];

test("an account keeps what can be written, a flag that says no too", () => {
  const [one] = made(
    account("Ada@club.example", "CONFIRMED", true, { email_verified: "false", given_name: "Ada", identities: "[]" }),
  );
  const attributes = { email: "Ada@club.example", email_verified: "false", given_name: "Ada" };
  expect(one).toEqual({ email: "Ada@club.example", attributes, isEnabled: true });
});

test.each<readonly [name: string, accounts: ReturnType<typeof account>[], expected: (readonly [string, boolean])[]]>([
  ["never confirmed", [account("a@x.example", "UNCONFIRMED")], []],
  ["of Google", [account("a@x.example", "EXTERNAL_PROVIDER")], []],
  ["of Google, shut out", [account("a@x.example", "EXTERNAL_PROVIDER", false)], [["a@x.example", false]]],
  ["never confirmed, shut out", [account("a@x.example", "UNCONFIRMED", false)], [["a@x.example", false]]],
  ["with a new password to choose", [account("a@x.example", "RESET_REQUIRED")], [["a@x.example", true]]],
  [
    "of one person, of which one is shut out",
    [account("A@x.example", "CONFIRMED"), account("a@x.example", "EXTERNAL_PROVIDER", false)],
    [["A@x.example", false]],
  ],
  ["without an email", [account("", "CONFIRMED")], []],
])("accounts %s", (_, accounts, expected) => {
  expect(made(...accounts).map(({ email, isEnabled }) => [email, isEnabled])).toEqual(expected);
});
