/** What becomes of a person's data when the account is deleted (`docs/contract.md`, "A person's data"). Pure. */

import { dueAfter, dueIn, type Erasure } from "#domain/people/users/erasures.ts";
import type { Key } from "#kit/table/table.ts";
import { factsOf } from "#outbox/stored-kinds.ts";
import type { Shown } from "./shown.ts";

/** The items of one kind. */
export interface Planned {
  readonly kind: string;
  readonly items: number;
  /** Why they do not go at once. */
  readonly why?: string;
  /** Of those that stay: how long, in words. Absent: for good. */
  readonly until?: string;
}

export interface ErasurePlan {
  /** When the person was deleted, epoch milliseconds. Absent: no deletion is under way. */
  readonly deletedAt?: number;
  /** When the rest is due, also of a deletion that is made now. Epoch milliseconds. Absent: nothing is left to do then. */
  readonly endsAt?: number;
  /** At once. */
  readonly goes: readonly Planned[];
  /** They stay, without what the person entered in them. At once. */
  readonly isEmptied: readonly Planned[];
  /** At the end. */
  readonly goesLater: readonly Planned[];
  /** They stay, from the end on under a name that leads to no person. */
  readonly isRenamed: readonly Planned[];
  readonly stays: readonly Planned[];
}

const ofOthers = { stays: "It is about another person, or about several." };

const cancelled =
  "Those for events to come are cancelled. What the person entered goes, but for the choice of a workshop.";

/**
 * @param underWay the note of the deletion that is under way
 * @param now epoch milliseconds
 */
export function erasurePlan(shown: readonly Shown[], underWay: (Erasure & Key) | undefined, now: number): ErasurePlan {
  // The note of the erasure says only that it comes.
  const kinds = [...new Set(shown.map(({ kind }) => kind))].sort().filter((kind) => kind !== "erasure to come");
  const itemsOf = (kind: string): number => shown.filter((one) => one.kind === kind).length;
  const listed = (where: "goes" | "isEmptied" | "goesLater" | "isRenamed" | "stays"): Planned[] =>
    kinds.flatMap((kind) => {
      const facts = factsOf(kind);
      const after: Readonly<Record<string, unknown>> = facts?.personal?.after ?? ofOthers;
      const why = after[where];
      if (why === undefined) return [];
      return [
        {
          kind,
          items: itemsOf(kind),
          ...(typeof why === "string" && { why }),
          ...(where === "stays" && facts?.ttl !== undefined && { until: facts.ttl }),
        },
      ];
    });
  const rest = { goesLater: listed("goesLater"), isRenamed: listed("isRenamed") };
  const isMore = rest.goesLater.length + rest.isRenamed.length > 0;
  const entered = kinds.includes("registration") && !underWay;
  return {
    ...(underWay && { deletedAt: underWay.deletedAt }),
    ...(isMore && { endsAt: underWay ? dueIn(underWay) : dueAfter(now) }),
    goes: listed("goes"),
    isEmptied: [
      ...(entered ? [{ kind: "registration", items: itemsOf("registration"), why: cancelled }] : []),
      ...listed("isEmptied"),
    ],
    ...rest,
    stays: listed("stays"),
  };
}
