import { createHash, createHmac } from "node:crypto";

/*
 * The client's half of SRP in the plainest form, sharing no code with the service: numbers are hashed as Amplify does it,
 * as hexadecimal of even length with "00" in front where the first bit is set.
 */

const N = BigInt(
  `0x${[
    "ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404dd",
    "ef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed",
    "ee386bfb5a899fa5ae9f24117c4b1fe649286651ece45b3dc2007cb8a163bf0598da48361c55d39a69163fa8fd24cf5f",
    "83655d23dca3ad961c62f356208552bb9ed529077096966d670c354e4abc9804f1746c08ca18217c32905e462e36ce3b",
    "e39e772c180e86039b2783a2ec07a28fb5c55df06f4c52c9de2bcbf6955817183995497cea956ae515d2261898fa0510",
    "15728e5a8aaac42dad33170d04507a33a85521abdf1cba64ecfb850458dbef0a8aea71575d060c7db3970f85a6e1e4c7",
    "abf5ae8cdb0933d71e8c94e04a25619dcee3d2261ad2ee6bf12ffa06d98a0864d87602733ec86a64521f2b18177b200c",
    "bbe117577a615d6c770988c0bad946e208e24fa074e5ab3143db5bfce0fd108e4b82d120a93ad2caffffffffffffffff",
  ].join("")}`,
);

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
