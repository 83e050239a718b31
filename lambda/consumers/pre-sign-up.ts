/**
 * Trigger of the user pool: Cognito calls it before it creates an account, at a sign-up and at the first sign-in with
 * Google (`docs/contract.md`, "Sign-up").
 */
import type { PreSignUpTriggerEvent } from "aws-lambda";
import { accountsWith, link } from "#domain/identity/accounts.ts";
import { decideSignUp, type Provided, type SignUp, type Verdict } from "#domain/identity/sign-up.ts";
import { canonicalEmail } from "#kit/email.ts";
import { log } from "#kit/log.ts";

/** No account is created. Cognito shows the message to the person. */
export class SignUpRefused extends Error {
  override readonly name = "SignUpRefused";
}

/**
 * Refuses by throwing, and links a Google sign-in to an existing account. Otherwise the pool continues as usual: this
 * function does not confirm accounts or verify emails.
 * @throws SignUpRefused
 */
export async function handler(event: PreSignUpTriggerEvent): Promise<PreSignUpTriggerEvent> {
  const signUp = signUpOf(event);
  const verdict = await settled(event.userPoolId, signUp).catch((cause: unknown) => {
    // Cognito shows error messages to the person, and those of AWS services may contain an account.
    log.error("sign-up not decided", { error: cause instanceof Error ? cause.name : "unknown" });
    throw new SignUpRefused("Accounts cannot be made right now. Try again in a minute", { cause });
  });
  if ("refuse" in verdict) throw new SignUpRefused(verdict.refuse);
  return event;
}

async function settled(userPoolId: string, signUp: SignUp): Promise<Verdict> {
  const email = signUp.email === undefined ? undefined : canonicalEmail(signUp.email);
  const verdict = decideSignUp(signUp, email === undefined ? [] : await accountsWith(userPoolId, email));
  if ("link" in verdict && signUp.from) await link(userPoolId, verdict.link, signUp.from);
  return verdict;
}

function signUpOf({ triggerSource, userName, request }: PreSignUpTriggerEvent): SignUp {
  const { email: typed, email_verified } = request.userAttributes ?? {};
  const email = typed ?? undefined;
  if (triggerSource !== "PreSignUp_ExternalProvider") return { email, emailVerified: false };
  return { from: providedBy(userName), email, emailVerified: email_verified === "true" };
}

/**
 * Reads `Google_<subject>`. Cognito sometimes writes the provider's name in lower case.
 * @throws SignUpRefused
 */
function providedBy(userName: string): Provided {
  const [, subject] = /^google_(.+)$/i.exec(userName) ?? [];
  if (subject === undefined) throw new SignUpRefused("Sign in with Google, or with email and password");
  return { provider: "Google", subject };
}
