/** The stage's values for an import. The command reads them before any store is loaded: a store then reads its table's name. */
import type { HoldDurations } from "#domain/registrations/holds/holds.ts";
import type { Target } from "../../../kit/target.ts";

export interface StageValues {
  readonly timeZone: string;
  readonly currency: string;
  readonly adminDomain: string;
  readonly holds: HoldDurations;
}

export const valuesOf = ({ timeZone, currency, adminEmailDomain, holds }: Target["stage"]): StageValues => ({
  timeZone,
  currency,
  adminDomain: adminEmailDomain,
  holds,
});
