/** Keys, items and transactions of feedback. */
import type { RequestContext } from "#kit/context.ts";
import { answer, type Decision, type Depth, execute, write } from "#kit/execute.ts";
import { type Page, type PageRequest, queryPage } from "#kit/pages.ts";
import { type Key, type Query, type TransactItem, tableName } from "#kit/table.ts";
import { outboxRow } from "#outbox/store.ts";
import type { FormKey, SubmissionRecord } from "./submission.ts";

const partition = ({ eventID, year, formType }: FormKey): string => `FB#${eventID}#${year}#${formType}`;

/** The id differs with the event's incarnation, so a submission never meets one to an earlier event of the same name. */
const submissionKey = (submission: SubmissionRecord): Key => ({ PK: partition(submission), SK: submission.id });

/** The form's submissions to this creation of the event, in the order in which they arrived. */
const listOf = (form: FormKey): string => `${partition(form)}#${form.incarnation}`;

/** Takes the place of what the same person said earlier, never of what they have said since. */
const putSubmission = (submission: SubmissionRecord): TransactItem => ({
  Put: {
    TableName: tableName,
    Item: { ...submissionKey(submission), GSI1PK: listOf(submission), GSI1SK: submission.arrival, ...submission },
    ConditionExpression: "attribute_not_exists(PK) OR arrival < :arrival",
    ExpressionAttributeValues: { ":arrival": submission.arrival },
  },
});

/**
 * The email of who did it would undo what the keyed hash is for: the audit trail would tell, to the millisecond, who
 * said what.
 */
const unnamed = (context: RequestContext): RequestContext => ({ ...context, actor: "system" });

/** Stores a submission and tells of it, unless the person has replaced the submission already. */
export const storeSubmission = (submission: SubmissionRecord, context: RequestContext): Promise<void> => {
  const { eventID, year, formType } = submission;
  const message = { type: "feedback.submitted", data: { eventID, year, formType } } as const;
  return execute(
    {
      read: async (_depth: Depth, isReplaced = false) => isReplaced,
      decide: (isReplaced: boolean): Decision<void, boolean> => {
        if (isReplaced) return answer(undefined);
        const members = { submission: putSubmission(submission), message: outboxRow(message, unnamed(context)) };
        return write(members, undefined, (refused) => "submission" in refused);
      },
    },
    context,
  );
};

const newestFirst = (form: FormKey, after?: string): Query => ({
  IndexName: "GSI1",
  KeyConditionExpression: after === undefined ? "GSI1PK = :form" : "GSI1PK = :form AND GSI1SK < :after",
  ExpressionAttributeValues: { ":form": listOf(form), ...(after !== undefined && { ":after": after }) },
  ScanIndexForward: false,
});

/** @param after where the page before ended */
export const pageOfSubmissions = (form: FormKey, { limit, after }: PageRequest): Promise<Page<SubmissionRecord>> =>
  queryPage<SubmissionRecord>(newestFirst(form, after), { limit, sortKeyOf: ({ arrival }) => arrival });
