/** The routes by which admins move a price (`docs/contract.md`, "Investment game"). */

import { type Move, movePrice } from "#domain/game/edit-project.ts";
import { inUnits } from "#domain/game/money.ts";
import { projectAnswer } from "#domain/game/project.ts";
import { type Bump, bumped, multiplierDecimals, seedDecimals, seeded } from "#domain/game/worth.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { ok } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import type { RequestContext } from "#kit/request/context.ts";
import * as routes from "./routes.ts";

const moved = async (move: Move, context: RequestContext) =>
  ok({ message: "Price moved.", data: projectAnswer(await movePrice(move, context)) });

export const seedProject = api(routes.seedProject, ({ body, context }) => {
  const { projectId, seedDelta, seedAbsolute } = body;
  const path = seedAbsolute === undefined ? "/seedDelta" : "/seedAbsolute";
  const sent = seedAbsolute ?? seedDelta;
  if (sent === undefined || (seedDelta !== undefined && seedAbsolute !== undefined)) {
    throw new ValidationFailed([{ path, message: "is one of seedDelta and seedAbsolute: exactly one is needed" }]);
  }
  const seed = inUnits(sent, seedDecimals, path);
  const to: Move["to"] = (market) => seeded(market, seedAbsolute === undefined ? market.seed + seed : seed, path);
  return moved({ projectId, source: "SEED", to }, context);
});

/**
 * A dollar moves the seed by 0.0001, so a cent moves it by a millionth: the unit of the stored seed.
 */
export const investmentImpact = api(routes.investmentImpact, ({ body, context }) => {
  const delta = inUnits(body.amountDelta, 2, "/amountDelta");
  const to: Move["to"] = (market) => seeded(market, market.seed + delta, "/amountDelta");
  return moved({ projectId: body.teamId, source: "INVESTMENT", to }, context);
});

/** @throws ValidationFailed the number that the type needs is missing, or has too many decimals */
function needed(value: number | undefined, decimals: number, path: string): number {
  if (value === undefined) throw new ValidationFailed([{ path, message: "is required for this bumpType" }]);
  return inUnits(value, decimals, path);
}

export const bumpPhase = api(routes.bumpPhase, ({ body, context }) => {
  const { projectId, bumpType: type, multiplier, delta } = body;
  const path = type === "MULTIPLY" ? "/multiplier" : type === "ADD" ? "/delta" : "/bumpType";
  const bump: Bump =
    type === "MULTIPLY"
      ? { type, multiplier: needed(multiplier, multiplierDecimals, path) }
      : type === "ADD"
        ? { type, delta: needed(delta, 2, path) }
        : { type };
  return moved({ projectId, source: type, to: (market) => bumped(market, bump, path) }, context);
});
