import { unsubscribeUrl } from "#domain/mail/campaigns/unsubscribe.ts";
import {
  insertion,
  pageOfTemplates,
  readTemplate,
  removal,
  replacement,
  type TemplateLine,
  type TemplateRecord,
} from "#domain/mail/templates/store.ts";
import type { TemplateContent } from "#domain/mail/templates/template.ts";
import { created, ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import type { RequestContext } from "#kit/context.ts";
import { decodeCursor, part } from "#kit/cursor.ts";
import { requiredEnv } from "#kit/env.ts";
import { Duplicate, NotFound, ValidationFailed } from "#kit/errors.ts";
import { etagOf, type IfMatch, requireMatch } from "#kit/etag.ts";
import { answer, type Decision, execute, write, writeOnce } from "#kit/execute.ts";
import { nextHeader } from "#kit/pages.ts";
import * as routes from "./routes.ts";

const unsubscribe = unsubscribeUrl(requiredEnv("UNSUBSCRIBE_ADDRESS"));

/**
 * Loaded at first use: the template language would be a large part of every cold start, and most requests do not need
 * it.
 */
const language = () => import("#domain/mail/templates/template.ts");

const iso = (at: number): string => new Date(at).toISOString();

const lineAnswer = ({ templateName, createdAt, updatedAt }: TemplateLine) => ({
  TemplateName: templateName,
  CreatedTimestamp: iso(createdAt),
  LastModifiedTimestamp: iso(updatedAt),
});

/** @throws ValidationFailed */
function requireSound(content: TemplateContent, { templateIssues }: Awaited<ReturnType<typeof language>>): void {
  const issues = templateIssues(content);
  if (issues.length > 0) throw new ValidationFailed(issues);
}

/** @throws NotFound */
async function existing(name: string): Promise<TemplateRecord> {
  const template = await readTemplate(name);
  if (!template) throw new NotFound("Template");
  return template;
}

export const listTemplates = api(routes.listTemplates, async ({ query: { limit, cursor } }) => {
  const page = await pageOfTemplates({ limit, after: decodeCursor(cursor, part.templateName) });
  return ok({ emailTemplates: page.rows.map(lineAnswer) }, nextHeader(page));
});

export const getTemplate = api(routes.getTemplate, async ({ params }) => {
  const template = await existing(params.templateName);
  const { subject, html, text } = template;
  const content = { Subject: subject, Html: html, Text: text };
  return ok({ ...lineAnswer(template), TemplateContent: content, Template: content }, etagOf(template));
});

export const createTemplate = api(routes.createTemplate, async ({ body, now, context }) => {
  const generation = context.newId();
  const template = { text: "", ...body, generation, version: 1, createdAt: now, updatedAt: now };
  requireSound(template, await language());
  const refused = await writeOnce(insertion(template), context);
  if (refused) throw new Duplicate("There is a template of this name already.");
  return created({ message: "Template created." }, etagOf(template));
});

/** The parts of a template that a request names. */
type ChangedParts = Partial<TemplateContent>;

const changesNothing = (template: TemplateRecord, changes: ChangedParts): boolean =>
  (Object.keys(changes) as (keyof ChangedParts)[]).every((part) => changes[part] === template[part]);

/** A change that an admin asks for, and the version of the template that it is made for. */
interface Wanted {
  readonly changes: ChangedParts;
  readonly ifMatch: IfMatch | undefined;
}

async function change(name: string, { changes, ifMatch }: Wanted, context: RequestContext) {
  const loaded = await language();
  const template = await execute(
    {
      depth: "certain",
      read: () => existing(name),
      decide(template: TemplateRecord): Decision<TemplateRecord> {
        requireMatch(ifMatch, template);
        if (changesNothing(template, changes)) return answer(template);
        const changed = { ...template, ...changes, version: template.version + 1, updatedAt: context.now };
        requireSound(changed, loaded);
        return write(replacement(changed, template), changed);
      },
    },
    context,
  );
  return ok({ message: "Template changed." }, etagOf(template));
}

export const updateTemplate = api(routes.updateTemplate, ({ body: { templateName, ...changes }, ifMatch, context }) =>
  change(templateName, { changes, ifMatch }, context),
);

export const updateNamedTemplate = api(routes.updateNamedTemplate, ({ params, body: changes, ifMatch, context }) =>
  change(params.templateName, { changes, ifMatch }, context),
);

export const deleteTemplate = api(routes.deleteTemplate, async ({ params, ifMatch, context }) => {
  const { templateName } = params;
  await execute(
    {
      depth: "certain",
      read: () => existing(templateName),
      decide(template: TemplateRecord): Decision<void> {
        requireMatch(ifMatch, template);
        return write(removal(templateName, ifMatch && template), undefined);
      },
    },
    context,
  );
  return ok({ message: "Template deleted." });
});

export const previewTemplate = api(routes.previewTemplate, async ({ params, body }) => {
  const [template, { parseTemplate, RenderFailed, render }] = await Promise.all([
    existing(params.templateName),
    language(),
  ]);
  try {
    return ok(render(parseTemplate(template), { ...body.data, unsubscribe }));
  } catch (error) {
    if (!(error instanceof RenderFailed)) throw error;
    throw new ValidationFailed([{ path: "/data", message: "makes more of the template than a mail can be" }]);
  }
});
