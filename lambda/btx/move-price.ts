/** The admins' ways to move a price: each changes the base and leaves a point in the price history. */
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound, ValidationFailed } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import { priceOf } from "./market.ts";
import { inUnits } from "./money.ts";
import { type Market, type Project, projectAnswer } from "./project.ts";
import * as routes from "./routes.ts";
import type { PhaseBump, Seed } from "./schemas.ts";
import * as store from "./store.ts";
import { type Bump, bumped, multiplierDecimals, seedDecimals, seeded, type Worth } from "./worth.ts";

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

/** Exactly one of the two says how. */
function seedFrom({ seedDelta, seedAbsolute }: Seed): (seed: number) => number {
  if ((seedDelta === undefined) === (seedAbsolute === undefined)) {
    const path = seedDelta === undefined ? "/seedDelta" : "/seedAbsolute";
    throw new ValidationFailed([{ path, message: "is one of seedDelta and seedAbsolute: exactly one is needed" }]);
  }
  if (seedAbsolute !== undefined) {
    const seed = inUnits(seedAbsolute, seedDecimals, "/seedAbsolute");
    return () => seed;
  }
  const delta = inUnits(seedDelta as number, seedDecimals, "/seedDelta");
  return (seed) => seed + delta;
}

export const seedProject = api(routes.seedProject, async ({ body, now, arrival }) => {
  const seedAfter = seedFrom(body);
  const path = body.seedDelta === undefined ? "/seedAbsolute" : "/seedDelta";
  const to = (market: Market) => seeded(market, seedAfter(market.seed), path);
  return answer(await movePrice({ projectId: body.projectId, source: "SEED", to }, { now, arrival }));
});

/** A dollar moves the seed by 0.0001, so a cent moves it by a millionth: the unit in which it is kept. */
export const investmentImpact = api(routes.investmentImpact, async ({ body, now, arrival }) => {
  const delta = inUnits(body.amountDelta, 2, "/amountDelta");
  const to = (market: Market) => seeded(market, market.seed + delta, "/amountDelta");
  return answer(await movePrice({ projectId: body.teamId, source: "INVESTMENT", to }, { now, arrival }));
});

const required = (path: string) => new ValidationFailed([{ path, message: "is required for this bumpType" }]);

/** @throws ValidationFailed when the number that the type needs is missing */
function bumpFrom({ bumpType, multiplier, delta }: PhaseBump): Bump {
  if (bumpType === "MULTIPLY") {
    if (multiplier === undefined) throw required("/multiplier");
    return { type: bumpType, multiplier: inUnits(multiplier, multiplierDecimals, "/multiplier") };
  }
  if (bumpType === "ADD") {
    if (delta === undefined) throw required("/delta");
    return { type: bumpType, delta: inUnits(delta, 2, "/delta") };
  }
  return { type: bumpType };
}

const blamed = { MULTIPLY: "/multiplier", ADD: "/delta" } as Readonly<Record<string, string>>;

export const bumpPhase = api(routes.bumpPhase, async ({ body, now, arrival }) => {
  const bump = bumpFrom(body);
  const to = (market: Market) => bumped(market, bump, blamed[body.bumpType] ?? "/bumpType");
  return answer(await movePrice({ projectId: body.projectId, source: body.bumpType, to }, { now, arrival }));
});
