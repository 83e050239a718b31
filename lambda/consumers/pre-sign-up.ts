/**
 * Triggers of the user pool (`docs/contract.md`, "Sign-up"). Cognito calls this function before it creates an account, at a
 * sign-up and at the first sign-in with Google, and before it mails a code. An error ends both: no account, no mail.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-pre-sign-up.html and
 * https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-lambda-custom-message.html
 */
import type { CustomMessageTriggerEvent, PreSignUpTriggerEvent } from "aws-lambda";
import { accountsWith, link } from "#domain/identity/accounts.ts";
import { decideSignUp, type Provided, type SignUp, type Verdict } from "#domain/identity/sign-up.ts";
import { admitCodeMail } from "#domain/people/sign-ups/admit.ts";
import { type CodeMail, type CodeMailLimits, heldText } from "#domain/people/sign-ups/limits.ts";
import { requiredEnv } from "#kit/env.ts";
import { log } from "#kit/log.ts";
import { seam } from "#kit/seam.ts";
import { canonicalEmail } from "#kit/text/email.ts";

/** No account is created, or no code is mailed. Cognito shows the message to the person. */
export class SignUpRefused extends Error {
  override readonly name = "SignUpRefused";
}

type Trigger = PreSignUpTriggerEvent | CustomMessageTriggerEvent;

const limits = JSON.parse(requiredEnv("SIGN_UP_LIMITS")) as CodeMailLimits;

/**
 * The mail that follows. No mail follows a sign-in with Google. Admins create accounts on purpose. The mail of a sign-up is
 * counted before the account exists, so it is not in the list a second time.
 */
const mails: Readonly<Record<string, CodeMail>> = {
  PreSignUp_SignUp: "sign-up",
  CustomMessage_ResendCode: "code again",
  CustomMessage_ForgotPassword: "forgotten password",
  CustomMessage_UpdateUserAttribute: "changed email",
  CustomMessage_VerifyUserAttribute: "changed email",
};

/** Milliseconds. Cognito waits five seconds. */
const longest = 4_000;

/**
 * Refuses by throwing, and links a Google sign-in to an existing account. Otherwise the pool continues as usual: this
 * function does not confirm accounts, verify emails or change texts. When table or pool do not answer, it refuses: without
 * the counts a flood would pass, and without the table an account is of no use.
 * @throws SignUpRefused
 */
export async function handler<E extends Trigger>(event: E): Promise<E> {
  const signUp = isSignUp(event) ? signUpOf(event) : undefined;
  const refusal = await inTime(refusalOf(event, signUp, Date.now())).catch((cause: unknown) => {
    // Cognito shows error messages to the person, and those of AWS services may contain an account.
    log.error("sign-up not decided", { error: cause instanceof Error ? cause.name : "unknown" });
    const what = signUp ? "Accounts cannot be made" : "Codes cannot be mailed";
    throw new SignUpRefused(`${what} right now. Try again in a minute`, { cause });
  });
  if (refusal !== undefined) throw new SignUpRefused(refusal);
  return event;
}

const isSignUp = (event: Trigger): event is PreSignUpTriggerEvent => event.triggerSource.startsWith("PreSignUp_");

async function inTime<T>(work: Promise<T>): Promise<T> {
  const waiting = new AbortController();
  const tooLate = seam.pause(longest, waiting.signal).then(() => {
    throw new DOMException("not decided in time", "TimeoutError");
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    waiting.abort();
    tooLate.catch(() => undefined);
  }
}

/** The limits come first, so that a flood uses up neither Cognito's rate for `ListUsers` nor tells who has an account. */
async function refusalOf(event: Trigger, signUp: SignUp | undefined, now: number): Promise<string | undefined> {
  const { email: typed } = event.request.userAttributes ?? {};
  const email = typed == null ? undefined : canonicalEmail(typed);
  const mail = mails[event.triggerSource];
  const held = mail && email !== undefined ? await heldBack(mail, email, now) : undefined;
  if (held !== undefined || !signUp) return held;
  const verdict = await settled(event.userPoolId, signUp, email);
  return "refuse" in verdict ? verdict.refuse : undefined;
}

async function heldBack(mail: CodeMail, email: string, now: number): Promise<string | undefined> {
  const { held } = await admitCodeMail(mail, email, limits, now);
  return held === undefined ? undefined : heldText(held, now);
}

async function settled(userPoolId: string, signUp: SignUp, email: string | undefined): Promise<Verdict> {
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
