/**
 * The secret of the link by which an address confirms a new email. It contains which address confirms, the request and the
 * former email, sealed for a use of its own. Nothing of it is stored. Pure.
 */
import { type Side, sides } from "#domain/people/users/sides.ts";
import { sealedLetters, unsealedLetters } from "./ticket-code.ts";

const use = "new email link";
const prefix = "N1.";

export interface NewEmailLink {
  readonly side: Side;
  readonly requestId: string;
  /** The former address, under which the request is. */
  readonly email: string;
}

/** @param secret the ticket key of the stage */
export const newEmailSecret = ({ side, requestId, email }: NewEmailLink, secret: string): string =>
  prefix + sealedLetters(Buffer.from(`${side} ${requestId} ${email}`), secret, use);

/** Opens a link. Undefined when it is malformed, forged, or sealed with another key. */
export function openedNewEmail(link: string, secret: string): NewEmailLink | undefined {
  const content = link.startsWith(prefix) ? unsealedLetters(link.slice(prefix.length), secret, use) : undefined;
  const [name, requestId = "", email = ""] = content?.toString().split(" ") ?? [];
  const side = sides.find((one) => one === name);
  return side && { side, requestId, email };
}
