import { editedText, type Project, projectAnswer } from "#domain/game/project.ts";
import * as store from "#domain/game/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import { etagOf, requireMatch } from "#kit/etag.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import * as routes from "./routes.ts";

/**
 * The project is not listed and not traded any more, and its holders lose nothing: the shares stay, and portfolios
 * still count them at the last price.
 */
export const deleteProject = api(routes.deleteProject, async ({ params: { projectId }, ifMatch, now, context }) => {
  const project = await execute(
    {
      depth: "certain",
      read: () => store.readProjectToEdit(projectId),
      decide(found: Project | undefined): Decision<Project> {
        if (!found) throw new NotFound("Project");
        requireMatch(ifMatch, found.text);
        if (!found.market.isActive) return answer(found);
        const market = { ...found.market, isActive: false, updatedAt: now };
        const text = editedText(found.text, {});
        const members = {
          text: store.replaceText(text, found.text),
          market: store.setActive(projectId, false, now),
        };
        return write(members, { text, market });
      },
    },
    context,
  );
  return ok({ message: "Project removed from the game.", data: projectAnswer(project) }, etagOf(project.text));
});
