/** The random choices of a run. */
import fc from "fast-check";
import { type Fate, settle } from "./world.ts";

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

interface Waiting {
  readonly actor: string;
  readonly label: string;
  readonly release: () => void;
}

/** A directed order, and the fate that it gives to the call that was released last. */
export interface Directed {
  readonly order: fc.Scheduler;
  readonly fate: () => Fate;
}

/** `actor` or `actor: call`, each also with ` -> fate`. */
const turnForm = /^(?<actor>[^:]+?)(?:: (?<call>.+?))?(?: -> (?<then>\w+))?$/;

/**
 * One given order, for a state that random orders rarely reach. A turn "a" is one call or pause of the actor a. A turn
 * "a: Get" is all calls of a up to the next one with this name in the trace. A turn may give a fate to its last call, as
 * in "a: Get -> failed". After the last turn the oldest waiting call is always the next one.
 */
export function directed(turns: readonly string[]): Directed {
  const left = [...turns];
  const waiting: Waiting[] = [];
  let fate: Fate = "fine";
  const take = (isNext: (one: Waiting) => boolean): Waiting["release"] | undefined => {
    const index = waiting.findIndex(isNext);
    return index < 0 ? undefined : waiting.splice(index, 1)[0]?.release;
  };
  const next = (): Waiting["release"] => {
    const [turn] = left;
    const { actor, call, then = "fine" } = turnForm.exec(turn ?? "")?.groups ?? {};
    const isOf = (one: Waiting) => turn === undefined || one.actor === actor;
    const isNamed = ({ label }: Waiting) => `${label} `.startsWith(`${actor}: ${call} `);
    const meant = take(call === undefined ? isOf : isNamed);
    if (meant) left.shift();
    fate = meant ? (then as Fate) : "fine";
    // The actor's other calls come before the named one.
    const release = meant ?? take(isOf);
    if (!release) throw new WrongTurn(`${turn}: no such call; waiting: ${waiting.map(({ label }) => label).join()}`);
    return release;
  };
  const order: Pick<fc.Scheduler, "schedule" | "waitFor" | "waitOne" | "count"> = {
    count: () => waiting.length,
    waitOne: async () => next()(),
    schedule: (task, label = "") =>
      new Promise((resolve) => {
        waiting.push({ actor: label.split(":")[0] as string, label, release: () => resolve(task) });
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
  return { order: order as fc.Scheduler, fate: () => fate };
}

/** A directed order in which no call fails. */
export const inTurns = (turns: readonly string[]): fc.Scheduler => directed(turns).order;
