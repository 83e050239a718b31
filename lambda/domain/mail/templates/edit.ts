/** The admins' operations on templates (`docs/contract.md`, "Emails"). */

import { Duplicate, ValidationFailed } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type IfMatch, requireMatch } from "#kit/request/etag.ts";
import { answer, edit, write, writeOnce } from "#kit/table/execute.ts";
import { auditRow, changesOf } from "#outbox/audit.ts";
import { insertion, readTemplate, removal, replacement, type TemplateRecord } from "./store.ts";
import type { TemplateContent } from "./template.ts";

/** Loaded lazily, because the template language would slow down every cold start and most requests do not need it. */
export const language = () => import("./template.ts");

/** @throws ValidationFailed */
function requireValid(content: TemplateContent, { templateIssues }: Awaited<ReturnType<typeof language>>): void {
  const issues = templateIssues(content);
  if (issues.length > 0) throw new ValidationFailed(issues);
}

/** What the audit has of a change: of a mail's text only that it has changed. */
const auditOf = (
  action: string,
  { before, after }: { readonly before?: TemplateRecord; readonly after?: TemplateRecord },
  context: RequestContext,
) =>
  auditRow(
    { action, id: (after ?? before)?.templateName, changes: changesOf(before, after, ["html", "text"]) },
    context,
  );

/** A template as an admin sends it. Without `text` its mails have no plain-text part. */
type NewTemplate = Pick<TemplateRecord, "templateName"> & Omit<TemplateContent, "text"> & Partial<TemplateContent>;

/** @throws Duplicate ValidationFailed */
export async function createTemplate(details: NewTemplate, context: RequestContext): Promise<TemplateRecord> {
  const { newId, now } = context;
  const template = { text: "", ...details, generation: newId(), version: 1, createdAt: now, updatedAt: now };
  requireValid(template, await language());
  const audit = auditOf("template.created", { after: template }, context);
  const refused = await writeOnce({ ...insertion(template), audit }, context);
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
      const audit = auditOf("template.updated", { before: read, after: template }, context);
      return write({ ...replacement(template, read), audit }, template);
    },
    context,
  );
}

/** @throws NotFound PreconditionFailed */
export const deleteTemplate = (name: string, ifMatch: IfMatch | undefined, context: RequestContext): Promise<void> =>
  edit(
    "Template",
    () => readTemplate(name),
    (read) => {
      requireMatch(ifMatch, read);
      const audit = auditOf("template.deleted", { before: read }, context);
      return write({ ...removal(name, ifMatch && read), audit }, undefined);
    },
    context,
  );
