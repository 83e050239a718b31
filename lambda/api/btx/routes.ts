import { route } from "#kit/request/route.ts";
import * as schemas from "./schemas.ts";

const { eventQuery, projectParams, OneProject } = schemas;

const trade = {
  access: "caller",
  owner: { who: "self" },
  idempotent: true,
  irreversible: true,
  body: schemas.Order,
  responses: { 200: schemas.Traded },
} as const;

const move = {
  access: "admin",
  responses: { 200: OneProject },
  says: { 200: "Price moved." },
  refusals: ["NOT_FOUND"],
} as const;

export const listProjects = route("GET /btx/projects", {
  access: "caller",
  summary: "The active projects of an event",
  query: eventQuery,
  responses: { 200: schemas.Projects },
});

export const snapshot = route("GET /btx/market/snapshot", {
  access: "caller",
  summary: "The active projects of an event with what the market makes of them",
  query: eventQuery,
  responses: { 200: schemas.Snapshot },
});

export const buy = route("POST /btx/market/buy", {
  ...trade,
  summary: "Buy shares of a project; the first trade opens the account",
  says: { 200: "Shares bought." },
  refusals: ["NOT_FOUND", "INSUFFICIENT_CASH", "PROJECT_INACTIVE", "TOO_OFTEN"],
});

export const sell = route("POST /btx/market/sell", {
  ...trade,
  summary: "Sell shares of a project",
  says: { 200: "Shares sold." },
  refusals: ["NOT_FOUND", "INSUFFICIENT_SHARES", "PROJECT_INACTIVE", "TOO_OFTEN"],
});

export const portfolio = route("GET /btx/portfolio", {
  access: "caller",
  owner: { who: "self" },
  summary: "The caller's account and what its shares are worth",
  query: eventQuery,
  responses: { 200: schemas.Portfolio },
});

export const listTrades = route("GET /btx/trades", {
  access: "caller",
  summary: "All trades of a project, or the caller's own of all projects; newest first",
  query: schemas.tradesQuery,
  responses: { 200: schemas.Trades },
  refusals: ["NOT_FOUND"],
});

export const priceHistory = route("GET /btx/price-history", {
  access: "caller",
  summary: "The latest prices of a project, oldest first",
  query: schemas.historyQuery,
  responses: { 200: schemas.PriceHistory },
  refusals: ["NOT_FOUND"],
});

export const leaderboard = route("GET /btx/leaderboard", {
  access: "caller",
  summary: "Who has made the most, and who the least",
  query: schemas.leaderboardQuery,
  responses: { 200: schemas.Leaderboard },
});

export const saveProject = route("POST /btx/admin/project", {
  access: "admin",
  summary: "Create a project, or change what is said of it; in the body or in the query string",
  says: { 200: "Project saved.", DUPLICATE: "There is a project with this id in another event already." },
  query: schemas.NewProject,
  body: schemas.NewProject,
  responses: { 200: OneProject },
  etag: true,
  ifMatch: true,
  refusals: ["DUPLICATE"],
});

export const getProject = route("GET /btx/admin/project/{projectId}", {
  access: "admin",
  summary: "A project to edit, also one that is out of the game",
  params: projectParams,
  responses: { 200: OneProject },
  etag: true,
  refusals: ["NOT_FOUND"],
});

export const seedProject = route("POST /btx/admin/seed", {
  ...move,
  summary: "Change the seed of a project, and its base price with it",
  body: schemas.Seed,
});

export const bumpPhase = route("POST /btx/admin/phase-bump", {
  ...move,
  summary: "Move the base price of a project as its phase demands",
  body: schemas.PhaseBump,
});

export const investmentImpact = route("POST /btx/admin/investment-impact", {
  ...move,
  summary: "Let an investment in a team move its project's seed",
  body: schemas.Investment,
});

export const deleteProject = route("DELETE /btx/admin/project/{projectId}", {
  access: "admin",
  irreversible: true,
  summary: "Take a project out of the game: it is no longer listed or traded, and keeps its price and its holders",
  says: { 200: "Project removed from the game." },
  params: projectParams,
  responses: { 200: OneProject },
  etag: true,
  ifMatch: true,
  refusals: ["NOT_FOUND"],
});

export const reset = route("POST /btx/admin/reset", {
  access: "admin",
  irreversible: true,
  summary: "Put one account, or all accounts of an event, back to the start",
  about: ["Account"],
  says: { 200: "The account is reset." },
  body: schemas.Reset,
  responses: { 200: schemas.ResetDone },
  refusals: ["NOT_FOUND"],
});
