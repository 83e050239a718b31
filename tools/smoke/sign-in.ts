/** Sign-in with SRP, with the web application's client library. */
import { Amplify } from "aws-amplify";
import { fetchAuthSession, signIn } from "aws-amplify/auth";
import { cognitoUserPoolsTokenProvider } from "aws-amplify/auth/cognito";
import { ConsoleLogger } from "aws-amplify/utils";
import { Failed } from "./step-kit/waiting.ts";

// Amplify warns about custom endpoints.
ConsoleLogger.LOG_LEVEL = "ERROR";

export interface Pool {
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  /** By default AWS's. */
  readonly userPoolEndpoint?: string;
}

export interface Tokens {
  readonly idToken: string;
  readonly accessToken: string;
}

/**
 * Amplify supports one person at a time, so calls must be sequential. Sessions remain open, because the tokens are used
 * until the end of the run.
 * @throws Failed the sign-in failed
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
  const tryOnce = () => signIn({ username: email, password, options: { authFlowType: "USER_SRP_AUTH" } });
  const { isSignedIn, nextStep } = await tryOnce().catch((error: unknown) => {
    // The server has closed the connection that was to be used again. Node's fetch does not ask again after a POST.
    if ((error as Error).message !== "fetch failed") throw error;
    return tryOnce();
  });
  const { tokens } = await fetchAuthSession();
  if (!isSignedIn || !tokens?.idToken) throw new Failed(`the sign-in did not end: ${nextStep.signInStep}.`);
  return { idToken: `${tokens.idToken}`, accessToken: `${tokens.accessToken}` };
}
