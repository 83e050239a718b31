import type { RequestContext } from "#kit/context.ts";
import { type IfMatch, requireMatch } from "#kit/etag.ts";
import { answer, edit, write } from "#kit/execute.ts";
import { editedText, type Project } from "./project.ts";
import { readProjectToEdit, replaceText, setActive } from "./store.ts";

/**
 * Takes a project out of the game. It is not listed and not traded any more, and its holders lose nothing: the shares
 * stay, and portfolios still count them at the last price.
 * @throws NotFound PreconditionFailed
 */
export const removeProject = (
  projectId: string,
  ifMatch: IfMatch | undefined,
  context: RequestContext,
): Promise<Project> =>
  edit(
    "Project",
    () => readProjectToEdit(projectId),
    (project) => {
      requireMatch(ifMatch, project.text);
      if (!project.market.isActive) return answer(project);
      const market = { ...project.market, isActive: false, updatedAt: context.now };
      const text = editedText(project.text, {});
      const members = {
        text: replaceText(text, project.text),
        market: setActive(projectId, false, context.now),
      };
      return write(members, { text, market });
    },
    context,
  );
