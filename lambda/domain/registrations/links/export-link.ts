/**
 * The secret of the link by which a person without an account gets what is stored about them (`docs/contract.md`, "A
 * person's data"). It contains its end and the email, and is sealed for a use of its own: a link to a registration opens
 * no export, and the other way round. Nothing of it is stored. Pure.
 */
import { sealedLetters, unsealedLetters } from "./ticket-code.ts";

const use = "export link";
const prefix = "E1.";
/** The end, epoch milliseconds. */
const headBytes = 6;
/** For how long a link works, in milliseconds. */
export const exportLinkLasts = 72 * 3_600_000;

export interface ExportLink {
  readonly email: string;
  /** The link works until then, epoch milliseconds. */
  readonly until: number;
}

/** @param secret the ticket key of the stage */
export function exportLinkSecret({ email, until }: ExportLink, secret: string): string {
  const head = Buffer.alloc(headBytes);
  head.writeUIntBE(until, 0, headBytes);
  return prefix + sealedLetters(Buffer.concat([head, Buffer.from(email)]), secret, use);
}

/** Opens a link. Undefined when it is malformed, forged, or sealed with another key. Its end is not looked at. */
export function openedExportLink(link: string, secret: string): ExportLink | undefined {
  const content = link.startsWith(prefix) ? unsealedLetters(link.slice(prefix.length), secret, use) : undefined;
  if (!content || content.length <= headBytes) return undefined;
  return { email: content.toString("utf8", headBytes), until: content.readUIntBE(0, headBytes) };
}
