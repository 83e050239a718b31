/**
 * Sign-in with a provider's account: the steps that Cognito takes behind its sign-in page. The page itself does not
 * exist here.
 */
import { randomUUID } from "node:crypto";
import { openSession, type SignedIn } from "./operations/sign-in.ts";
import type { Pool } from "./pool/pool.ts";
import { emailTaken } from "./pool/problem.ts";
import { askPreSignUp } from "./pool/triggers.ts";
import { noPassword, type User } from "./pool/user-store.ts";

/** A person who has signed in on the provider's own page. */
export interface FederatedPerson {
  readonly provider: "Google";
  /** The provider's id of the person; it never changes. */
  readonly subject: string;
  readonly email: string;
  readonly emailVerified: boolean;
  /** Further mapped attributes, such as `given_name`. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/**
 * Signs the person in. The first time, Cognito asks the pre-sign-up trigger, and an account that the trigger links is
 * used at once. Every sign-in overwrites the mapped attributes with the provider's values, even a verified email with
 * an unverified one: the rule that keeps the old email until the new one is verified holds only for changes that people
 * make themselves.
 * Source: Cognito developer guide, "Linking federated users to an existing user profile" and "Mapping IdP attributes".
 * @throws ServiceProblem when the trigger refuses, or when another password account has the email
 */
export async function federatedSignIn(pool: Pool, person: FederatedPerson): Promise<SignedIn> {
  const { provider, subject, email, emailVerified, attributes } = person;
  const known = () => pool.users.findExternal(provider, subject);
  if (!known()) {
    await askPreSignUp(pool, {
      triggerSource: "PreSignUp_ExternalProvider",
      userName: `${provider}_${subject}`,
      userAttributes: {
        ...attributes,
        email,
        email_verified: String(emailVerified),
        "cognito:email_alias": "",
        "cognito:phone_number_alias": "",
      },
    });
  }
  const user = known() ?? newcomer(pool, person);
  const holder = pool.users.find(email);
  if (!user.external && holder && holder !== user) throw emailTaken();
  Object.assign(user.attributes, attributes);
  pool.users.changeEmail(user, email);
  user.emailVerified = emailVerified;
  pool.users.save();
  return openSession(pool, user);
}

function newcomer(pool: Pool, { provider, subject, email }: FederatedPerson): User {
  const user: User = {
    sub: randomUUID(),
    attributes: { email },
    emailVerified: false,
    confirmed: true,
    external: true,
    identities: [{ providerName: provider, userId: subject, dateCreated: pool.now() * 1000 }],
    password: noPassword,
    codes: {},
  };
  pool.users.add(user);
  return user;
}
