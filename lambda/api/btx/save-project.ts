import { saveProject as save, type WantedProject } from "#domain/game/edit-project.ts";
import { projectAnswer } from "#domain/game/project.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { etagOf } from "#kit/etag.ts";
import * as routes from "./routes.ts";
import type { NewProject } from "./schemas.ts";

/**
 * A field of the body counts before the same field of the query.
 * @throws ValidationFailed
 */
function wantedFrom(query: NewProject, body: NewProject): WantedProject {
  const wanted = { ...query, ...body };
  const missing = (["projectId", "ticker", "name"] as const).filter((name) => wanted[name] === undefined);
  if (missing.length > 0)
    throw new ValidationFailed(missing.map((name) => ({ path: `/${name}`, message: "is required" })));
  // Project ids are keys of holdings, so a name that every object has (`constructor`) cannot be an id.
  if (String(wanted.projectId) in {})
    throw new ValidationFailed([{ path: "/projectId", message: "is a reserved word" }]);
  return wanted as WantedProject;
}

export const saveProject = api(routes.saveProject, async ({ query, body, ifMatch, context }) => {
  const project = await save(wantedFrom(query, body), ifMatch, context);
  return ok({ message: "Project saved.", data: projectAnswer(project) }, etagOf(project.text));
});
