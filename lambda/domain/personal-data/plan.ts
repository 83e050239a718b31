/** What becomes of a person's data when the account is deleted (`docs/contract.md`, "A person's data"). Pure. */
import type { Shown } from "#domain/catalogue/shown.ts";
import { factsOf } from "#domain/catalogue/stored-kinds.ts";

/** The items of one kind. */
export interface Planned {
  readonly kind: string;
  readonly items: number;
  /** Why they stay. Absent: they go. */
  readonly why?: string;
  /** How long they stay, in words. Absent: for good. */
  readonly until?: string;
}

/** Upcoming registrations are cancelled, and none keeps more than status, points, money and counted answers. */
export const erasurePlan = (shown: readonly Shown[]): { goes: Planned[]; stays: Planned[] } => {
  const kinds = [...new Set(shown.map(({ kind }) => kind))].sort();
  const planned = kinds.map((kind): Planned => {
    const facts = factsOf(kind);
    const after = facts?.personal?.after ?? { stays: "It is about another person, or about several." };
    return {
      kind,
      items: shown.filter((one) => one.kind === kind).length,
      ...("stays" in after && { why: after.stays, ...(facts?.ttl && { until: facts.ttl }) }),
    };
  });
  return {
    goes: planned.filter(({ why }) => why === undefined),
    stays: planned.filter(({ why }) => why !== undefined),
  };
};
