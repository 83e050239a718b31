/** A mutant that counts what it does: one that never changes anything takes nothing away, and its test proves nothing. */
import type { Mutant } from "./protocol.ts";

type AnySteps = Readonly<Record<string, unknown>>;

/** Counts the calls of steps that the mutant puts in the place of the product's. */
function counting<S extends object>(steps: S, changed: () => void): S {
  const counted = Object.entries(steps as AnySteps).map(([name, step]) => {
    if (typeof step !== "function") return [name, step];
    const instead = (...given: unknown[]): unknown => {
      changed();
      return step(...given);
    };
    return [name, instead];
  });
  return Object.fromEntries(counted) as S;
}

/** @param changed called for every call that the mutant alters, every answer that it disguises and every step of its own */
export function watched({ mutate, disguise, ...steps }: Mutant, changed: () => void): Mutant {
  const ofSteps = Object.entries(steps).map(([name, some]) => [name, some && counting(some, changed)]);
  return {
    ...Object.fromEntries(ofSteps),
    ...(mutate && {
      mutate: (call) => {
        const { input } = call.command as { readonly input: object };
        const before = JSON.stringify(input);
        mutate(call);
        if (JSON.stringify(input) !== before) changed();
      },
    }),
    ...(disguise && {
      disguise: (call, answer) => {
        // Items inside an error are changed in place.
        const before = JSON.stringify(answer);
        const instead = disguise(call, answer);
        if (JSON.stringify(instead) !== before) changed();
        return instead;
      },
    }),
  };
}
