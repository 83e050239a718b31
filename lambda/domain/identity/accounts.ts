/** The only place that talks to the user pool. */
import {
  AdminLinkProviderForUserCommand,
  CognitoIdentityProviderClient,
  InvalidParameterException,
  paginateListUsers,
  type UserType,
} from "@aws-sdk/client-cognito-identity-provider";
import type { Account, Provided } from "./sign-up.ts";

const client = new CognitoIdentityProviderClient();

/** The accounts of a pool with an email, which must be canonical: nothing in one can end the filter. */
export async function accountsWith(userPoolId: string, email: string): Promise<Account[]> {
  const accounts: Account[] = [];
  // A page may be empty although there are more.
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

/** From now on whoever comes from there signs in to this account. Linking them again does nothing. */
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
    // Cognito calls the trigger again when an answer is late; the first call may have linked them.
    if (!(error instanceof InvalidParameterException && /already linked/i.test(error.message))) throw error;
  }
}
