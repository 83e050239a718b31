/** HTML in which every value is escaped, because nobody can forget to. Pure. */
import { escape as escapeHtml } from "html-escaper";

/** Markup that needs no escaping any more. */
export class Html {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

type Value = string | number | Html | readonly Html[] | undefined;

function sourceOf(value: Value): string {
  if (value === undefined) return "";
  if (value instanceof Html) return value.source;
  if (typeof value === "object") return value.map(({ source }) => source).join("");
  return escapeHtml(String(value));
}

/** Text between the values is markup, values are text; only other `Html` goes in as it is. */
export const html = (markup: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(markup.map((part, index) => (index === 0 ? part : sourceOf(values[index - 1]) + part)).join(""));
