/**
 * Whether a line matches a pattern of CloudWatch Logs, as far as this stack uses them: fields of a JSON line with one
 * text each, joined by `&&` or by `||`.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntaxForMetricFilters.html
 *
 * @throws Error for any other pattern
 */
export function matchesPattern(pattern: string, line: string): boolean {
  const [, terms = ""] = /^\{ (.+) \}$/.exec(pattern) ?? [];
  const operator = terms.includes(" || ") ? " || " : " && ";
  const wanted = terms
    .split(operator)
    .map((term) => /^\$\.(\w+) = "([^"*]+)"$/.exec(term)?.slice(1) as [string, string]);
  if (wanted.includes(undefined as never)) throw new Error(`This pattern is not known here: ${pattern}`);
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(line);
  } catch {
    return false;
  }
  const matches = ([field, text]: [string, string]): boolean => String(fields[field]) === text;
  return operator === " || " ? wanted.some(matches) : wanted.every(matches);
}
