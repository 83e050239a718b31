/** Sign-in with a password by SRP, with the client that the web application uses. */
import { Amplify } from "aws-amplify";
import { fetchAuthSession, signIn } from "aws-amplify/auth";
import { cognitoUserPoolsTokenProvider } from "aws-amplify/auth/cognito";
import { ConsoleLogger } from "aws-amplify/utils";
import { Failed } from "./waiting.ts";

// Amplify warns of every endpoint that is not Amazon's.
ConsoleLogger.LOG_LEVEL = "ERROR";

export interface Pool {
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  /** Absent: Amazon's. */
  readonly userPoolEndpoint?: string;
}

export interface Tokens {
  readonly idToken: string;
  readonly accessToken: string;
}

/**
 * Amplify knows one person at a time: call it for one person after the other. The sessions stay open, because the
 * tokens are used until the end of the run.
 * @throws Failed when the pool does not sign the person in
 */
export async function signedIn(pool: Pool, email: string, password: string): Promise<Tokens> {
  Amplify.configure({ Auth: { Cognito: { ...pool, loginWith: { email: true } } } });
  const entries = new Map<string, string>();
  cognitoUserPoolsTokenProvider.setKeyValueStorage({
    setItem: async (key: string, value: string) => void entries.set(key, value),
    getItem: async (key: string) => entries.get(key) ?? null,
    removeItem: async (key: string) => void entries.delete(key),
    clear: async () => entries.clear(),
  });
  const { isSignedIn, nextStep } = await signIn({
    username: email,
    password,
    options: { authFlowType: "USER_SRP_AUTH" },
  });
  const { tokens } = await fetchAuthSession();
  if (!isSignedIn || !tokens?.idToken) throw new Failed(`the sign-in did not end: ${nextStep.signInStep}.`);
  return { idToken: `${tokens.idToken}`, accessToken: `${tokens.accessToken}` };
}
