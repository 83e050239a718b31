import { randomInt, timingSafeEqual } from "node:crypto";
import { codeExpired, codeMismatch, limitExceeded } from "./problem.ts";

/** The purpose of a mailed code. */
export type CodeKind = "signUp" | "forgotPassword" | "attribute";

/** A mailed code with its counts. The counts stay after the code was used. */
export interface IssuedCode {
  /** Six digits; absent once it was used. */
  code?: string;
  /** Epoch seconds. */
  expiresAt: number;
  /** Epoch seconds at which the counts below began. */
  countedSince: number;
  /** Codes sent since then. */
  sent: number;
  /** Wrong codes entered since then. */
  failures: number;
}

/** A user, as far as codes are concerned. */
interface CodeHolder {
  codes: Partial<Record<CodeKind, IssuedCode>>;
}

const HOUR = 3600;
/** Seconds that a code stays valid, as documented for Cognito. */
const VALIDITY: Readonly<Record<CodeKind, number>> = { signUp: 24 * HOUR, forgotPassword: HOUR, attribute: 24 * HOUR };
/** Wrong codes an hour, and codes sent an hour, per person and kind. */
const MAXIMUM_FAILURES = 5;
const MAXIMUM_SENT = 20;

/**
 * Issues a new code; the previous one of its kind is void. `now` in epoch seconds.
 * @throws IdentityProblem LimitExceededException when too many were asked for.
 */
export function issueCode(user: CodeHolder, kind: CodeKind, now: number): string {
  const counts = countsOf(user, kind, now);
  if (counts.sent >= MAXIMUM_SENT) throw limitExceeded();
  const code = String(randomInt(0, 1_000_000)).padStart(6, "0");
  user.codes[kind] = { ...counts, code, expiresAt: now + VALIDITY[kind], sent: counts.sent + 1 };
  return code;
}

/**
 * Redeems a code. A wrong code is counted in the user: save the user also when this throws.
 * @throws IdentityProblem CodeMismatchException, ExpiredCodeException or LimitExceededException.
 */
export function redeemCode(user: CodeHolder, kind: CodeKind, entered: string, now: number): void {
  const counts = countsOf(user, kind, now);
  const issued = user.codes[kind];
  if (counts.failures >= MAXIMUM_FAILURES) throw limitExceeded();
  if (issued?.code === undefined || issued.expiresAt <= now) throw codeExpired();
  if (!sameText(issued.code, entered)) {
    user.codes[kind] = { ...counts, failures: counts.failures + 1 };
    throw codeMismatch();
  }
  user.codes[kind] = { ...withoutCode(issued), failures: 0 };
}

/** Makes the last code of this kind void. */
export function voidCode(user: CodeHolder, kind: CodeKind): void {
  const issued = user.codes[kind];
  if (issued) user.codes[kind] = withoutCode(issued);
}

function countsOf(user: CodeHolder, kind: CodeKind, now: number): IssuedCode {
  const issued = user.codes[kind];
  if (!issued) return { expiresAt: now, countedSince: now, sent: 0, failures: 0 };
  return issued.countedSince + HOUR > now ? issued : { ...issued, countedSince: now, sent: 0, failures: 0 };
}

function withoutCode({ code: _, ...rest }: IssuedCode): IssuedCode {
  return rest;
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
