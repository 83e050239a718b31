/**
 * Removes the author from signed feedback, and what the author wrote: after a deletion, and of past events where the stage
 * has it (`docs/contract.md`, "A person's data"). The ratings stay.
 */
import type { EventRecord } from "#domain/events/event.ts";
import { allEvents, endedBefore } from "#domain/events/list.ts";
import { endMark, markAnnounced, readEvent, withoutMark } from "#domain/events/store.ts";
import { type RequestContext, systemContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write, writeOnce } from "#kit/table/execute.ts";
import { retried } from "#kit/table/retry.ts";
import { drop, type Key } from "#kit/table/table.ts";
import { formOf, formTypes } from "./form.ts";
import { readSubmission, replaceSubmission, type SignedFeedback, signedFeedbackOf, submissionsOf } from "./store.ts";
import { formKey, isSigned, withoutAuthor } from "./submission.ts";

/**
 * Empties one submission, and drops what has led to it.
 * @param until epoch milliseconds; what was sent later stays
 * @throws Contended UnknownOutcome
 */
const empty = (signed: SignedFeedback, from: Key | undefined, until: number, context: RequestContext): Promise<void> =>
  execute(
    {
      read: async () => {
        const { eventID: id, year } = signed;
        const [submission, event] = await Promise.all([readSubmission(signed, signed.id), readEvent({ id, year })]);
        return { submission, event };
      },
      decide({ submission, event }): Decision<void> {
        if (submission && submission.submittedAt > until) return answer(undefined);
        const members = from ? { signature: drop(from, "last wins") } : {};
        if (!submission || !isSigned(submission)) return from ? write(members, undefined) : answer(undefined);
        const form = event ? formOf(event, signed.formType) : { feedbackQuestions: [] };
        const emptied = replaceSubmission(withoutAuthor(submission, form), submission);
        return write({ ...members, submission: emptied }, undefined);
      },
    },
    context,
  );

/**
 * Empties what a person has signed. Idempotent.
 * @param until epoch milliseconds; what was signed later stays, because the person has come back
 * @throws Contended UnknownOutcome
 */
export async function emptyFeedbackOf(email: string, until: number, context: RequestContext): Promise<void> {
  const all = await retried(() => signedFeedbackOf(email), context);
  for (const signed of all) await empty(signed, signed, until, context);
}

const markOf = endMark("feedback unsigned");

/** The signed submissions to the forms of an event. */
export async function signedSubmissionsOf(event: EventRecord) {
  const forms = await Promise.all(formTypes.map((formType) => submissionsOf(formKey(event, formType))));
  return forms.flat().filter(isSigned);
}

/**
 * Empties what people have signed about events that ended so many days ago, and notes it of each event.
 * @param now epoch milliseconds
 * @throws Contended UnknownOutcome the next run continues
 */
export async function emptyOldFeedback(days: number, now: number): Promise<void> {
  const context = systemContext("retention", now);
  for (const event of await withoutMark(endedBefore(await allEvents(), days, now), markOf)) {
    for (const submission of await signedSubmissionsOf(event)) await empty(submission, undefined, now, context);
    await writeOnce({ mark: markAnnounced(event, markOf(event), now) }, context);
  }
}
