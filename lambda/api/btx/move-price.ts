/** The routes by which admins move a price. Each changes the base and adds a point to the price history. */

import { priceOf } from "#domain/game/market.ts";
import { inUnits } from "#domain/game/money.ts";
import { type Market, type Project, projectAnswer } from "#domain/game/project.ts";
import * as store from "#domain/game/store.ts";
import { bumped, seeded, type Worth } from "#domain/game/worth.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import type { RequestContext } from "#kit/context.ts";
import { NotFound } from "#kit/errors.ts";
import { type Decision, type Depth, execute, write } from "#kit/execute.ts";
import { requestedBump, requestedSeed } from "./requested-move.ts";
import * as routes from "./routes.ts";

interface Move {
  readonly projectId: string;
  /** The name of the move in the price history. */
  readonly source: string;
  readonly to: (market: Market) => Worth;
}

/**
 * Commits a move. While people trade, the market changes between read and write, so a refused move goes on with the
 * market that the refusal shows.
 * @throws NotFound ValidationFailed
 */
const movePrice = ({ projectId, source, to }: Move, context: RequestContext): Promise<Project> =>
  execute(
    {
      depth: "certain",
      read: async (_depth: Depth, latest: Project | undefined) =>
        latest ?? (await store.readProject(projectId, "strong")),
      decide(project: Project | undefined): Decision<Project, Project | undefined> {
        if (!project) throw new NotFound("Project");
        const { text, market } = project;
        const { now, queueKey } = context;
        const worth = to(market);
        const point = { projectId, priceAfter: priceOf({ ...market, ...worth }), source, createdAt: now };
        const members = { point: store.putPoint(point, queueKey), market: store.moveBase(market, worth, now) };
        const moved = { text, market: { ...market, ...worth, updatedAt: now } };
        return write(members, moved, (refused) => (refused.market ? { text, market: refused.market } : undefined));
      },
    },
    context,
  );

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
