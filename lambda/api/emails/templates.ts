import { unsubscribeUrl } from "#domain/mail/campaigns/campaign.ts";
import {
  changeTemplate,
  createTemplate as create,
  language,
  deleteTemplate as remove,
} from "#domain/mail/templates/edit.ts";
import { pageOfTemplates, readTemplate, type TemplateLine, type TemplateRecord } from "#domain/mail/templates/store.ts";
import { requiredEnv } from "#kit/env.ts";
import { NotFound, ValidationFailed } from "#kit/errors.ts";
import { decodeCursor, part } from "#kit/lists/cursor.ts";
import { nextHeader } from "#kit/lists/pages.ts";
import { created, ok } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import { etagOf } from "#kit/request/etag.ts";
import { isoText } from "#kit/text/text.ts";
import * as routes from "./routes.ts";

const unsubscribe = unsubscribeUrl(requiredEnv("UNSUBSCRIBE_ADDRESS"));

const lineAnswer = ({ templateName, createdAt, updatedAt }: TemplateLine) => ({
  TemplateName: templateName,
  CreatedTimestamp: isoText(createdAt),
  LastModifiedTimestamp: isoText(updatedAt),
});

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

export const createTemplate = api(routes.createTemplate, async ({ body, context }) => {
  const template = await create(body, context);
  return created({ message: "Template created." }, etagOf(template));
});

const changed = (template: TemplateRecord) => ok({ message: "Template changed." }, etagOf(template));

export const updateTemplate = api(
  routes.updateTemplate,
  async ({ body: { templateName, ...changes }, ifMatch, context }) =>
    changed(await changeTemplate(templateName, changes, ifMatch, context)),
);

export const updateNamedTemplate = api(routes.updateNamedTemplate, async ({ params, body, ifMatch, context }) =>
  changed(await changeTemplate(params.templateName, body, ifMatch, context)),
);

export const deleteTemplate = api(routes.deleteTemplate, async ({ params, ifMatch, context }) => {
  await remove(params.templateName, ifMatch, context);
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
