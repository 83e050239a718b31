import { humanId } from "human-id";

/**
 * A random readable id, for example `RareGeckosJam`, one of about fifteen million. The caller's transaction requires that
 * it is free; a retry draws another one.
 */
export const drawProfileID = (): string => humanId();
