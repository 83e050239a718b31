import type { JWK } from "jose";
import { newKeyPair } from "../../tools/laptop/identity/pool/signing-key.ts";

/** `test/signing-keys.mjs` has made them. */
const made = JSON.parse(process.env.TEST_SIGNING_KEYS ?? "[]") as readonly JWK[];
let taken = 0;

/** A key pair for a user pool. Pools that start one after the other have different ones. */
export async function nextKeyPair(): Promise<JWK> {
  taken += 1;
  return made[taken % made.length] ?? newKeyPair();
}
