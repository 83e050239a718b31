import { ValidationFailed } from "#kit/errors.ts";
import { readTemplate } from "./store.ts";

/**
 * Reads the templates of an event's rules.
 * @throws ValidationFailed a rule names none
 */
export async function requireTemplates(rules: readonly { readonly templateName: string }[] | null | undefined) {
  const read = await Promise.all((rules ?? []).map(({ templateName }) => readTemplate(templateName)));
  const issues = read.flatMap((template, index) =>
    template ? [] : [{ path: `/mails/${index}/templateName`, message: "is no template" }],
  );
  if (issues.length > 0) throw new ValidationFailed(issues);
}
