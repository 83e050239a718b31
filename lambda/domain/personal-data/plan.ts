/** What becomes of a person's data when the account is deleted (`docs/contract.md`, "A person's data"). Pure. */
import type { Shown } from "#domain/catalogue/shown.ts";
import { factsOf } from "#domain/catalogue/stored-kinds.ts";

/** The items of one kind. */
export interface Planned {
  readonly kind: string;
  readonly items: number;
  /** Why they do not go at once. */
  readonly why?: string;
  /** How long they stay, in words. Absent: for good. */
  readonly until?: string;
}

export interface ErasurePlan {
  /** At once. */
  readonly goes: readonly Planned[];
  /** After `daysUntilErasure` days. */
  readonly goesLater: readonly Planned[];
  /** They stay, from then on under a name that leads to nobody. */
  readonly isRenamed: readonly Planned[];
  readonly stays: readonly Planned[];
}

const ofOthers = { stays: "It is about another person, or about several." };

/** Upcoming registrations are cancelled, and none keeps more than status, points, money and counted answers. */
export function erasurePlan(shown: readonly Shown[]): ErasurePlan {
  const kinds = [...new Set(shown.map(({ kind }) => kind))].sort();
  const listed = (where: "goes" | "goesLater" | "isRenamed" | "stays"): Planned[] =>
    kinds.flatMap((kind) => {
      const facts = factsOf(kind);
      const after: Readonly<Record<string, unknown>> = facts?.personal?.after ?? ofOthers;
      const why = after[where];
      if (why === undefined) return [];
      const items = shown.filter((one) => one.kind === kind).length;
      return [
        {
          kind,
          items,
          ...(typeof why === "string" && { why }),
          ...(where === "stays" && facts?.ttl !== undefined && { until: facts.ttl }),
        },
      ];
    });
  return {
    goes: listed("goes"),
    goesLater: listed("goesLater"),
    isRenamed: listed("isRenamed"),
    stays: listed("stays"),
  };
}
