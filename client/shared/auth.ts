/** Signs people in by the user pool (`docs/contract.md`, "Sign-up"). */
import { Amplify } from "aws-amplify";
import {
  confirmResetPassword,
  confirmSignIn,
  confirmSignUp,
  fetchAuthSession,
  resendSignUpCode,
  resetPassword,
  signIn,
  signInWithRedirect,
  signOut,
  signUp,
} from "aws-amplify/auth";
import { cognitoUserPoolsTokenProvider } from "aws-amplify/auth/cognito";
import { sessionStorage as storage } from "aws-amplify/utils";
import { isDesk, settings } from "./settings.ts";

const { userPoolId, clientId: userPoolClientId, identityUrl: userPoolEndpoint, signInDomain } = settings;
const page = `${location.origin}${isDesk ? "/desk/" : "/sign-in/"}`;
const oauth = signInDomain && {
  domain: signInDomain.replace(/^https:\/\//, ""),
  scopes: ["openid", "email", "profile"],
  redirectSignIn: [page],
  redirectSignOut: [page],
  responseType: "code" as const,
};

Amplify.configure({
  Auth: {
    Cognito: {
      ...{ userPoolId, userPoolClientId },
      ...(userPoolEndpoint && { userPoolEndpoint }),
      loginWith: { email: true, ...(oauth && { oauth }) },
    },
  },
});

// Tokens of an executive end with the tab.
if (isDesk) cognitoUserPoolsTokenProvider.setKeyValueStorage(storage);

/** The ID token, a new one when it has expired; undefined when the session has ended. @throws when there is no answer */
export async function idToken(): Promise<string | undefined> {
  const { tokens } = await fetchAuthSession();
  return tokens?.idToken?.toString();
}

/** The email of who is signed in; undefined: signed out. */
export async function signedInEmail(): Promise<string | undefined> {
  const email = (await fetchAuthSession()).tokens?.idToken?.payload.email;
  return typeof email === "string" ? email : undefined;
}

/** Ends the session on this device. A network that is down does not prevent it. */
export const signOutHere = (): Promise<void> => signOut().catch(() => undefined);

/** What the person has to do next. */
export type Step = "done" | "confirm" | "totp" | "new password" | "other";

const steps: Readonly<Record<string, Step>> = {
  DONE: "done",
  CONFIRM_SIGN_UP: "confirm",
  CONFIRM_SIGN_IN_WITH_TOTP_CODE: "totp",
  CONFIRM_SIGN_IN_WITH_NEW_PASSWORD_REQUIRED: "new password",
};
const stepOf = (result: { readonly nextStep: { readonly signInStep: string } }): Step =>
  steps[result.nextStep.signInStep] ?? "other";

export async function enterPassword(username: string, password: string): Promise<Step> {
  // A session that was left half-way would refuse the next one.
  if ((await fetchAuthSession().catch(() => undefined))?.tokens) await signOutHere();
  return stepOf(await signIn({ username, password, options: { authFlowType: "USER_SRP_AUTH" } }));
}

/** The code of an authenticator app, or a new password. */
export const answerStep = async (challengeResponse: string): Promise<Step> =>
  stepOf(await confirmSignIn({ challengeResponse }));

export const create = (email: string, password: string): Promise<unknown> =>
  signUp({ username: email, password, options: { userAttributes: { email } } });

export const confirmCode = (username: string, confirmationCode: string): Promise<unknown> =>
  confirmSignUp({ username, confirmationCode });

export const sendCode = (username: string): Promise<unknown> => resendSignUpCode({ username });

export const askReset = (username: string): Promise<unknown> => resetPassword({ username });

export const savePassword = (username: string, confirmationCode: string, newPassword: string): Promise<void> =>
  confirmResetPassword({ username, confirmationCode, newPassword });

export const withGoogle = (): Promise<void> => signInWithRedirect({ provider: "Google" });

/** Ends a sign-in that comes back from the hosted page with `?code=`. */
export async function finishRedirect(): Promise<void> {
  await import("aws-amplify/auth/enable-oauth-listener");
}
