/**
 * A mutant that counts its changes. A mutant that never changes anything takes no rule away, and its test proves
 * nothing.
 */
import type { Mutant } from "./protocol.ts";

type Seam = NonNullable<Mutant["seam"]>;

/** Counts what is left out behind a write, the tokens and deadlines that are changed, and admins in a crowd. */
const counting = ({ closing, followUp, tokenOf, deadlineOf, isCrowded }: Seam, changed: () => void): Seam => ({
  ...(closing && {
    closing: (close) => {
      let isRun = false;
      const instead = closing(() => {
        isRun = true;
        return close();
      });
      if (!isRun) changed();
      return instead;
    },
  }),
  ...(followUp && {
    followUp: (name, run) => {
      let isRun = false;
      const instead = followUp(name, () => {
        isRun = true;
        return run();
      });
      if (!isRun) changed();
      return instead;
    },
  }),
  ...(tokenOf && {
    tokenOf: (token) => {
      const instead = tokenOf(token);
      if (instead !== token) changed();
      return instead;
    },
  }),
  ...(isCrowded && {
    isCrowded: (conflicts, byAdmin) => {
      const instead = isCrowded(conflicts, byAdmin);
      if (instead && byAdmin) changed();
      return instead;
    },
  }),
  ...(deadlineOf && {
    deadlineOf: (deadline) => {
      const instead = deadlineOf(deadline);
      if (instead !== deadline) changed();
      return instead;
    },
  }),
});

/**
 * @param changed called for every call and every answer that the mutant changes, and for every executor step that it
 * changes
 */
export function watched({ mutate, disguise, delays, contextOfRow, seam }: Mutant, changed: () => void): Mutant {
  return {
    ...(seam && { seam: counting(seam, changed) }),
    ...(mutate && {
      mutate: (call) => {
        const { input } = call.command as { readonly input: object };
        const before = JSON.stringify(input);
        mutate(call);
        if (JSON.stringify(input) !== before) changed();
      },
    }),
    ...(contextOfRow && {
      contextOfRow: (ofRequest, ofRow) => {
        const instead = contextOfRow(ofRequest, ofRow);
        if (instead !== ofRow) changed();
        return instead;
      },
    }),
    ...(delays && {
      delays: (call) => {
        const isLate = delays(call);
        if (isLate) changed();
        return isLate;
      },
    }),
    ...(disguise && {
      disguise: (call, answer) => {
        // Items inside an error are changed in place, so the comparison needs the text from before.
        const before = JSON.stringify(answer);
        const instead = disguise(call, answer);
        if (JSON.stringify(instead) !== before) changed();
        return instead;
      },
    }),
  };
}
