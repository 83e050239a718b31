/** The admins' ways to move a price: each changes the base and leaves a point in the price history. */
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import { priceOf } from "./market.ts";
import { inUnits } from "./money.ts";
import { type Market, type Project, projectAnswer } from "./project.ts";
import { requestedBump, requestedSeed } from "./requested-move.ts";
import * as routes from "./routes.ts";
import * as store from "./store.ts";
import { bumped, seeded, type Worth } from "./worth.ts";

interface Move {
  readonly projectId: string;
  /** What the price history calls it. */
  readonly source: string;
  readonly to: (market: Market) => Worth;
}

async function existing(projectId: string): Promise<Project> {
  const project = (await store.readProjects([projectId], "strong")).get(projectId);
  if (!project) throw new NotFound("Project");
  return project;
}

/**
 * While everybody trades, the market is another one whenever it is read: who is refused goes on with what the refusal shows.
 * @throws NotFound
 */
function movePrice(
  { projectId, source, to }: Move,
  { now, arrival }: { readonly now: number; readonly arrival: string },
): Promise<Project> {
  let latest: Project | undefined;
  return untilSettled(async () => {
    const project = latest ?? (await existing(projectId));
    latest = undefined;
    const { text, market } = project;
    const worth = to(market);
    const priceAfter = priceOf({ ...market, ...worth });
    const outcome = await commit({
      point: store.putPoint({ projectId, priceAfter, source, createdAt: now }, arrival),
      market: store.moveBase(market, worth, now),
    });
    if (outcome.committed) return { text, market: { ...market, ...worth, updatedAt: now } };
    const { refused } = outcome;
    // The point is there: an earlier try was carried out, and only its answer got lost.
    if ("point" in refused) return existing(projectId);
    if (refused.market) latest = { text, market: refused.market as unknown as Market };
    return again;
  });
}

const answer = (project: Project) => ok({ message: "Price moved.", data: projectAnswer(project) });

export const seedProject = api(routes.seedProject, async ({ body, now, arrival }) => {
  const { seedAfter, path } = requestedSeed(body);
  const to = (market: Market) => seeded(market, seedAfter(market.seed), path);
  return answer(await movePrice({ projectId: body.projectId, source: "SEED", to }, { now, arrival }));
});

/** A dollar moves the seed by 0.0001, so a cent moves it by a millionth: the unit in which it is kept. */
export const investmentImpact = api(routes.investmentImpact, async ({ body, now, arrival }) => {
  const delta = inUnits(body.amountDelta, 2, "/amountDelta");
  const to = (market: Market) => seeded(market, market.seed + delta, "/amountDelta");
  return answer(await movePrice({ projectId: body.teamId, source: "INVESTMENT", to }, { now, arrival }));
});

export const bumpPhase = api(routes.bumpPhase, async ({ body, now, arrival }) => {
  const { bump, path } = requestedBump(body);
  const to = (market: Market) => bumped(market, bump, path);
  return answer(await movePrice({ projectId: body.projectId, source: body.bumpType, to }, { now, arrival }));
});
