import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import { untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import { projectAnswer } from "./project.ts";
import * as routes from "./routes.ts";
import * as store from "./store.ts";

/**
 * Nothing is taken from anybody: the project keeps its shares, its holders and the price of this moment, at which
 * portfolios go on counting it. It is only not listed and not traded any more.
 */
export const deleteProject = api(routes.deleteProject, async ({ params: { projectId }, now }) => {
  const project = await untilSettled(async () => {
    const found = (await store.readProjects([projectId], "strong")).get(projectId);
    if (!found) throw new NotFound("Project");
    if (!found.market.isActive) return found;
    await commit({ market: store.setActive(projectId, false, now) });
    return { ...found, market: { ...found.market, isActive: false, updatedAt: now } };
  });
  return ok({ message: "Project removed from the game.", data: projectAnswer(project) });
});
