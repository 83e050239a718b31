/** What chance decides in a run. */
import fc from "fast-check";
import { settle } from "./world.ts";

/** The order of the calls, and dice for everything else. */
export const chance = fc.record({ order: fc.scheduler({ act: settle }), dice: fc.infiniteStream(fc.nat(99)) });

export type Drawn = typeof chance extends fc.Arbitrary<infer T> ? T : never;

/** From 0 to 99. */
export const diceOf =
  ({ dice }: Drawn) =>
  (): number =>
    dice.next().value as number;
