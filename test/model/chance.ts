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

/** Names of a directed order that nobody makes a call for. */
class WrongTurn extends Error {}

/**
 * One order instead of any: the actors make their calls in these turns, and after the last turn one actor after the
 * other makes all that are left. For a state that chance rarely reaches.
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
