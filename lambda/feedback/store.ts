/** Keys, items and transactions of feedback. */
import { type Page, type PageRequest, queryPage } from "#kit/pages.ts";
import { again } from "#kit/retry.ts";
import { commit, type Key, type Query, type TransactItem, tableName } from "#kit/table.ts";
import { type Origin, outboxRow } from "../outbox/store.ts";
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
const unnamed = (origin: Omit<Origin, "actor">): Origin => ({ ...origin, actor: "system" });

/** A step of `untilSettled`: stores a submission and tells of it. */
export async function storeSubmission(
  submission: SubmissionRecord,
  origin: Omit<Origin, "actor">,
): Promise<true | typeof again> {
  const { eventID, year, formType } = submission;
  const outcome = await commit({
    submission: putSubmission(submission),
    news: outboxRow({ type: "feedback.submitted", data: { eventID, year, formType } }, unnamed(origin)),
  });
  // Refused: an earlier try was carried out and only its answer got lost, or the person has replaced it already.
  return outcome.committed || "submission" in outcome.refused ? true : again;
}

const newestFirst = (form: FormKey, after?: string): Query => ({
  IndexName: "GSI1",
  KeyConditionExpression: after === undefined ? "GSI1PK = :form" : "GSI1PK = :form AND GSI1SK < :after",
  ExpressionAttributeValues: { ":form": listOf(form), ...(after !== undefined && { ":after": after }) },
  ScanIndexForward: false,
});

/** @param after where the page before ended */
export const pageOfSubmissions = (form: FormKey, { limit, after }: PageRequest): Promise<Page<SubmissionRecord>> =>
  queryPage<SubmissionRecord>(newestFirst(form, after), { limit, sortKeyOf: ({ arrival }) => arrival });
