import { humanId } from "human-id";

/**
 * An id that people can read out, for example `RareGeckosJam`. One of fifteen million: whoever stores it makes sure
 * that it is nobody else's, and draws another one if it is.
 */
export const drawProfileID = (): string => humanId();
