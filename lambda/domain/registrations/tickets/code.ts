/**
 * The sealed content of a QR code: `V2.` and letters (`docs/contract.md`, "Check-in"). It names a registration and its
 * ticket, so that no item of the table has to lead from the one to the other. The answers depend on the arguments only.
 *
 * The seal is deterministic: a keyed hash of the content is both the initial vector of the encryption and the proof that
 * the content is whole (a synthetic initial vector, as in RFC 5297). The same ticket has the same code in each answer,
 * and two tickets share a vector only if they are the same. A random vector would need a tag beside it.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { derived } from "#kit/sealed.ts";
import { base32, bytesOfBase32 } from "./base32.ts";

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
const cipher = "aes-256-ctr";
const vectorBytes = 16;
const markBytes = 10;
const yearBytes = 2;
/** Characters, at most: the code of the longest email and event id has 560. */
export const longestCode = 600;

/** A random id of 128 bits. It cannot be guessed and tells nothing about the person. */
export const newTicketId = (): string => randomBytes(16).toString("base64url");

const markBytesOf = (ticketId: string): Buffer => createHash("sha256").update(ticketId).digest().subarray(0, markBytes);

/** 80 bits that tell a ticket from all others. The whole id would make the code longer. */
export const markOf = (ticketId: string): string => markBytesOf(ticketId).toString("base64url");

const keysOf = (secret: string) => ({
  proof: derived(secret, "ticket code: proof"),
  encryption: derived(secret, "ticket code: encryption"),
});

/** What is kept of the latest secret: a list needs its keys for each row, and the same list comes again at the door. */
interface Kept {
  readonly secret: string;
  readonly keys: ReturnType<typeof keysOf>;
  /** Codes by the id of their ticket. */
  readonly codes: Map<string, { readonly ticket: Ticket; readonly code: string }>;
}
let latest: Kept | undefined;
/** Codes that are kept, at most. Each takes a few hundred bytes. */
const mostKept = 5_000;

function keptOf(secret: string): Kept {
  if (latest?.secret !== secret) latest = { secret, keys: keysOf(secret), codes: new Map() };
  return latest;
}

const vectorOf = (content: Buffer, key: Buffer): Buffer =>
  createHmac("sha256", key).update(content).digest().subarray(0, vectorBytes);

/** @param secret the ticket key of the stage */
export function ticketCode({ ticketId, email, eventID, year }: Ticket, secret: string): string {
  const { keys, codes } = keptOf(secret);
  const ticket = { ticketId, email, eventID, year };
  const known = codes.get(ticketId);
  // Two tickets of one id would be of an import: the code must still name its own registration.
  if (known && isSame(known.ticket, ticket)) return known.code;
  const code = sealed(ticket, keys);
  if (codes.size >= mostKept) codes.clear();
  codes.set(ticketId, { ticket, code });
  return code;
}

/** Whether two tickets of one id are of the same registration. */
const isSame = (a: Ticket, b: Ticket): boolean => a.email === b.email && a.eventID === b.eventID && a.year === b.year;

function sealed({ ticketId, email, eventID, year }: Ticket, keys: Kept["keys"]): string {
  const yearPart = Buffer.alloc(yearBytes);
  yearPart.writeUInt16BE(year);
  // No event id and no email has a space.
  const content = Buffer.concat([markBytesOf(ticketId), yearPart, Buffer.from(`${eventID} ${email}`)]);
  const vector = vectorOf(content, keys.proof);
  const sealing = createCipheriv(cipher, keys.encryption, vector);
  return prefix + base32(Buffer.concat([vector, sealing.update(content), sealing.final()]));
}

/** Opens a code. Undefined when the code is malformed or forged, or another key has sealed it. */
export function ticketIn(code: string, secret: string): OpenedTicket | undefined {
  const typed = code.trim();
  if (typed.length > longestCode || !typed.startsWith(prefix)) return undefined;
  const bytes = bytesOfBase32(typed.slice(prefix.length));
  if (bytes === undefined || bytes.length < vectorBytes + markBytes + yearBytes) return undefined;
  const { keys } = keptOf(secret);
  const vector = bytes.subarray(0, vectorBytes);
  const opening = createDecipheriv(cipher, keys.encryption, vector);
  const content = Buffer.concat([opening.update(bytes.subarray(vectorBytes)), opening.final()]);
  if (!timingSafeEqual(vectorOf(content, keys.proof), vector)) return undefined;
  const [eventID = "", email = ""] = content
    .subarray(markBytes + yearBytes)
    .toString("utf8")
    .split(" ");
  const mark = content.subarray(0, markBytes).toString("base64url");
  return { mark, eventID, email, year: content.readUInt16BE(markBytes) };
}
