/**
 * The authenticator app of a person: the key that pool and app share, and the codes of the app.
 * https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-settings-mfa-totp.html
 */
import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";

/** Key and codes as RFC 6238 has them. Cognito takes codes of SHA-1 only. */
const format = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** Bytes of a key; Cognito's keys have 52 characters of base32. */
const keyLength = 32;
/** A code counts 30 seconds earlier and later as well, because clocks differ. */
const window = 1;

/** A key in the account of a person. */
export interface SoftwareToken {
  /** Base32. */
  readonly secret: string;
  /** The time step of the last code that was used. A code of this step or of an earlier one counts as used. */
  lastStep?: number;
}

/** Makes a new key. */
export const newSoftwareToken = (): SoftwareToken => ({
  secret: new Secret({ buffer: new Uint8Array(randomBytes(keyLength)).buffer }).base32,
});

/**
 * Checks a code and marks it as used. The caller saves the user.
 * @param now epoch seconds
 */
export function useCode(token: SoftwareToken, code: string, now: number): "valid" | "wrong" | "used" {
  // The package compares bytes of the same length only.
  if (!/^[0-9]{6}$/.test(code)) return "wrong";
  const secret = Secret.fromBase32(token.secret);
  const distance = TOTP.validate({ ...format, token: code, secret, timestamp: now * 1_000, window });
  if (distance === null) return "wrong";
  const step = Math.floor(now / format.period) + distance;
  if (token.lastStep !== undefined && step <= token.lastStep) return "used";
  token.lastStep = step;
  return "valid";
}
