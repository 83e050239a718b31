/** What moves a project's base: its seed, and the phases it goes through (`contract.md`, section 7). Pure. */
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import { highestBase, lowestPrice } from "./market.ts";
import { roundedHalfUp } from "./money.ts";

/** Where a project's base comes from. */
export interface Worth {
  /** In millionths, so that an investment of one cent (0.0001 x 0.01) is a whole number. */
  readonly seed: number;
  /** Cents that bumps have added to what the seed is worth. */
  readonly bumped: number;
  /** In cents. */
  readonly basePrice: number;
}

/** A seed is kept in millionths. */
export const seedDecimals = 6;
/** In millionths. */
const highestSeed = 1_000_000 * 10 ** seedDecimals;

/** In cents: 1.00 + 0.1 x seed. */
const worthOf = (seed: number): number => 100 + roundedHalfUp(seed, 10 ** (seedDecimals - 1));

/** What is refused when it would leave the range in which amounts are exact. */
function within(worth: Worth, path: Issue["path"]): Worth {
  if (Math.abs(worth.seed) > highestSeed || worth.basePrice > highestBase) {
    throw new ValidationFailed([{ path, message: "would take the project beyond a base price of 100,000.00" }]);
  }
  return worth;
}

/**
 * A project with another seed. What bumps have added stays; a base below the lowest price counts as that price, and
 * comes back to what it was when the seed does.
 * @param path the field that is to blame when it is too much
 * @throws ValidationFailed
 */
export function seeded({ bumped }: Pick<Worth, "bumped">, seed: number, path: Issue["path"]): Worth {
  return within({ seed, bumped, basePrice: Math.max(lowestPrice, worthOf(seed) + bumped) }, path);
}

/** What each phase makes of the base, in per cent. */
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

/** What an admin may call a bump; the last two come with a number. */
export const bumpTypes = [...(Object.keys(phases) as (keyof typeof phases)[]), "MULTIPLY", "ADD"] as const;

/** A multiplier counts in ten-thousandths. */
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
 * A project after a bump: the base, rounded to cents and never below the lowest price. One that stays where it is, at the
 * lowest price, has lost or won nothing: what the seed is short of stays owed until the seed comes back.
 * @throws ValidationFailed when it would be too much
 */
export function bumped(was: Worth, bump: Bump, path: Issue["path"]): Worth {
  const next = Math.max(lowestPrice, bumpedBase(was.basePrice, bump));
  if (next === was.basePrice) return was;
  return within({ seed: was.seed, bumped: next - worthOf(was.seed), basePrice: next }, path);
}
