/**
 * Decides on sign-ups and on linking accounts (`docs/contract.md`, "Sign-up"). The email in a token is the caller's
 * identity, so two accounts with the same email count as one person. This rule ensures that one person owns both. Pure.
 */
import { canonicalEmail } from "#kit/text/email.ts";

/** A request for a new account. */
export interface SignUp {
  /** The account at the provider. Absent for a sign-up with email and password. */
  readonly from?: Provided;
  /** As entered, or as the provider claims it. */
  readonly email: string | undefined;
  /** Whether the provider has verified the email. False for a sign-up with a password. */
  readonly emailVerified: boolean;
}

/** An account at a sign-in provider such as Google. */
export interface Provided {
  /** The name of the provider in the user pool: `Google`. */
  readonly provider: string;
  /** The provider's permanent id of the person: Google's `sub`. */
  readonly subject: string;
}

/** An account that exists in the user pool. */
export interface Account {
  readonly username: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  /** Cognito's status: `CONFIRMED`, `UNCONFIRMED`, `EXTERNAL_PROVIDER` and others. */
  readonly status: string | undefined;
  readonly enabled: boolean;
}

/** `make`: a separate account. `link`: the user name of the account to link it to. `refuse`: the reason. */
export type Verdict = { readonly make: true } | { readonly link: string } | { readonly refuse: string };

/** Sentences for the person. They have no full stop, because Cognito adds one. */
export const refusals = {
  email:
    "This email cannot be used here. It needs exactly one @, plain letters and none of / ? # %, such as name@example.org",
  unverified: "Google has not verified your email. Verify it at Google, or sign up with email and password",
  useGoogle: "There is an account with this email that signs in with Google. Choose Google to sign in",
  closed: "No account can be made with this email. Ask the club",
} as const;

const external = "EXTERNAL_PROVIDER";

/**
 * Decides on a sign-up. Two accounts are linked only if both emails are verified: otherwise a stranger could sign up with
 * another person's email and a password, and later share the account.
 * @param accounts the accounts with the same email
 */
export function decideSignUp({ from, email, emailVerified }: SignUp, accounts: readonly Account[]): Verdict {
  const wanted = email === undefined ? undefined : canonicalEmail(email);
  if (wanted === undefined) return { refuse: refusals.email };
  if (from && !emailVerified) return { refuse: refusals.unverified };

  const same = accounts.filter((account) => account.email !== undefined && canonicalEmail(account.email) === wanted);
  // The club disabled this person's account, so the other sign-in method must not create a second one.
  if (same.some(({ enabled }) => !enabled)) return { refuse: refusals.closed };
  if (!from) {
    const atGoogle = same.some(({ status, emailVerified: verified }) => status === external && verified);
    return atGoogle ? { refuse: refusals.useGoogle } : { make: true };
  }
  const own = same.find(({ status, emailVerified: verified }) => status === "CONFIRMED" && verified);
  return own ? { link: own.username } : { make: true };
}
