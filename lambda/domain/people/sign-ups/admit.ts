import { type CodeMail, type CodeMailLimits, countersOf, type Judgement, judge } from "./limits.ts";
import { countMail, readCounts } from "./store.ts";

/**
 * Counts a mail with a code to a canonical email, unless it has to be held back. Of the mails of an hour at most the limit
 * are sent, also of parallel ones. Mails that are held back cost reads only; when others fill a counter meanwhile, the
 * other counters may have one too many. So do a crash afterwards and a repeated trigger.
 * @param now epoch milliseconds
 * @throws Conflict UnknownOutcome when the table does not answer: it may have been counted
 */
export async function admitCodeMail(
  mail: CodeMail,
  email: string,
  limits: CodeMailLimits,
  now: number,
): Promise<Judgement> {
  const counters = countersOf(mail, email, limits);
  const judgement = judge(mail, counters, await readCounts(counters, now));
  if (judgement.held !== undefined) return judgement;
  const counted = await Promise.all(counters.map((counter) => countMail(counter, now)));
  const held = counters[counted.indexOf(false)]?.kind;
  return held === undefined ? judgement : { held, isAbove: true };
}
