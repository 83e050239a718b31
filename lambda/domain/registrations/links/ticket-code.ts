/**
 * The content of a QR code: `V2.` and letters (`docs/contract.md`, "Check-in"). It contains a registration and its ticket,
 * encrypted and authenticated with AES-SIV (RFC 5297), so that no lookup item is needed. AES-SIV is deterministic: the
 * same ticket always has the same code. Links of mails are sealed in the same way, with a key of their own (`link.ts`).
 */
import { createHash, randomBytes } from "node:crypto";
import { aessiv } from "@noble/ciphers/aes.js";
import { base32nopad } from "@scure/base";
import { derived } from "#kit/sealed.ts";

/** The content of a code. */
export interface Ticket {
  readonly ticketId: string;
  readonly email: string;
  readonly eventID: string;
  readonly year: number;
}

/** A decrypted code. It has a hash of the ticket's id, not the id. */
export interface OpenedTicket extends Omit<Ticket, "ticketId"> {
  readonly ticketHash: string;
}

const prefix = "V2.";
const hashBytes = 10;
const yearBytes = 2;
const noHead = Buffer.alloc(0);
/** Maximum characters. The code of the longest email and event id has 560. */
export const longestCode = 600;

/** A random id of 128 bits: unguessable, and independent of the person. */
export const newTicketId = (): string => randomBytes(16).toString("base64url");

const hashBytesOf = (ticketId: string): Buffer => createHash("sha256").update(ticketId).digest().subarray(0, hashBytes);

/** 80 bits that identify a ticket. The whole id would make the code longer. */
export const ticketHashOf = (ticketId: string): string => hashBytesOf(ticketId).toString("base64url");

/** AES-256-SIV takes two keys of 32 bytes. @param use keys of different uses are independent */
const cipherWith = (secret: string, use: string) => aessiv(derived(secret, use, 64));

/** @param secret the ticket key of the stage */
export const sealedLetters = (content: Uint8Array, secret: string, use: string): string =>
  base32nopad.encode(cipherWith(secret, use).encrypt(content));

/** Undefined when the letters are not base32, or this stage has not written them for this use. */
export function unsealedLetters(letters: string, secret: string, use: string): Buffer | undefined {
  if (letters.length > longestCode) return undefined;
  try {
    return Buffer.from(cipherWith(secret, use).decrypt(base32nopad.decode(letters)));
  } catch {
    return undefined;
  }
}

/**
 * A ticket as letters that only this stage can have written.
 * @param secret the ticket key of the stage
 * @param use what the letters are for
 * @param head more bytes, before those of the ticket
 */
export function sealedTicket({ ticketId, email, eventID, year }: Ticket, secret: string, use: string, head = noHead) {
  const yearPart = Buffer.alloc(yearBytes);
  yearPart.writeUInt16BE(year);
  // Event ids and emails contain no spaces.
  const content = Buffer.concat([head, hashBytesOf(ticketId), yearPart, Buffer.from(`${eventID} ${email}`)]);
  return sealedLetters(content, secret, use);
}

/** The ticket in such letters, and the bytes before it. Undefined when this stage has not written them for this use. */
export function unsealedTicket(letters: string, secret: string, use: string, headBytes = 0) {
  const content = unsealedLetters(letters, secret, use);
  if (!content || content.length < headBytes + hashBytes + yearBytes) return undefined;
  const [head, rest] = [content.subarray(0, headBytes), content.subarray(headBytes)];
  const [eventID = "", email = ""] = rest
    .subarray(hashBytes + yearBytes)
    .toString("utf8")
    .split(" ");
  const ticketHash = rest.subarray(0, hashBytes).toString("base64url");
  const ticket: OpenedTicket = { ticketHash, eventID, email, year: rest.readUInt16BE(hashBytes) };
  return { head, ticket };
}

const use = "ticket code";

/**
 * QR codes store base32 (RFC 4648, section 6) with 5.5 bits per letter, and mixed case with 8, so the image is smaller than
 * with base64.
 * @param secret the ticket key of the stage
 */
export const ticketCode = (ticket: Ticket, secret: string): string => prefix + sealedTicket(ticket, secret, use);

/** Decrypts a code. Undefined when it is malformed, forged, or sealed with another key. */
export function ticketIn(code: string, secret: string): OpenedTicket | undefined {
  const typed = code.trim();
  return typed.startsWith(prefix) ? unsealedTicket(typed.slice(prefix.length), secret, use)?.ticket : undefined;
}
