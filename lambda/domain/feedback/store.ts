/** Keys, items and transactions of feedback. */
import type { RequestContext } from "#kit/context.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { type Page, type PageRequest, queryPage } from "#kit/pages.ts";
import { type Key, listFromEnd, putIf, type TransactItem } from "#kit/table.ts";
import { outboxRow } from "#outbox/store.ts";
import type { FormKey, SubmissionRecord } from "./submission.ts";

const partition = ({ eventID, year, formType }: FormKey): string => `FB#${eventID}#${year}#${formType}`;

/** The id depends on the generation, so a submission never replaces one for an earlier generation of the event. */
export const submissionKey = (submission: SubmissionRecord): Key => ({ PK: partition(submission), SK: submission.id });

/** The list of the form's submissions to this generation of the event, in order of arrival. */
const listOf = (form: FormKey): string => `${partition(form)}#${form.generation}`;

const submissionItem = (submission: SubmissionRecord) => ({
  ...submissionKey(submission),
  GSI1PK: listOf(submission),
  GSI1SK: submission.arrival,
  ...submission,
});

/** Replaces an earlier submission of the same person. Refused when the stored submission is later. */
export const putSubmission = (submission: SubmissionRecord): TransactItem =>
  putIf(submissionItem(submission), {
    ConditionExpression: "attribute_not_exists(PK) OR arrival < :arrival",
    ExpressionAttributeValues: { ":arrival": submission.arrival },
  });

/** Replaces a submission. Refused when the stored one has changed since it was read. */
export const replaceSubmission = (submission: SubmissionRecord, read: SubmissionRecord): TransactItem =>
  putIf(submissionItem(submission), {
    ConditionExpression: "arrival = :read",
    ExpressionAttributeValues: { ":read": read.arrival },
  });

/**
 * Makes the message anonymous. With the author's email, the audit trail would show who sent which submission, because
 * their times match, and the keyed hash would be pointless.
 */
const unnamed = (context: RequestContext): RequestContext => ({ ...context, actor: "system" });

/** Stores a submission with its message. Does nothing if the person has already sent a later submission. */
export const storeSubmission = (submission: SubmissionRecord, context: RequestContext): Promise<void> => {
  const { eventID, year, formType } = submission;
  const message = { type: "feedback.submitted", data: { eventID, year, formType } } as const;
  return execute(
    {
      read: async (isReplaced = false) => isReplaced,
      decide: (isReplaced: boolean): Decision<void, boolean> => {
        if (isReplaced) return answer(undefined);
        const members = { submission: putSubmission(submission), message: outboxRow(message, unnamed(context)) };
        return write(members, undefined, (refused) => "submission" in refused);
      },
    },
    context,
  );
};

/** Newest first. `after` is the sort key at which the previous page ended. */
export const pageOfSubmissions = (form: FormKey, { limit, after }: PageRequest): Promise<Page<SubmissionRecord>> =>
  queryPage<SubmissionRecord>(listFromEnd(listOf(form), after), { limit, sortKeyOf: ({ arrival }) => arrival });
