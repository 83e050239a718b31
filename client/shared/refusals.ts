/** What a person reads when a request fails. */
import { Refused } from "./call.ts";
import { isDesk } from "./settings.ts";
import { texts } from "./texts.ts";

const words = texts.refused;

function waitText(seconds: number): string {
  if (seconds <= 0) return words.moment;
  return seconds < 90 ? words.seconds(seconds) : words.minutes(Math.ceil(seconds / 60));
}

/** The sentence for a failed request. @param problem what `ask` threw */
export function refusalText(problem: unknown): string {
  if (!(problem instanceof Refused)) return words.noAnswer;
  const { status, code = "", message, retryAfter } = problem;
  if (code === "SESSION_ENDED") return texts.account.ended;
  if (status === 429) return words.tooMany(waitText(retryAfter));
  if (code === "OUTCOME_UNKNOWN") return words.unknown;
  if (status >= 500) return words.broken;
  // An executive reads what the API says of the field.
  if (isDesk) return message;
  return words.byCode[code] ?? words.byStatus[status] ?? message;
}
