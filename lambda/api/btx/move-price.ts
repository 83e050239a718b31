/** The routes by which admins move a price. */

import { inUnits } from "#domain/game/money.ts";
import { movePrice } from "#domain/game/move-price.ts";
import { type Market, type Project, projectAnswer } from "#domain/game/project.ts";
import { bumped, seeded } from "#domain/game/worth.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { requestedBump, requestedSeed } from "./requested-move.ts";
import * as routes from "./routes.ts";

const answer = (project: Project) => ok({ message: "Price moved.", data: projectAnswer(project) });

export const seedProject = api(routes.seedProject, async ({ body, context }) => {
  const { seedAfter, path } = requestedSeed(body);
  const to = (market: Market) => seeded(market, seedAfter(market.seed), path);
  return answer(await movePrice({ projectId: body.projectId, source: "SEED", to }, context));
});

/**
 * A dollar moves the seed by 0.0001, so a cent moves it by a millionth. That is the unit in which the seed is stored.
 */
export const investmentImpact = api(routes.investmentImpact, async ({ body, context }) => {
  const delta = inUnits(body.amountDelta, 2, "/amountDelta");
  const to = (market: Market) => seeded(market, market.seed + delta, "/amountDelta");
  return answer(await movePrice({ projectId: body.teamId, source: "INVESTMENT", to }, context));
});

export const bumpPhase = api(routes.bumpPhase, async ({ body, context }) => {
  const { bump, path } = requestedBump(body);
  const to = (market: Market) => bumped(market, bump, path);
  return answer(await movePrice({ projectId: body.projectId, source: body.bumpType, to }, context));
});
