import { randomInt } from "node:crypto";
import { codeExpired, codeMismatch } from "./problem.ts";

/** The purpose of a mailed code. */
export type CodeKind = "signUp" | "forgotPassword" | "attribute";

/** A mailed code. */
export interface IssuedCode {
  /** Six digits. */
  readonly code: string;
  /** Epoch seconds. */
  readonly expiresAt: number;
}

/** A user, as far as codes are concerned. */
interface CodeHolder {
  codes: Partial<Record<CodeKind, IssuedCode>>;
}

const HOUR = 3600;
/** Seconds that a code stays valid, as documented for Cognito. */
const VALIDITY: Readonly<Record<CodeKind, number>> = { signUp: 24 * HOUR, forgotPassword: HOUR, attribute: 24 * HOUR };

/** Issues a new code; the previous one of its kind is void. `now` in epoch seconds. */
export function issueCode(user: CodeHolder, kind: CodeKind, now: number): string {
  const code = String(randomInt(0, 1_000_000)).padStart(6, "0");
  user.codes[kind] = { code, expiresAt: now + VALIDITY[kind] };
  return code;
}

/** Redeems a code. @throws ServiceProblem CodeMismatchException or ExpiredCodeException */
export function redeemCode(user: CodeHolder, kind: CodeKind, entered: string, now: number): void {
  const issued = user.codes[kind];
  if (!issued || issued.expiresAt <= now) throw codeExpired();
  if (issued.code !== entered) throw codeMismatch();
  voidCode(user, kind);
}

/** Makes the last code of this kind void. */
export function voidCode(user: CodeHolder, kind: CodeKind): void {
  delete user.codes[kind];
}
