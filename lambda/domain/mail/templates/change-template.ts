import type { RequestContext } from "#kit/context.ts";
import { type IfMatch, requireMatch } from "#kit/etag.ts";
import { answer, edit, write } from "#kit/execute.ts";
import { language, requireSound } from "./sound.ts";
import { readTemplate, replacement, type TemplateRecord } from "./store.ts";
import type { TemplateContent } from "./template.ts";

/** The parts of a template that a request names. */
type ChangedParts = Partial<TemplateContent>;

const changesNothing = (template: TemplateRecord, changes: ChangedParts): boolean =>
  (Object.keys(changes) as (keyof ChangedParts)[]).every((part) => changes[part] === template[part]);

/** @throws NotFound PreconditionFailed ValidationFailed */
export async function changeTemplate(
  name: string,
  changes: ChangedParts,
  ifMatch: IfMatch | undefined,
  context: RequestContext,
): Promise<TemplateRecord> {
  const loaded = await language();
  return edit(
    "Template",
    () => readTemplate(name),
    (read) => {
      requireMatch(ifMatch, read);
      if (changesNothing(read, changes)) return answer(read);
      const template = { ...read, ...changes, version: read.version + 1, updatedAt: context.now };
      requireSound(template, loaded);
      return write(replacement(template, read), template);
    },
    context,
  );
}
