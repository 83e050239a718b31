import { projectAnswer } from "#domain/game/project.ts";
import { removeProject } from "#domain/game/remove-project.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { etagOf } from "#kit/etag.ts";
import * as routes from "./routes.ts";

export const deleteProject = api(routes.deleteProject, async ({ params, ifMatch, context }) => {
  const project = await removeProject(params.projectId, ifMatch, context);
  return ok({ message: "Project removed from the game.", data: projectAnswer(project) }, etagOf(project.text));
});
