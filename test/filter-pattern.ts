/**
 * Whether a line matches a pattern of CloudWatch Logs, as far as this stack uses them: one field of a JSON line with one
 * text. https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntaxForMetricFilters.html
 *
 * @throws Error for any other pattern
 */
export function matchesPattern(pattern: string, line: string): boolean {
  const [, field, text] = /^\{ \$\.(\w+) = "([^"*]+)" \}$/.exec(pattern) ?? [];
  if (field === undefined) throw new Error(`This pattern is not known here: ${pattern}`);
  try {
    return String((JSON.parse(line) as Record<string, unknown>)[field]) === text;
  } catch {
    return false;
  }
}
