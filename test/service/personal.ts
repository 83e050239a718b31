/** Logs are kept for months and read by many: they name nobody. Every stage of every test is held to it. */
import type { LogLine } from "../../lib/local/functions/log.ts";

/** Addresses of all people in tests, and first names that are seeded. */
const personal = /[^\s"'<>@:]+@[a-z0-9.-]+\.(?:example|test)\b|\b(?:Erin|Mira|Uli)\b/i;

/** @throws Error when a line names somebody; it says what printed it, and the line */
export function expectNobodyNamed(lines: readonly LogLine[]): void {
  const telling = lines.filter(({ text }) => personal.test(text));
  if (telling.length === 0) return;
  const some = telling.slice(0, 3).map(({ functionName, text }) => `${functionName}: ${text}`);
  throw new Error(`${telling.length} of ${lines.length} log lines name people:\n${some.join("\n")}`);
}
