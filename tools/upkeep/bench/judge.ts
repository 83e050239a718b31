/** Compares the measured figures with the budgets. Times have no budget: they depend on the machine. */
import type { Size } from "./dataset.ts";
import type { Figures, Measured } from "./measure.ts";

export const counted = ["roundTrips", "readUnits", "writeUnits", "asyncReadUnits", "asyncWriteUnits", "bytes"] as const;

/** The maximum for each size; a number applies to every size, also when all people are in the hot event. */
export type Limit = number | Readonly<Record<Size, number>>;

export type Budget = Readonly<Record<(typeof counted)[number], Limit>> & {
  /** Maximum of `growthOf`. */
  readonly growth: number;
};

export type Budgets = Readonly<Record<string, Budget>>;

/** Units of the request and of what it triggers. */
const unitsOf = ({ readUnits, writeUnits, asyncReadUnits, asyncWriteUnits }: Figures): number =>
  readUnits + writeUnits + asyncReadUnits + asyncWriteUnits;

/**
 * The factor by which the units of one requested item grow with the data that was not requested. 1: the cost does not
 * depend on it.
 */
export function growthOf(small: Figures, large: Figures): number {
  if (unitsOf(large) === 0) return 1;
  return unitsOf(large) / unitsOf(small) / (large.asked / small.asked);
}

const limitAt = (most: Limit, { size, share }: Pick<Measured, "size" | "share">): number | undefined => {
  if (typeof most === "number") return most;
  return share === "fifth" ? most[size] : undefined;
};

/** The figures of the smallest size, with which the others are compared. */
function smallestOf(measured: readonly Measured[]): Measured {
  const [first] = measured.filter(({ share }) => share === "fifth").sort((one, other) => one.size - other.size);
  if (!first) throw new Error("Nothing was measured.");
  return first;
}

/** @returns a message for each budget that is exceeded, missing, or of an unknown endpoint */
export function brokenBudgets(measured: readonly Measured[], budgets: Budgets): string[] {
  const smallest = smallestOf(measured);
  const sentences: string[] = [];
  for (const name of Object.keys(budgets)) {
    if (!measured.some(({ figures }) => name in figures)) sentences.push(`${name} has a budget and was not measured`);
  }
  for (const one of measured) {
    const place = `${one.size.toLocaleString("en")} registrations, ${one.share} of the people in a hot event`;
    for (const [name, figures] of Object.entries(one.figures)) {
      const budget = budgets[name];
      if (!budget) {
        if (one === measured.find(({ figures }) => name in figures)) sentences.push(`${name} has no budget`);
        continue;
      }
      for (const figure of counted) {
        const most = limitAt(budget[figure], one);
        if (most !== undefined && figures[figure] > most) {
          sentences.push(`${name}: ${figure} ${figures[figure]} instead of at most ${most} (${place})`);
        }
      }
      const small = smallest.figures[name];
      const growth = small ? growthOf(small, figures) : 1;
      if (growth > budget.growth) {
        sentences.push(`${name}: growth ${growth.toFixed(2)} instead of at most ${budget.growth} (${place})`);
      }
    }
  }
  return sentences;
}
