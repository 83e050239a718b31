/** The checks of a template before it is stored. */
import { ValidationFailed } from "#kit/errors.ts";
import type { TemplateContent } from "./template.ts";

/**
 * Loaded at first use: the template language would be a large part of every cold start, and most requests do not need
 * it.
 */
export const language = () => import("./template.ts");

/** @throws ValidationFailed */
export function requireSound(content: TemplateContent, { templateIssues }: Awaited<ReturnType<typeof language>>): void {
  const issues = templateIssues(content);
  if (issues.length > 0) throw new ValidationFailed(issues);
}
