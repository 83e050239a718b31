/**
 * Who gets an account, and whose accounts become one. A token's email claim is the caller's identity, so two accounts with
 * one email are one person to the club; this rule sees to it that the same person owns both.
 */
import { canonicalEmail } from "#kit/email.ts";

/** An account that somebody wants. */
export interface SignUp {
  /** The account elsewhere that it comes from; absent for email and password. */
  readonly from?: Provided;
  /** As it was typed, or as the provider claims it. */
  readonly email: string | undefined;
  /** Whether the provider has verified the email. Nobody has at a sign-up with a password. */
  readonly emailVerified: boolean;
}

/** An account at a provider. */
export interface Provided {
  /** As the user pool calls it: `Google`. */
  readonly provider: string;
  /** Whom the provider means, for ever: Google's `sub`. */
  readonly subject: string;
}

/** An account that is there already. */
export interface Account {
  readonly username: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  /** Cognito's word: `CONFIRMED`, `UNCONFIRMED`, `EXTERNAL_PROVIDER` ... */
  readonly status: string | undefined;
  readonly enabled: boolean;
}

/** An account of its own, the user name of an account that it becomes a part of, or why not. */
export type Verdict = { readonly make: true } | { readonly link: string } | { readonly refuse: string };

/** Sentences for the person; Cognito sets the full stop. */
export const refusals = {
  email: "This email cannot be used here. It needs exactly one @ and plain letters, such as name@example.org",
  unverified: "Google has not verified your email. Verify it at Google, or sign up with email and password",
  useGoogle: "There is an account with this email that signs in with Google. Choose Google to sign in",
  closed: "No account can be made with this email. Ask the club",
} as const;

const external = "EXTERNAL_PROVIDER";

/**
 * Decides on a sign-up. `accounts` are those with the same email.
 * Only two verified emails are ever put together: a password that somebody else chose never opens a person's account.
 */
export function decideSignUp({ from, email, emailVerified }: SignUp, accounts: readonly Account[]): Verdict {
  const wanted = email === undefined ? undefined : canonicalEmail(email);
  if (wanted === undefined) return { refuse: refusals.email };
  if (from && !emailVerified) return { refuse: refusals.unverified };

  const same = accounts.filter((account) => account.email !== undefined && canonicalEmail(account.email) === wanted);
  // Somebody whom the club has shut out does not come back by the other door.
  if (same.some(({ enabled }) => !enabled)) return { refuse: refusals.closed };
  if (!from) {
    const atGoogle = same.some(({ status, emailVerified: verified }) => status === external && verified);
    return atGoogle ? { refuse: refusals.useGoogle } : { make: true };
  }
  const own = same.find(({ status, emailVerified: verified }) => status === "CONFIRMED" && verified);
  return own ? { link: own.username } : { make: true };
}
