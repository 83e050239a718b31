/**
 * Canonical emails: trimmed, lower-cased, ASCII, exactly one `@` (`docs/contract.md`, "Conventions"). Every key with an
 * email uses this form, so a person exists once, however the address was typed.
 */

const atom = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const canonical = new RegExp(`^${atom}(?:\\.${atom})*@${label}(?:\\.${label})+$`);
const maxLength = 254;
const maxLocalPart = 64;

/** Characters of an email as it is typed, at most: the time to find white space at its ends grows with their square. */
const longestTyped = 512;
/** ASCII white space only: a Unicode space in an address is an error and is not removed. */
const surroundingSpace = /^[ \t\r\n]+|[ \t\r\n]+$/g;

/**
 * Lower-cases ASCII only: `toLowerCase` turns the Kelvin sign (U+212A) into `k`, a letter of another person's domain.
 */
const asciiLowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * The canonical form of an address; undefined when the text is no address. Idempotent: the canonical form of a
 * canonical email is itself.
 */
export function canonicalEmail(text: string): string | undefined {
  if (text.length > longestTyped) return undefined;
  const typed = text.replace(surroundingSpace, "");
  if (typed.length > maxLength || typed.indexOf("@") > maxLocalPart) return undefined;
  const email = asciiLowerCase(typed);
  return canonical.test(email) ? email : undefined;
}

/** The part after the only `@` of a canonical email. */
export const domainOf = (email: string): string => email.slice(email.indexOf("@") + 1);
