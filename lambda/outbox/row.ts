/** What rows of the outbox and of the audit have in common. */
import { ttlAfter } from "#kit/table/item.ts";

const daysKept = 400;

/** The metadata of a message. */
export interface MessageContext {
  /** Epoch milliseconds. */
  readonly now: number;
  /** Email of the person who requested the change, `device` with its id, `link` for the bearer of a mail's link, or `system`. */
  readonly actor: string;
  /** The request that caused the message, `correlationId` in the metadata. */
  readonly requestId: string;
}

/** `yyyymmddhh` in UTC. */
export const hourOf = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().slice(0, 13).replace(/\D/g, "");

/** Time to live, epoch seconds. @param now epoch milliseconds */
export const keptUntil = (now: number): number => ttlAfter(now, daysKept);
