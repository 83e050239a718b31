/** The codes of an event: what each promises, and who may use it (`docs/contract.md`, "Codes"). Pure. */

import { createHash, randomInt } from "node:crypto";
import { isChargeable } from "#domain/events/minimum-charges.ts";
import type { Attendee } from "#domain/events/pricing.ts";

/** `access`: opens a hidden or members-only event. `partner`: the right to a partner's seat. */
export const codeKinds = ["discount", "access", "partner"] as const;
export type CodeKind = (typeof codeKinds)[number];

export const codeAudiences = ["everybody", "members"] as const;

/** What a code makes of a price: another one, or an amount or a share off. At most one of them. */
export interface PriceTerms {
  /** Dollars. */
  readonly price?: number;
  /** Dollars. */
  readonly off?: number;
  readonly percentOff?: number;
}

/** A code as stored. */
export interface CodeRecord extends PriceTerms {
  /** Leads to no code (`codeIdOf`): registrations have it. */
  readonly id: string;
  /** As it was given out. */
  readonly code: string;
  readonly kind: CodeKind;
  readonly audience: (typeof codeAudiences)[number];
  /** How many registrations may use it at once. */
  readonly uses: number;
  /** How many do. Every transaction that begins or ends such a registration changes it. */
  readonly used: number;
  /** ISO 4217, of the amounts. */
  readonly currency: string;
  /** UTC. */
  readonly validFrom?: string;
  readonly validUntil?: string;
  /** Who gave it to whom. */
  readonly note?: string;
  readonly generation: string;
  /** Counts its changes, but not its uses. A use is conditional on the one that was read. */
  readonly version: number;
  readonly createdBy: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly endedAt?: number;
}

/** What a registration keeps of its code. */
export interface CodeUse extends Pick<CodeRecord, "id" | "kind" | "note"> {}

/** Case, spaces and hyphens do not count. */
export const normalizedCode = (text: string): string =>
  text
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[\s-]+/g, "");

/** Characters of a normalized code. */
export const codeLength = { least: 4, most: 40 };

/**
 * The id of a code. Without the generation, which no answer has, it does not lead to the code.
 * @param generation of the event
 */
export const codeIdOf = (generation: string, text: string): string =>
  createHash("sha256")
    .update(`code v1 ${generation} ${normalizedCode(text)}`)
    .digest("base64url")
    .slice(0, 16);

/** Without characters that look alike. */
const alphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const generatedLength = 10;

/** A code that cannot be guessed: 49 bits. */
export const generatedCode = (): string =>
  Array.from({ length: generatedLength }, () => alphabet[randomInt(alphabet.length)]).join("");

/** Whether the code changes what a person pays. */
export const hasPrice = ({ price, off, percentOff }: PriceTerms): boolean =>
  price !== undefined || off !== undefined || percentOff !== undefined;

/**
 * The price of admission by a code, in integer cents: undefined when the code leaves the event's. It is never above the
 * event's. A rest that the payment provider does not take costs nothing.
 * @param price the event's, in integer cents
 */
export function agreedPriceOf(code: PriceTerms & Pick<CodeRecord, "currency">, price: number): number | undefined {
  if (!hasPrice(code)) return undefined;
  const { off = 0, percentOff = 0 } = code;
  const lower = code.price === undefined ? price - off * 100 - (price * percentOff) / 100 : code.price * 100;
  const rest = Math.min(price, Math.max(0, Math.round(lower)));
  return isChargeable(rest, code.currency) ? rest : 0;
}

export const usedUp = "This code is used up.";
/** The same for a code that never was, and for one of another event. */
export const unknownCode = "This code is not valid for this event. Please check how it is written.";

/**
 * Why a person cannot register with a code. Undefined when nothing is against it.
 * @param isBound the code's dates and audience count: not for an admin
 * @param now epoch milliseconds
 */
export function problemOf(
  code: CodeRecord,
  { isMember, isPartner = false }: Attendee,
  isBound: boolean,
  now: number,
): string | undefined {
  const { kind, audience, validFrom, validUntil } = code;
  if (code.endedAt !== undefined) return "This code has ended.";
  if (kind === "partner" && !isPartner) return "This code is for partners: say that you come as one.";
  if (isBound && validFrom !== undefined && Date.parse(validFrom) > now) return "This code is not valid yet.";
  if (isBound && validUntil !== undefined && Date.parse(validUntil) <= now) return "This code is not valid any more.";
  if (isBound && audience === "members" && !isMember) return "This code is for members.";
  return code.used >= code.uses ? usedUp : undefined;
}

/** A use in words that give the code away to no one who reads them. */
export const textOf = ({ id, kind, note = id }: CodeUse): string => `${kind}: ${note}`;

export const useOf = ({ id, kind, note }: CodeRecord): CodeUse => ({ id, kind, ...(note !== undefined && { note }) });
