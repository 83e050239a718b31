/**
 * The encryption of a copy: age files (https://age-encryption.org/v1), which the command `age` reads too. A passphrase takes
 * a second and 256 MB for each file, so it encrypts one file only: the key that the other files are encrypted for.
 */
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";

/** Without the passphrase neither part is known, so a file that the key opens was made by its holder. */
export interface CopyKey {
  readonly identity: string;
  readonly recipient: string;
}

/**
 * A new key.
 * @param workFactor the logarithm of scrypt's cost. Absent: age's own. For tests
 * @returns also the file that has it, which `age --decrypt --identity key.age` takes (age(1), "Passphrase encrypted age files")
 */
export async function newKey(
  passphrase: string,
  workFactor?: number,
): Promise<{ readonly key: CopyKey; readonly file: Uint8Array }> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const encrypter = new Encrypter();
  encrypter.setPassphrase(passphrase);
  if (workFactor !== undefined) encrypter.setScryptWorkFactor(workFactor);
  return { key: { identity, recipient }, file: await encrypter.encrypt(`# public key: ${recipient}\n${identity}\n`) };
}

/** The key in a file. @returns undefined for another passphrase, or an altered file */
export async function keyIn(file: Uint8Array, passphrase: string): Promise<CopyKey | undefined> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  const text = await decrypter.decrypt(file, "text").catch(() => undefined);
  const identity = text?.split("\n").find((line) => line.startsWith("AGE-SECRET-KEY-"));
  return identity === undefined ? undefined : { identity, recipient: await identityToRecipient(identity) };
}

export function encrypted(content: Uint8Array | string, { recipient }: CopyKey): Promise<Uint8Array> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return encrypter.encrypt(content);
}

/** @throws Error when the file is truncated, altered, or encrypted for another key */
export function decrypted(file: Uint8Array, { identity }: CopyKey): Promise<Uint8Array> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return decrypter.decrypt(file);
}
