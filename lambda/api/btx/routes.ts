import { route } from "#kit/route.ts";
import * as schemas from "./schemas.ts";

const { eventQuery, projectParams, OneProject } = schemas;

const read = { method: "GET", access: "caller" } as const;

const trade = {
  method: "POST",
  access: "caller",
  idempotent: true,
  body: schemas.Order,
  responses: { 200: schemas.Traded },
} as const;

const move = {
  method: "POST",
  access: "admin",
  responses: { 200: OneProject },
  refusals: ["NOT_FOUND"],
} as const;

export const listProjects = route({
  ...read,
  path: "/btx/projects",
  summary: "The active projects of an event",
  query: eventQuery,
  responses: { 200: schemas.Projects },
});

export const snapshot = route({
  ...read,
  path: "/btx/market/snapshot",
  summary: "The active projects of an event with what the market makes of them",
  query: eventQuery,
  responses: { 200: schemas.Snapshot },
});

export const buy = route({
  ...trade,
  path: "/btx/market/buy",
  summary: "Buy shares of a project; the first trade opens the account",
  refusals: ["NOT_FOUND", "INSUFFICIENT_CASH", "PROJECT_INACTIVE"],
});

export const sell = route({
  ...trade,
  path: "/btx/market/sell",
  summary: "Sell shares of a project",
  refusals: ["NOT_FOUND", "INSUFFICIENT_SHARES", "PROJECT_INACTIVE"],
});

export const portfolio = route({
  ...read,
  path: "/btx/portfolio",
  summary: "The caller's account and what its shares are worth",
  query: eventQuery,
  responses: { 200: schemas.Portfolio },
});

export const listTrades = route({
  ...read,
  path: "/btx/trades",
  summary: "All trades of a project, or the caller's own of all projects; newest first",
  query: schemas.tradesQuery,
  responses: { 200: schemas.Trades },
  refusals: ["NOT_FOUND"],
});

export const priceHistory = route({
  ...read,
  path: "/btx/price-history",
  summary: "The latest prices of a project, oldest first",
  query: schemas.historyQuery,
  responses: { 200: schemas.PriceHistory },
  refusals: ["NOT_FOUND"],
});

export const leaderboard = route({
  ...read,
  path: "/btx/leaderboard",
  summary: "Who has made the most, and who the least",
  query: schemas.leaderboardQuery,
  responses: { 200: schemas.Leaderboard },
});

export const saveProject = route({
  method: "POST",
  path: "/btx/admin/project",
  access: "admin",
  summary: "Create a project, or change what is said of it; in the body or in the query string",
  query: schemas.NewProject,
  body: schemas.NewProject,
  responses: { 200: OneProject },
  etag: true,
  ifMatch: true,
  refusals: ["DUPLICATE"],
});

export const getProject = route({
  method: "GET",
  path: "/btx/admin/project/{projectId}",
  access: "admin",
  summary: "A project to edit, also one that is out of the game",
  params: projectParams,
  responses: { 200: OneProject },
  etag: true,
  refusals: ["NOT_FOUND"],
});

export const seedProject = route({
  ...move,
  path: "/btx/admin/seed",
  summary: "Change the seed of a project, and its base price with it",
  body: schemas.Seed,
});

export const bumpPhase = route({
  ...move,
  path: "/btx/admin/phase-bump",
  summary: "Move the base price of a project as its phase demands",
  body: schemas.PhaseBump,
});

export const investmentImpact = route({
  ...move,
  path: "/btx/admin/investment-impact",
  summary: "Let an investment in a team move its project's seed",
  body: schemas.Investment,
});

export const deleteProject = route({
  method: "DELETE",
  path: "/btx/admin/project/{projectId}",
  access: "admin",
  summary: "Take a project out of the game: it is no longer listed or traded, and keeps its price and its holders",
  params: projectParams,
  responses: { 200: OneProject },
  etag: true,
  ifMatch: true,
  refusals: ["NOT_FOUND"],
});

export const reset = route({
  method: "POST",
  path: "/btx/admin/reset",
  access: "admin",
  summary: "Put one account, or all accounts of an event, back to the start",
  body: schemas.Reset,
  responses: { 200: schemas.ResetDone },
  refusals: ["NOT_FOUND"],
});
