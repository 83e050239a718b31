/** `npm run ops -- admins`: who may do everything, and how they get in. */
import {
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
  ListUsersCommand,
  type UserStatusType,
} from "@aws-sdk/client-cognito-identity-provider";
import { expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { admins } from "../admins.ts";
import type { Run } from "../run.ts";

const pool = mockClient(CognitoIdentityProviderClient);

const user = (
  email: string,
  more: Record<string, string> = {},
  UserStatus: UserStatusType = "CONFIRMED",
  Enabled = true,
) => ({
  Username: email,
  UserStatus,
  Enabled,
  Attributes: Object.entries({ email, email_verified: "true", ...more }).map(([Name, Value]) => ({ Name, Value })),
});
const google = { identities: JSON.stringify([{ providerName: "Google", userId: "1" }]) };

test("all admins of all pages, each with the ways to sign in and what to look at; nobody else", async () => {
  pool.on(ListUsersCommand).resolves({
    Users: [
      user("Left@Club.example", google, "EXTERNAL_PROVIDER"),
      user("both@club.example", google),
      user("student@student.club.example"),
      user("not@notclub.example"),
    ],
    PaginationToken: "2",
  });
  pool.on(ListUsersCommand, { PaginationToken: "2" }).resolves({
    Users: [
      user("app@club.example"),
      user("off@club.example", {}, "CONFIRMED", false),
      user("new@club.example", { email_verified: "false" }, "UNCONFIRMED"),
    ],
  });
  pool.on(AdminGetUserCommand).resolves({});
  pool
    .on(AdminGetUserCommand, { Username: "app@club.example" })
    .resolves({ UserMFASettingList: ["SOFTWARE_TOKEN_MFA"] });
  const lines: string[] = [];
  const run = {
    target: { region: "ca-central-1", userPoolId: "ca-central-1_own", stage: { adminEmailDomain: "club.example" } },
    terminal: { print: (line: string) => void lines.push(line), note: () => undefined },
  } as unknown as Run;
  expect(await admins(run)).toBe(0);
  expect(lines.map((line) => line.replaceAll(/ {2,}/g, " | "))).toEqual([
    "app@club.example | password",
    "both@club.example | password + Google | no second factor",
    "left@club.example | Google",
    "new@club.example | password | no admin: the email is not verified, no second factor, UNCONFIRMED",
    "off@club.example | password | disabled, no second factor",
    "Accounts in club.example: 5.",
  ]);
  expect(pool.commandCalls(AdminGetUserCommand)).toHaveLength(5);
});
