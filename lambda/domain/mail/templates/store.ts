/**
 * Keys, items and writes of templates. A template is stored under its name, and as a short line in a list, which can be
 * read without the contents.
 */

import { itemsOf, type Page, type PageRequest, queryPage } from "#kit/lists/pages.ts";
import { type Edited, unedited } from "#kit/request/etag.ts";
import {
  deleteIf,
  drop,
  getItem,
  type Key,
  put,
  putIf,
  putNew,
  type TransactItem,
  type Transaction,
} from "#kit/table/table.ts";
import { keyOf, partitionOf } from "#outbox/stored-kinds.ts";
import type { TemplateContent } from "./template.ts";

/** A line of the list. */
export interface TemplateLine {
  readonly templateName: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface TemplateRecord extends TemplateLine, TemplateContent, Edited {
  readonly generation: string;
}

export const templateKey = (name: string): Key => keyOf("template", { name });
export const lineKey = (name: string): Key => keyOf("line of a template", { name });

export const readTemplate = (name: string) => getItem<TemplateRecord>(templateKey(name), "strong");

const putLine = ({ templateName, createdAt, updatedAt }: TemplateRecord): TransactItem =>
  put({ ...lineKey(templateName), templateName, createdAt, updatedAt }, "beside a condition");

/** Refused when a template has this name. */
export const insertion = (template: TemplateRecord): Transaction => ({
  template: putNew({ ...templateKey(template.templateName), ...template }),
  line: putLine(template),
});

/** Replaces a template. Refused when the template has changed since it was read. */
export const replacement = (template: TemplateRecord, read: TemplateRecord): Transaction => ({
  template: putIf({ ...templateKey(template.templateName), ...template }, unedited(read)),
  line: putLine(template),
});

/**
 * Removes a template. Idempotent without `read`.
 * @param read refused when the template has changed since this read, or is gone
 */
export const removal = (name: string, read?: TemplateRecord): Transaction => ({
  template: read ? deleteIf(templateKey(name), unedited(read)) : drop(templateKey(name), "last wins"),
  line: drop(lineKey(name), "last wins"),
});

/** Templates sorted by name. With `after`, the page begins behind that name. */
export const pageOfTemplates = ({ limit, after }: PageRequest): Promise<Page<TemplateLine>> =>
  queryPage<TemplateLine>(itemsOf(partitionOf("line of a template", {}), after), {
    limit,
    sortKeyOf: ({ templateName }) => templateName,
  });
