import { dispatch } from "#kit/api.ts";
import { deleteProject } from "./delete-project.ts";
import { getProject } from "./get-project.ts";
import { leaderboard } from "./leaderboard.ts";
import { listProjects, snapshot } from "./list-projects.ts";
import { listTrades, priceHistory } from "./list-trades.ts";
import { bumpPhase, investmentImpact, seedProject } from "./move-price.ts";
import { portfolio } from "./portfolio.ts";
import { reset } from "./reset.ts";
import { saveProject } from "./save-project.ts";
import { buy, sell } from "./trade-shares.ts";

export const handler = dispatch([
  listProjects,
  snapshot,
  buy,
  sell,
  portfolio,
  listTrades,
  priceHistory,
  leaderboard,
  saveProject,
  getProject,
  seedProject,
  bumpPhase,
  investmentImpact,
  deleteProject,
  reset,
]);
