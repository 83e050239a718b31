import { createHash, createHmac, getDiffieHellman } from "node:crypto";

/*
 * The client's half of SRP in the plainest form, sharing no code with the service: numbers are hashed as Amplify does it,
 * as hexadecimal of even length with "00" in front where the first bit is set.
 */

const N = BigInt(`0x${getDiffieHellman("modp15").getPrime("hex")}`);

/** Square and multiply. */
function slowPower(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base % N;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % N;
    square = (square * square) % N;
  }
  return result;
}

function padded(value: bigint): string {
  const hex = value.toString(16);
  if (hex.length % 2 === 1) return `0${hex}`;
  return "89abcdef".includes(hex.charAt(0)) ? `00${hex}` : hex;
}

const sha256 = (hex: string): string => createHash("sha256").update(Buffer.from(hex, "hex")).digest("hex");

/** The client's first value, for its secret `a`. */
export const publicValue = (a: bigint): bigint => slowPower(2n, a);

/** The parts of a client's signature. */
export interface Answering {
  poolName: string;
  userId: string;
  password: string;
  /** The client's secret. */
  a: bigint;
  /** Hexadecimal, as in the challenge. */
  salt: string;
  /** Hexadecimal, as in the challenge. */
  serverPublic: string;
  /** Base64, as in the challenge. */
  secretBlock: string;
  timestamp: string;
}

/** The signature for PASSWORD_CLAIM_SIGNATURE, in base64. */
export function answerChallenge(answering: Answering): string {
  const { poolName, userId, password, a, salt, serverPublic, secretBlock, timestamp } = answering;
  const B = BigInt(`0x${serverPublic}`);
  const u = BigInt(`0x${sha256(padded(publicValue(a)) + padded(B))}`);
  const k = BigInt(`0x${sha256(`${padded(N)}02`)}`);
  const inner = createHash("sha256").update(`${poolName}${userId}:${password}`).digest("hex");
  const x = BigInt(`0x${sha256(padded(BigInt(`0x${salt}`)) + inner)}`);
  const base = (((B - k * slowPower(2n, x)) % N) + N) % N;
  const S = slowPower(base, a + u * x);
  const extracted = createHmac("sha256", Buffer.from(padded(u), "hex"))
    .update(Buffer.from(padded(S), "hex"))
    .digest();
  const key = createHmac("sha256", extracted).update("Caldera Derived Key\u0001").digest().subarray(0, 16);
  return createHmac("sha256", key)
    .update(poolName + userId)
    .update(Buffer.from(secretBlock, "base64"))
    .update(timestamp)
    .digest("base64");
}
