/** Reads from a request how it moves a project's price (`docs/contract.md`, "Investment game"). Pure. */

import { inUnits } from "#domain/game/money.ts";
import { type Bump, multiplierDecimals, seedDecimals } from "#domain/game/worth.ts";
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import type { PhaseBump, Seed } from "./schemas.ts";

interface RequestedSeed {
  /** Makes the new seed from the old one, both in millionths. */
  readonly seedAfter: (seed: number) => number;
  /** The field that an issue names when the new seed is out of bounds. */
  readonly path: Issue["path"];
}

/**
 * Exactly one of the two fields must be there.
 * @throws ValidationFailed
 */
export function requestedSeed({ seedDelta, seedAbsolute }: Seed): RequestedSeed {
  if ((seedDelta === undefined) === (seedAbsolute === undefined)) {
    const path = seedDelta === undefined ? "/seedDelta" : "/seedAbsolute";
    throw new ValidationFailed([{ path, message: "is one of seedDelta and seedAbsolute: exactly one is needed" }]);
  }
  if (seedAbsolute !== undefined) {
    const path = "/seedAbsolute";
    const wanted = inUnits(seedAbsolute, seedDecimals, path);
    return { seedAfter: () => wanted, path };
  }
  const path = "/seedDelta";
  const delta = inUnits(seedDelta as number, seedDecimals, path);
  return { seedAfter: (seed) => seed + delta, path };
}

const required = (path: Issue["path"]) => new ValidationFailed([{ path, message: "is required for this bumpType" }]);

/** @throws ValidationFailed the number that the type needs is missing */
export function requestedBump({ bumpType, multiplier, delta }: PhaseBump): { bump: Bump; path: Issue["path"] } {
  if (bumpType === "MULTIPLY") {
    const path = "/multiplier";
    if (multiplier === undefined) throw required(path);
    return { bump: { type: bumpType, multiplier: inUnits(multiplier, multiplierDecimals, path) }, path };
  }
  if (bumpType === "ADD") {
    const path = "/delta";
    if (delta === undefined) throw required(path);
    return { bump: { type: bumpType, delta: inUnits(delta, 2, path) }, path };
  }
  return { bump: { type: bumpType }, path: "/bumpType" };
}
