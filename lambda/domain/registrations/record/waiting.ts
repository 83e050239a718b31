/** Rules that depend on how long a person has waited. Pure. */
import type { Place } from "#domain/capacity/seats.ts";
import { maxCallerWait, timeOf } from "#kit/request/context.ts";

/** Milliseconds since the request that joined the line, whose time is in the queueKey. */
const waited = (queueKey: string, now: number): number => now - timeOf(queueKey);

/**
 * Milliseconds. Notices do not mention the line after a shorter wait (`docs/contract.md`, "Notices").
 */
const noticeableWait = 60_000;

/** Whether a person has waited long enough for the notice to mention it. @param now epoch milliseconds */
export const hasWaited = ({ queueKey }: Pick<Place, "queueKey">, now: number): boolean =>
  waited(queueKey, now) >= noticeableWait;

/**
 * Whether the person's own request still waits for the seat, and will return it no matter which request allocates it.
 * @param now epoch milliseconds
 */
export const isStillAsking = ({ isAsking, queueKey }: Pick<Place, "isAsking" | "queueKey">, now: number): boolean =>
  isAsking === true && waited(queueKey, now) < maxCallerWait;
