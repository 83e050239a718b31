/** The only calls to the Cognito user pool. */
import {
  AdminLinkProviderForUserCommand,
  CognitoIdentityProviderClient,
  InvalidParameterException,
  paginateListUsers,
  type UserType,
} from "@aws-sdk/client-cognito-identity-provider";
import { callLimits } from "#kit/call-limits.ts";
import type { Account, Provided } from "./sign-up.ts";

/** Cognito waits five seconds for the trigger. */
const client = new CognitoIdentityProviderClient({ maxAttempts: 2, requestHandler: callLimits(2_000) });

/**
 * The accounts of a pool with this email, which must be canonical, so that it cannot contain the filter's quotes.
 */
export async function accountsWith(userPoolId: string, email: string): Promise<Account[]> {
  const accounts: Account[] = [];
  // Cognito may return an empty page before the last one.
  for await (const { Users = [] } of paginateListUsers(
    { client },
    { UserPoolId: userPoolId, Filter: `email = "${email}"` },
  )) {
    accounts.push(...Users.map(toAccount));
  }
  return accounts;
}

function toAccount({ Username = "", Attributes = [], UserStatus, Enabled }: UserType): Account {
  const attribute = (name: string) => Attributes.find(({ Name }) => Name === name)?.Value;
  return {
    username: Username,
    email: attribute("email"),
    emailVerified: attribute("email_verified") === "true",
    status: UserStatus,
    enabled: Enabled === true,
  };
}

/** Links an account at a provider: a person who signs in there gets this account. Idempotent. */
export async function link(userPoolId: string, username: string, { provider, subject }: Provided): Promise<void> {
  try {
    await client.send(
      new AdminLinkProviderForUserCommand({
        UserPoolId: userPoolId,
        DestinationUser: { ProviderName: "Cognito", ProviderAttributeValue: username },
        SourceUser: {
          ProviderName: provider,
          ProviderAttributeName: "Cognito_Subject",
          ProviderAttributeValue: subject,
        },
      }),
    );
  } catch (error) {
    // Cognito retries the trigger when the response is late. The first call may have linked the accounts.
    if (!(error instanceof InvalidParameterException && /already linked/i.test(error.message))) throw error;
  }
}
