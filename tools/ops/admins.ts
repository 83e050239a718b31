/** `admins`: who has the rights of an admin, and how they sign in (docs/deploy.md, "Admins"). */
import {
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
  paginateListUsers,
  type UserType,
} from "@aws-sdk/client-cognito-identity-provider";
import { inAdminDomain } from "#kit/request/caller.ts";
import { canonicalEmail } from "#kit/text/email.ts";
import type { Run } from "./run.ts";
import type { ExitCode } from "./terminal.ts";

/** An account of the pool. */
export interface Account {
  readonly email: string;
  readonly isVerified: boolean;
  readonly isEnabled: boolean;
  readonly status: string;
  /** Names of linked providers, such as Google. */
  readonly providers: readonly string[];
  /** Kinds of second factors; a sign-in with a provider needs none. */
  readonly factors: readonly string[];
}

/** How the account signs in, and what to look at, as the columns of a line. Pure. */
export function lineOf({ email, isVerified, isEnabled, status, providers, factors }: Account): string {
  const hasPassword = status !== "EXTERNAL_PROVIDER";
  const ways = [...(hasPassword ? ["password"] : []), ...providers];
  const notes = [
    ...(isEnabled ? [] : ["disabled"]),
    ...(isVerified ? [] : ["no admin: the email is not verified"]),
    ...(hasPassword && factors.length === 0 ? ["no second factor"] : []),
    ...(status === "CONFIRMED" || status === "EXTERNAL_PROVIDER" ? [] : [status]),
  ];
  return [email.padEnd(40), ways.join(" + ").padEnd(20), notes.join(", ")].join(" ").trimEnd();
}

const attributesOf = ({ Attributes = [] }: UserType): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Attributes.map(({ Name = "", Value }) => [Name, Value]));

/** The providers in Cognito's attribute `identities`, a list in JSON. */
const providersIn = (identities = "[]"): string[] =>
  (JSON.parse(identities) as { providerName?: string }[]).map(({ providerName = "a provider" }) => providerName);

export async function admins({ target, terminal, stop }: Run): Promise<ExitCode> {
  const client = new CognitoIdentityProviderClient({ region: target.region });
  const pool = { UserPoolId: target.userPoolId };
  const domain = target.stage.adminEmailDomain;
  const found: Account[] = [];
  for await (const { Users = [] } of paginateListUsers({ client }, pool)) {
    for (const user of Users) {
      const { email: written = "", email_verified, identities } = attributesOf(user);
      const email = canonicalEmail(written) ?? written;
      if (!inAdminDomain(email, domain)) continue;
      const details = await client.send(new AdminGetUserCommand({ ...pool, Username: user.Username }));
      found.push({
        email,
        isVerified: email_verified === "true",
        isEnabled: user.Enabled !== false,
        status: user.UserStatus ?? "UNKNOWN",
        providers: providersIn(identities),
        factors: details.UserMFASettingList ?? [],
      });
    }
    if (stop?.aborted) return 130;
  }
  for (const account of found.sort((a, b) => (a.email < b.email ? -1 : 1))) terminal.print(lineOf(account));
  terminal.print(`Accounts in ${domain}: ${found.length}.`);
  return 0;
}
