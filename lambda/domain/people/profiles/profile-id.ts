import { humanId } from "human-id";

/**
 * A random id that people can read out, for example `RareGeckosJam`. There are about fifteen million ids. The caller's
 * transaction demands that the id is free, and the next try draws another one.
 */
export const drawProfileID = (): string => humanId();
