import { createHash, createHmac, getDiffieHellman, randomBytes } from "node:crypto";

/*
 * Secure Remote Password 6a as Cognito's clients compute it: the 3072-bit group of RFC 3526, SHA-256, numbers hashed as
 * the shortest two's-complement bytes, and a session key drawn by one round of HKDF.
 */

const prime = getDiffieHellman("modp15").getPrime();

/** The group's modulus. */
export const N = BigInt(`0x${prime.toString("hex")}`);
/** The group's generator. */
const g = 2n;

/** Modular exponentiation in the group. Its exponents have at most 256 bits, so it takes some milliseconds. */
function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = mod(base);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % N;
    square = (square * square) % N;
  }
  return result;
}

const mod = (value: bigint): bigint => ((value % N) + N) % N;
const fromBytes = (value: Buffer): bigint => BigInt(`0x${value.toString("hex") || "0"}`);

function bytes(value: bigint): Buffer {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
}

/** The bytes that get hashed for a number: shortest big-endian, with a zero in front where the first bit is set. */
function paddedBytes(value: bigint): Buffer {
  const plain = bytes(value);
  return plain[0]! >= 0x80 ? Buffer.concat([Buffer.from([0]), plain]) : plain;
}

const sha256 = (...parts: readonly (Buffer | string)[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const hmac = (key: Buffer, message: Buffer): Buffer => createHmac("sha256", key).update(message).digest();

/** The multiplier that ties the server's public value to the group. */
const k = fromBytes(sha256(paddedBytes(N), paddedBytes(g)));

/** The owner of a password. The pool's name is the part of its id after the underscore. */
export interface Identity {
  poolName: string;
  userId: string;
}

/** The stored form of a password, both parts hexadecimal. */
export interface PasswordVerifier {
  salt: string;
  verifier: string;
}

/** Reads a hexadecimal number; undefined when it is none or is longer than the group. */
export function fromHex(hex: string): bigint | undefined {
  return /^[0-9a-f]{1,770}$/i.test(hex) ? BigInt(`0x${hex}`) : undefined;
}

/** The private key that a password stands for. */
function passwordKey({ poolName, userId }: Identity, password: string, salt: bigint): bigint {
  return fromBytes(sha256(paddedBytes(salt), sha256(`${poolName}${userId}:${password}`)));
}

/** Makes the verifier to store for a new password, with a fresh salt. */
export function createVerifier(identity: Identity, password: string): PasswordVerifier {
  const salt = fromBytes(randomBytes(16));
  return { salt: salt.toString(16), verifier: power(g, passwordKey(identity, password, salt)).toString(16) };
}

/** Compares a password with the stored verifier. */
export function matchesVerifier(identity: Identity, password: string, stored: PasswordVerifier): boolean {
  return power(g, passwordKey(identity, password, BigInt(`0x${stored.salt}`))) === BigInt(`0x${stored.verifier}`);
}

/** A key pair of one sign-in on the server's side. */
export interface ServerKeys {
  secret: bigint;
  public: bigint;
}

/** Draws the server's key pair for a stored verifier. */
export function createServerKeys(verifier: bigint, secret: bigint = fromBytes(randomBytes(32))): ServerKeys {
  return { secret, public: mod(k * verifier + power(g, secret)) };
}

/** Mixes both public values, so that neither side can choose the result alone. */
export function scrambler(clientPublic: bigint, serverPublic: bigint): bigint {
  return fromBytes(sha256(paddedBytes(clientPublic), paddedBytes(serverPublic)));
}

/** The number both sides arrive at when the client knows the password; here from the server's side. */
export function serverSecret(clientPublic: bigint, keys: ServerKeys, verifier: bigint): bigint {
  const u = scrambler(clientPublic, keys.public);
  return power(mod(clientPublic * power(verifier, u)), keys.secret);
}

/** The 16-byte key drawn from the shared number. */
export function sessionKey(shared: bigint, u: bigint): Buffer {
  const extracted = hmac(paddedBytes(u), paddedBytes(shared));
  return hmac(extracted, Buffer.from("Caldera Derived Key\u0001")).subarray(0, 16);
}

/** The signature with which a client shows that it holds the session key; `timestamp` as the client wrote it. */
export function claimSignature(
  key: Buffer,
  { poolName, userId }: Identity,
  secretBlock: Buffer,
  timestamp: string,
): Buffer {
  return hmac(key, Buffer.concat([Buffer.from(poolName + userId), secretBlock, Buffer.from(timestamp)]));
}
