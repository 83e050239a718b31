import { TooOften } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { retried } from "#kit/table/retry.ts";
import { hour, hourOf } from "#kit/text/time.ts";
import { countUp } from "../hourly-count.ts";
import { type CodeMail, type CodeMailLimits, countersOf, type Held, judge } from "./limits.ts";
import { readCounts } from "./store.ts";

/**
 * Counts a mail with a code to a canonical email, unless it has to be held back. Of the mails of an hour at most the limit
 * are sent, also of parallel ones. Mails that are held back cost reads only; when others fill a counter meanwhile, the
 * other counters may have one too many. So do a crash afterwards and a repeated trigger. A mail above a limit leaves a line
 * that rings an alarm (`lib/monitoring/filters.ts`).
 * @param now epoch milliseconds
 * @returns why it is held back, if it is
 * @throws Conflict UnknownOutcome when the table does not answer: it may have been counted
 */
export async function admitCodeMail(
  mail: CodeMail,
  email: string,
  limits: CodeMailLimits,
  now: number,
): Promise<{ readonly held?: Held }> {
  const counters = countersOf(mail, email, limits, now);
  let held = judge(mail, counters, await readCounts(counters));
  if (held === undefined) {
    const counted = await Promise.all(counters.map((counter) => countUp(counter.key, counter.limit, now)));
    held = counters[counted.indexOf(false)]?.kind;
  }
  if (held !== undefined && held !== "closed") log.warn("mail with a code above a limit", { mail, held });
  return held === undefined ? {} : { held };
}

/**
 * Counts a mail that strangers may ask for with a form.
 * @param refusal for the person
 * @throws TooOften the mails of this hour are used up, or sign-up is closed
 */
export async function admitFormMail(
  mail: CodeMail,
  email: string,
  limits: CodeMailLimits,
  refusal: string,
  context: RequestContext,
): Promise<void> {
  const { now } = context;
  const { held } = await retried(() => admitCodeMail(mail, email, limits, now), context);
  if (held !== undefined) throw new TooOften(refusal, hourOf(now) + hour - now);
}
