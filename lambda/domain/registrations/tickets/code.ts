/**
 * The content of a QR code: `V2.` and letters (`docs/contract.md`, "Check-in"). It names a registration and its ticket,
 * encrypted and authenticated by AES-SIV (RFC 5297), so that no item of the table has to lead from the one to the
 * other. AES-SIV is deterministic: the same ticket has the same code in each answer.
 */
import { createHash, randomBytes } from "node:crypto";
import { aessiv } from "@noble/ciphers/aes.js";
import { base32nopad } from "@scure/base";
import { derived } from "#kit/sealed.ts";

/** The registration that a code names. */
export interface Ticket {
  readonly ticketId: string;
  readonly email: string;
  readonly eventID: string;
  readonly year: number;
}

/** A code that was opened. It has a mark of the ticket, not its id. */
export interface OpenedTicket extends Omit<Ticket, "ticketId"> {
  readonly mark: string;
}

const prefix = "V2.";
const markBytes = 10;
const yearBytes = 2;
/** Characters, at most: the code of the longest email and event id has 560. */
export const longestCode = 600;

/** A random id of 128 bits. It cannot be guessed and tells nothing about the person. */
export const newTicketId = (): string => randomBytes(16).toString("base64url");

const markBytesOf = (ticketId: string): Buffer => createHash("sha256").update(ticketId).digest().subarray(0, markBytes);

/** 80 bits that tell a ticket from all others. The whole id would make the code longer. */
export const markOf = (ticketId: string): string => markBytesOf(ticketId).toString("base64url");

/** AES-256-SIV takes two keys of 32 bytes. */
const cipherWith = (secret: string) => aessiv(derived(secret, "ticket code", 64));

/**
 * A QR code stores base32 (RFC 4648, section 6) with 5.5 bits a letter, and letters of both cases with 8, so its picture
 * is smaller than one of base64.
 * @param secret the ticket key of the stage
 */
export function ticketCode({ ticketId, email, eventID, year }: Ticket, secret: string): string {
  const yearPart = Buffer.alloc(yearBytes);
  yearPart.writeUInt16BE(year);
  // No event id and no email has a space.
  const content = Buffer.concat([markBytesOf(ticketId), yearPart, Buffer.from(`${eventID} ${email}`)]);
  return prefix + base32nopad.encode(cipherWith(secret).encrypt(content));
}

/** Opens a code. Undefined when the code is malformed or forged, or another key has sealed it. */
export function ticketIn(code: string, secret: string): OpenedTicket | undefined {
  const typed = code.trim();
  if (typed.length > longestCode || !typed.startsWith(prefix)) return undefined;
  const content = decrypted(typed.slice(prefix.length), secret);
  if (!content || content.length < markBytes + yearBytes) return undefined;
  const [eventID = "", email = ""] = content
    .subarray(markBytes + yearBytes)
    .toString("utf8")
    .split(" ");
  const mark = content.subarray(0, markBytes).toString("base64url");
  return { mark, eventID, email, year: content.readUInt16BE(markBytes) };
}

/** Undefined when the letters are no base32 or the content was not sealed with this secret. Both libraries throw then. */
function decrypted(letters: string, secret: string): Buffer | undefined {
  try {
    return Buffer.from(cipherWith(secret).decrypt(base32nopad.decode(letters)));
  } catch {
    return undefined;
  }
}
