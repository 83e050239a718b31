/** Makes the key pairs of the user pools, once for all test files: a pair takes a fifth of a second. */
import { exportJWK, generateKeyPair } from "jose";

/** Two pools that a test compares have different pairs. */
const pairs = 4;

const newPair = async () => exportJWK((await generateKeyPair("RS256", { extractable: true })).privateKey);

export default async function makeSigningKeys() {
  process.env.TEST_SIGNING_KEYS = JSON.stringify(await Promise.all(Array.from({ length: pairs }, newPair)));
}
