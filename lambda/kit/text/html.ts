/** Template literals for HTML that escape every value. Pure. */
import { escape as escapeHtml } from "html-escaper";

/** Markup that is safe and needs no escaping. */
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

/** The literal parts are markup. Values are escaped as text, except values of type `Html`. */
export const html = (markup: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(markup.map((part, index) => (index === 0 ? part : sourceOf(values[index - 1]) + part)).join(""));
