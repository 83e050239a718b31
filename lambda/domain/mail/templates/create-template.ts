import type { RequestContext } from "#kit/context.ts";
import { Duplicate } from "#kit/errors.ts";
import { writeOnce } from "#kit/execute.ts";
import { language, requireSound } from "./sound.ts";
import { insertion, type TemplateRecord } from "./store.ts";
import type { TemplateContent } from "./template.ts";

/** A template as an admin sends it. Without a text its mails have no plain-text part. */
type NewTemplate = Pick<TemplateRecord, "templateName"> & Omit<TemplateContent, "text"> & Partial<TemplateContent>;

/** @throws Duplicate ValidationFailed */
export async function createTemplate(details: NewTemplate, context: RequestContext): Promise<TemplateRecord> {
  const { newId, now } = context;
  const template = { text: "", ...details, generation: newId(), version: 1, createdAt: now, updatedAt: now };
  requireSound(template, await language());
  const refused = await writeOnce(insertion(template), context);
  if (refused) throw new Duplicate("There is a template of this name already.");
  return template;
}
