import { projectAnswer } from "#domain/game/project.ts";
import { readProjectToEdit } from "#domain/game/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import { etagOf } from "#kit/etag.ts";
import * as routes from "./routes.ts";

export const getProject = api(routes.getProject, async ({ params }) => {
  const project = await readProjectToEdit(params.projectId);
  if (!project) throw new NotFound("Project");
  return ok({ message: "Project.", data: projectAnswer(project) }, etagOf(project.text));
});
