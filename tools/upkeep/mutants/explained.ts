/** Survivors that no test needs to kill, because nothing that the project promises depends on them. */
import type { Explained } from "./score.ts";

export const explained: readonly Explained[] = [];
