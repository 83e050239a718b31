/** The accounts of a user pool, for a copy of its stage. */
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import {
  AdminCreateUserCommand,
  AdminDisableUserCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
  paginateListUsers,
  type UserType,
} from "@aws-sdk/client-cognito-identity-provider";
import pMap from "p-map";
import type { CopiedAccount } from "../kit/copy/whole-copy.ts";
import type { Target } from "./target.ts";

/**
 * Milliseconds between two calls. Sign-ups list and make accounts too, and an account of AWS has 30 calls a second that list, and
 * 25 that change a person (https://docs.aws.amazon.com/cognito/latest/developerguide/quotas.html).
 */
const betweenCalls = 100;

/** With the pauses about 15 accounts a second, of which each lets the pre-sign-up trigger list accounts once. */
const accountsAtOnce = 5;

const clientOf = ({ region }: Target) => new CognitoIdentityProviderClient({ region, maxAttempts: 10 });

/** All accounts, a page at a time. */
export async function* accountsIn(target: Target): AsyncGenerator<UserType[]> {
  for await (const { Users = [] } of paginateListUsers(
    { client: clientOf(target) },
    { UserPoolId: target.userPoolId },
  )) {
    yield Users;
    await pause(betweenCalls);
  }
}

/** An account that a pool is to have. */
export interface WantedAccount {
  readonly email: string;
  /** All that can be written: a pool makes `sub`, and `identities` come with the first sign-in there. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly isEnabled: boolean;
}

const ofPoolAlone = new Set(["sub", "identities"]);

const attributesOf = ({ Attributes = [] }: CopiedAccount | UserType): Readonly<Record<string, string>> =>
  Object.fromEntries(Attributes.map(({ Name = "", Value = "" }) => [Name, Value]));

const isDisabled = ({ Enabled }: CopiedAccount): boolean => Enabled === false;

/**
 * The accounts that are made of those of a copy, one for each email. A person who has not entered the code signs up again, and
 * Google makes the account of a person at the first sign-in. Who is shut out, is so by an account with the email: the pre-sign-up
 * trigger then lets in no other (`lambda/domain/identity/sign-up.ts`). Pure.
 */
export function wantedAccounts(copied: readonly CopiedAccount[]): ReadonlyMap<string, WantedAccount> {
  const wanted = new Map<string, WantedAccount>();
  const own = copied.filter(({ UserStatus = "" }) => !["UNCONFIRMED", "EXTERNAL_PROVIDER"].includes(UserStatus));
  // Own accounts come last: their attributes win.
  for (const account of [...copied.filter(isDisabled), ...own]) {
    const all = attributesOf(account);
    const email = all.email ?? "";
    const name = email.toLowerCase();
    if (name === "") continue;
    const attributes = Object.fromEntries(Object.entries(all).filter(([attribute]) => !ofPoolAlone.has(attribute)));
    const isEnabled = !isDisabled(account) && wanted.get(name)?.isEnabled !== false;
    wanted.set(name, { email, attributes, isEnabled });
  }
  return wanted;
}

/** The accounts of a pool by email, without those of providers. */
async function ownAccounts(target: Target): Promise<ReadonlyMap<string, UserType>> {
  const own = new Map<string, UserType>();
  for await (const page of accountsIn(target)) {
    for (const account of page.filter(({ UserStatus }) => UserStatus !== "EXTERNAL_PROVIDER")) {
      own.set((attributesOf(account).email ?? "").toLowerCase(), account);
    }
  }
  return own;
}

/** What no person knows, with each kind of character that a pool may demand. */
const unknownPassword = (): string => `aA1!${randomBytes(32).toString("base64url")}`;

/**
 * Makes the accounts that the pool does not have. Their people choose a new password by "Forgot password", which a pool refuses
 * while an account has a temporary one (https://github.com/aws-amplify/amplify-js/issues/1340), so each gets one that no person
 * knows. Cognito mails nothing.
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminCreateUser.html,
 * https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminSetUserPassword.html
 * @returns whether all are made now
 */
export async function makeAccounts(
  target: Target,
  wanted: ReadonlyMap<string, WantedAccount>,
  { made, stop }: { readonly made: (count: number) => void; readonly stop: AbortSignal | undefined },
): Promise<boolean> {
  const client = clientOf(target);
  const there = await ownAccounts(target);
  const UserPoolId = target.userPoolId;
  let count = 0;
  const make = async ([name, { email: Username, attributes, isEnabled }]: readonly [string, WantedAccount]) => {
    if (stop?.aborted) return;
    const before = there.get(name);
    if (!before) {
      const UserAttributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
      await client.send(
        new AdminCreateUserCommand({ UserPoolId, Username, UserAttributes, MessageAction: "SUPPRESS" }),
      );
    }
    // The status is also how an interrupted run knows what it has begun.
    if (!before || before.UserStatus === "FORCE_CHANGE_PASSWORD") {
      const Password = unknownPassword();
      await client.send(new AdminSetUserPasswordCommand({ UserPoolId, Username, Password, Permanent: true }));
      await pause(target.isLaptop ? 0 : betweenCalls);
    }
    if (!isEnabled && before?.Enabled !== false) {
      await client.send(new AdminDisableUserCommand({ UserPoolId, Username }));
    }
    count += 1;
    made(count);
  };
  await pMap(wanted, make, { concurrency: accountsAtOnce });
  return stop?.aborted !== true;
}

/** How many of the accounts the pool lacks, or has otherwise. */
export async function wrongAccounts(target: Target, wanted: ReadonlyMap<string, WantedAccount>): Promise<number> {
  const there = await ownAccounts(target);
  const isRight = ([name, { attributes, isEnabled }]: readonly [string, WantedAccount]) => {
    const account = there.get(name);
    if (!account || account.Enabled !== isEnabled || account.UserStatus === "FORCE_CHANGE_PASSWORD") return false;
    const all = attributesOf(account);
    return Object.entries(attributes).every(([attribute, value]) => all[attribute] === value);
  };
  return [...wanted].filter((one) => !isRight(one)).length;
}
