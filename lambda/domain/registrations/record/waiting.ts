/** Rules that depend on how long a person has waited. Pure. */
import type { Place } from "#domain/capacity/seats.ts";
import { longestForCaller } from "#kit/context.ts";

/** Milliseconds since the request that began to wait, whose time is in the queueKey. */
const waited = (queueKey: string, now: number): number => now - Number.parseInt(queueKey, 10);

/**
 * Milliseconds. A person who gets a seat after a shorter wait is not told of the line (`docs/contract.md`, "Notices").
 */
const noticeableWait = 60_000;

/** Whether a person has waited long enough to be told that a seat came free. @param now epoch milliseconds */
export const hasWaited = ({ queueKey }: Pick<Place, "queueKey">, now: number): boolean =>
  waited(queueKey, now) >= noticeableWait;

/**
 * Whether the person's own request still waits for the seat. Then the person hears of it at once, whichever request
 * gives it. @param now epoch milliseconds
 */
export const isStillAsking = ({ isAsking, queueKey }: Pick<Place, "isAsking" | "queueKey">, now: number): boolean =>
  isAsking === true && waited(queueKey, now) < longestForCaller;
