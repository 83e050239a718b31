import type { webcrypto } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { JsonFile } from "../../service-kit/json-file.ts";

/** The pool's RS256 key pair. */
export interface SigningKey {
  kid: string;
  privateKey: webcrypto.CryptoKey;
  publicJwk: JWK;
}

interface StoredKey {
  privateJwk: JWK;
}

/** A new RS256 key pair, as its private key. */
export async function newKeyPair(): Promise<JWK> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return exportJWK(privateKey);
}

/**
 * Loads the key pair, or makes and keeps one at the first start: tokens stay valid over a restart.
 * @param make a new key pair, as its private key
 */
export async function loadSigningKey(path: string | undefined, make: () => Promise<JWK>): Promise<SigningKey> {
  const file = new JsonFile(path);
  const kept = file.read() as StoredKey | undefined;
  const stored = kept ?? { privateJwk: await make() };
  if (!kept) file.write(() => stored);
  const { kty, n, e } = stored.privateJwk;
  const kid = await calculateJwkThumbprint({ kty: kty!, n, e } as JWK);
  return {
    kid,
    privateKey: (await importJWK(stored.privateJwk, "RS256")) as webcrypto.CryptoKey,
    publicJwk: { kty, n, e, kid, alg: "RS256", use: "sig" } as JWK,
  };
}
