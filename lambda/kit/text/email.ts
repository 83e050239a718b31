/**
 * Canonical emails: trimmed, lower-cased, ASCII, exactly one `@`, no `/ ? # %` (`docs/contract.md`, "Conventions"). Keys use this form,
 * so a person exists once, regardless of how the address was typed.
 */

/** RFC 5322, section 3.2.3, without the characters that no path carries (`gateway-key.ts`). */
const atom = "[a-z0-9!$&'*+=^_`{|}~-]+";
const label = "[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?";
const canonical = new RegExp(`^${atom}(?:\\.${atom})*@${label}(?:\\.${label})+$`);
const maxLength = 254;
const maxLocalPart = 64;

/** Maximum characters of an email as typed: trimming takes quadratic time. */
const longestTyped = 512;
/** ASCII white space only: a Unicode space in an address is an error. */
const surroundingSpace = /^[ \t\r\n]+|[ \t\r\n]+$/g;

/**
 * Lower-cases ASCII only: `toLowerCase` turns the Kelvin sign (U+212A) into `k`, a letter of another person's domain.
 */
const asciiLowerCase = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/**
 * The canonical form of an address; undefined when the text is not an address. Idempotent.
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
