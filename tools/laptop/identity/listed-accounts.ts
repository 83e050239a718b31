/** Accounts as another user pool has listed them (`ListUsers`). */
import { randomUUID } from "node:crypto";
import type { CopiedAccount } from "../../kit/copy/whole-copy.ts";
import { type ExternalIdentity, noPassword, type User } from "./pool/user-store.ts";

const ofPoolAlone = new Set(["sub", "email_verified", "phone_number_verified", "identities"]);

function userIn({ UserStatus, Attributes = [] }: CopiedAccount): User {
  const all = Object.fromEntries(Attributes.map(({ Name, Value }) => [Name, Value]));
  const identities = JSON.parse(all.identities ?? "[]") as ExternalIdentity[];
  return {
    sub: all.sub ?? randomUUID(),
    attributes: Object.fromEntries(Object.entries(all).filter(([name]) => !ofPoolAlone.has(name))),
    emailVerified: all.email_verified === "true",
    confirmed: UserStatus !== "UNCONFIRMED",
    password: noPassword,
    ...(identities.length > 0 && { identities }),
    ...(UserStatus === "EXTERNAL_PROVIDER" && { external: true as const }),
    codes: {},
  };
}

/**
 * Disabled accounts are left out: their people were shut out. An account of a provider becomes one that can get a
 * password when its email has no other account, because here is no page of the provider.
 */
export function usersIn(accounts: readonly CopiedAccount[]): User[] {
  const users = accounts.filter(({ Enabled }) => Enabled !== false).map(userIn);
  const emailOf = ({ attributes }: User): string => (attributes.email ?? "").toLowerCase();
  const taken = new Set(users.filter(({ external }) => !external).map(emailOf));
  return users.map((user) => {
    if (!user.external || taken.has(emailOf(user))) return user;
    taken.add(emailOf(user));
    const { external: _external, ...own } = user;
    return own;
  });
}
