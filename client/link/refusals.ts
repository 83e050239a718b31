/** What a guest reads when a request fails. Pure. */
import { Refused } from "../page/call.ts";

const byCode: Readonly<Record<string, string>> = {
  ILLEGAL_TRANSITION: "This is not possible any more. Above you see where your registration stands now.",
  STATUS_CHANGED: "Your registration has changed meanwhile, so nothing was done. Above you see where it stands now.",
  EVENT_CLOSED: "Registration for this event has ended, so nothing can be changed any more.",
  CHOICE_FULL: "This workshop is full. Please choose another one.",
  FEEDBACK_DISABLED: "This form does not take answers any more.",
  NOT_OPEN_YET: "Registration has not opened yet. Please come back later.",
};
const byStatus: Readonly<Record<number, string>> = {
  401: "This link does not work, or not any more. Please open the link of our latest mail, if it has one.",
  404: "This event or registration does not exist any more.",
  413: "These answers are too long. Please shorten them.",
};

function waitText(seconds: number): string {
  if (seconds <= 0) return "a moment";
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

/** The sentence for a failed request. @param problem what `call` threw */
export function refusalText(problem: unknown): string {
  if (!(problem instanceof Refused)) return "There is no answer. Please check your connection, and try again.";
  const { status, code = "", message, retryAfter } = problem;
  if (status === 429) return `These were too many attempts. Please wait ${waitText(retryAfter)}, and try again.`;
  if (status >= 500) return "Our service has a problem. Please try again in a few minutes.";
  return byCode[code] ?? byStatus[status] ?? message;
}
