/**
 * Logs are kept for months and many people can read them, so they must not name a person. Every test stage checks this
 * when it is closed.
 */
import type { LogLine } from "../../tools/laptop/functions/log.ts";

/**
 * The email addresses of people in tests, and the first names of seeded people. A name is a whole word. In a request id,
 * which is random base64, the letters "Uli" before a plus sign are no name.
 */
const personal = /[^\s"'<>@:]+@[a-z0-9.-]+\.(?:example|test)\b|(?<![\w+/=-])(?:Erin|Mira|Uli)(?![\w+/=-])/i;

/** @throws Error with function and text of the first lines that name a person */
export function expectNoPersonNamed(lines: readonly LogLine[]): void {
  const telling = lines.filter(({ text }) => personal.test(text));
  if (telling.length === 0) return;
  const some = telling.slice(0, 3).map(({ functionName, text }) => `${functionName}: ${text}`);
  throw new Error(`${telling.length} of ${lines.length} log lines name people:\n${some.join("\n")}`);
}
