/** The admins' operations on templates (`docs/contract.md`, "Emails"). */

import { Duplicate, ValidationFailed } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type IfMatch, requireMatch } from "#kit/request/etag.ts";
import { answer, edit, write, writeOnce } from "#kit/table/execute.ts";
import type { Deadline } from "#kit/table/retry.ts";
import { insertion, readTemplate, removal, replacement, type TemplateRecord } from "./store.ts";
import type { TemplateContent } from "./template.ts";

/** Loaded lazily, because the template language would slow down every cold start and most requests do not need it. */
export const language = () => import("./template.ts");

/** @throws ValidationFailed */
function requireValid(content: TemplateContent, { templateIssues }: Awaited<ReturnType<typeof language>>): void {
  const issues = templateIssues(content);
  if (issues.length > 0) throw new ValidationFailed(issues);
}

/** A template as an admin sends it. Without `text` its mails have no plain-text part. */
type NewTemplate = Pick<TemplateRecord, "templateName"> & Omit<TemplateContent, "text"> & Partial<TemplateContent>;

/** @throws Duplicate ValidationFailed */
export async function createTemplate(details: NewTemplate, context: RequestContext): Promise<TemplateRecord> {
  const { newId, now } = context;
  const template = { text: "", ...details, generation: newId(), version: 1, createdAt: now, updatedAt: now };
  requireValid(template, await language());
  const refused = await writeOnce(insertion(template), context);
  if (refused) throw new Duplicate("There is a template of this name already.");
  return template;
}

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
      requireValid(template, loaded);
      return write(replacement(template, read), template);
    },
    context,
  );
}

/** @throws NotFound PreconditionFailed */
export const deleteTemplate = (name: string, ifMatch: IfMatch | undefined, deadline: Deadline): Promise<void> =>
  edit(
    "Template",
    () => readTemplate(name),
    (read) => {
      requireMatch(ifMatch, read);
      return write(removal(name, ifMatch && read), undefined);
    },
    deadline,
  );
