/** The random choices of a run. */
import fc from "fast-check";
import { settle } from "./world.ts";

/** The order of the calls, and dice for all other choices. */
export const chance = fc.record({ order: fc.scheduler({ act: settle }), dice: fc.infiniteStream(fc.nat(99)) });

export type Drawn = typeof chance extends fc.Arbitrary<infer T> ? T : never;

/** A roll from 0 to 99. */
export const diceOf =
  ({ dice }: Drawn) =>
  (): number =>
    dice.next().value as number;

/** An actor whose turn it is in a directed order has no call to make. */
class WrongTurn extends Error {}

/**
 * One given order. The actors make their calls in these turns. After the last turn the oldest waiting call is always
 * the next one. For a state that random orders rarely reach.
 */
export function inTurns(turns: readonly string[]): fc.Scheduler {
  const left = [...turns];
  const waiting: { readonly actor: string; readonly release: () => void }[] = [];
  const next = (): (() => void) => {
    const turn = left.shift();
    const index = turn === undefined ? 0 : waiting.findIndex(({ actor }) => actor === turn);
    const [one] = index < 0 ? [] : waiting.splice(index, 1);
    if (!one) throw new WrongTurn(`${turn} has no call to make; waiting: ${waiting.map(({ actor }) => actor).join()}`);
    return one.release;
  };
  const order: Pick<fc.Scheduler, "schedule" | "waitFor" | "waitOne" | "count"> = {
    count: () => waiting.length,
    waitOne: async () => next()(),
    schedule: (task, label = "") =>
      new Promise((resolve) => {
        waiting.push({ actor: label.split(":")[0] as string, release: () => resolve(task) });
      }),
    waitFor: async (all) => {
      let isDone = false;
      const end = Promise.resolve(all).finally(() => {
        isDone = true;
      });
      end.catch(() => undefined);
      await settle(async () => undefined);
      while (!isDone) {
        const release = next();
        await settle(async () => release());
      }
      return end;
    },
  };
  return order as fc.Scheduler;
}
