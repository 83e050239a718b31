/** The base price of a project: its seed and its bumps (`docs/contract.md`, "Investment game"). Pure. */
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import { highestBase, lowestPrice } from "./market.ts";
import { roundedHalfUp } from "./money.ts";

/** The base price of a project and its components. */
export interface Worth {
  /** In millionths, so that the effect of one invested cent (0.0001 x 0.01) is an integer. */
  readonly seed: number;
  /** Cents that bumps have added to the base that follows from the seed. */
  readonly bumped: number;
  /** In cents. */
  readonly basePrice: number;
}

/** Decimals of a stored seed. */
export const seedDecimals = 6;
/** In millionths. */
const highestSeed = 1_000_000 * 10 ** seedDecimals;

/** In cents: 1.00 + 0.1 x seed. */
const worthOf = (seed: number): number => 100 + roundedHalfUp(seed, 10 ** (seedDecimals - 1));

/** @throws ValidationFailed seed or base exceed the range of exact amounts */
function within(worth: Worth, path: Issue["path"]): Worth {
  if (Math.abs(worth.seed) > highestSeed || worth.basePrice > highestBase) {
    throw new ValidationFailed([{ path, message: "would take the project beyond a base price of 100,000.00" }]);
  }
  return worth;
}

/**
 * Changes the seed; the cents added by bumps are kept. A base below the lowest price is raised to it.
 * @param path JSON pointer of the field for errors
 * @throws ValidationFailed seed or base would be too large
 */
export function seeded({ bumped }: Pick<Worth, "bumped">, seed: number, path: Issue["path"]): Worth {
  return within({ seed, bumped, basePrice: Math.max(lowestPrice, worthOf(seed) + bumped) }, path);
}

/** The base after each phase, in percent of the previous one (`docs/contract.md`, "Investment game"). */
const phases = {
  KICKOFF_HYPE: 115,
  VALIDATION_GOOD: 110,
  VALIDATION_BAD: 95,
  MVP_SHIPPED: 130,
  USER_FEEDBACK_GOOD: 110,
  USER_FEEDBACK_BAD: 90,
  DEMO_QUALIFIER: 150,
  DEMO_WINNER: 200,
} as const;

/** The types of bumps. The last two have a parameter. */
export const bumpTypes = [...(Object.keys(phases) as (keyof typeof phases)[]), "MULTIPLY", "ADD"] as const;

/** Decimals of a multiplier. */
export const multiplierDecimals = 4;

/** A multiplier in ten-thousandths, a delta in cents. */
export type Bump =
  | { readonly type: keyof typeof phases }
  | { readonly type: "MULTIPLY"; readonly multiplier: number }
  | { readonly type: "ADD"; readonly delta: number };

function bumpedBase(basePrice: number, bump: Bump): number {
  if (bump.type === "ADD") return basePrice + bump.delta;
  if (bump.type === "MULTIPLY") return roundedHalfUp(basePrice * bump.multiplier, 10 ** multiplierDecimals);
  return roundedHalfUp(basePrice * phases[bump.type], 100);
}

/**
 * Applies a bump. The base is rounded to cents and never below the lowest price. A bump that leaves the base at the lowest
 * price changes nothing, so `bumped` remains the sum of effective changes and a later seed results in the right base.
 * @throws ValidationFailed the base would be too large
 */
export function bumped(was: Worth, bump: Bump, path: Issue["path"]): Worth {
  const next = Math.max(lowestPrice, bumpedBase(was.basePrice, bump));
  if (next === was.basePrice) return was;
  return within({ seed: was.seed, bumped: next - worthOf(was.seed), basePrice: next }, path);
}
