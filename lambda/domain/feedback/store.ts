/** Keys, items and transactions of feedback. */

import { limits, onceMore } from "#domain/people/once-more.ts";
import { allOf, itemsBeginning, type Page, type PageRequest, queryItems, queryPage } from "#kit/lists/pages.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import { getRecord, type Key, listFromEnd, put, putIf, type TransactItem, type Transaction } from "#kit/table/table.ts";
import { outboxRow } from "#outbox/store.ts";
import { keyOf, partitionOf, prefixOf } from "#outbox/stored-kinds.ts";
import { type FormKey, isSigned, type SubmissionRecord } from "./submission.ts";

/** What keys name of a form. */
const namesOf = ({ eventID: id, year, formType: form }: FormKey) => ({ id, year, form });

/** The id depends on the generation, so a submission never replaces one for an earlier generation of the event. */
export const submissionKey = (form: FormKey & Pick<SubmissionRecord, "id">): Key =>
  keyOf("feedback", { ...namesOf(form), hash: form.id });

/** The list of the form's submissions to this generation of the event, in order of arrival. */
const listOf = (form: FormKey): string => `${partitionOf("feedback", namesOf(form))}#${form.generation}`;

const submissionItem = (submission: SubmissionRecord) => ({
  ...submissionKey(submission),
  GSI1PK: listOf(submission),
  GSI1SK: submission.arrival,
  ...submission,
});

/** What leads from a person to a submission that the person has signed, or that is signed with the person's email. */
export interface SignedFeedback extends FormKey {
  readonly id: string;
}

const signedKey = (email: string, signed: SignedFeedback): Key =>
  keyOf("signed feedback", { email, ...namesOf(signed), hash: signed.id });

/** The signed submissions of a person. Unsigned ones lead to no person. */
export const signedFeedbackOf = (email: string): Promise<(SignedFeedback & Key)[]> =>
  allOf(
    queryItems<SignedFeedback>(itemsBeginning(partitionOf("signed feedback", { email }), prefixOf("signed feedback"))),
  );

/** The members that note whose a signed submission is. @param author the email of the person who sends it, if it is known */
export function signatures(submission: SubmissionRecord, author?: string): Transaction {
  if (!isSigned(submission)) return {};
  const { eventID, year, generation, formType, id, respondentEmail } = submission;
  const signed: SignedFeedback = { eventID, year, generation, formType, id };
  const people = new Set([author, respondentEmail].flatMap((email) => email ?? []));
  return Object.fromEntries(
    [...people].map((email, at) => [
      `signed${at}`,
      put({ ...signedKey(email, signed), ...signed }, "beside a condition"),
    ]),
  );
}

/** What a person has submitted to a form, if anything. */
export const readSubmission = (form: FormKey, id: string): Promise<SubmissionRecord | undefined> =>
  getRecord<SubmissionRecord>(submissionKey({ ...form, id }), "strong");

const showsStored = { ReturnValuesOnConditionCheckFailure: "ALL_OLD" } as const;

/**
 * Replaces an earlier submission of the same person. Refused when the stored submission is later, or was counted so
 * recently that its count goes on.
 */
export const putSubmission = (submission: SubmissionRecord): TransactItem<SubmissionRecord> =>
  putIf(submissionItem(submission), {
    ConditionExpression:
      "attribute_not_exists(PK) OR (arrival < :arrival AND (attribute_not_exists(again) OR again.since <= :over))",
    ExpressionAttributeValues: {
      ":arrival": submission.arrival,
      ":over": submission.submittedAt - limits.sendFeedback.within,
    },
    ...showsStored,
  });

/** Replaces a submission. Refused when the stored one has changed since it was read. */
export const replaceSubmission = (
  submission: SubmissionRecord,
  read: SubmissionRecord,
): TransactItem<SubmissionRecord> =>
  putIf(submissionItem(submission), {
    ConditionExpression: "arrival = :read",
    ExpressionAttributeValues: { ":read": read.arrival },
    ...showsStored,
  });

/**
 * Makes the message anonymous. With the author's email, the audit trail would show who sent which submission, because
 * their times match, and the keyed hash would be pointless.
 */
const unnamed = (context: RequestContext): RequestContext => ({ ...context, actor: "system" });

/**
 * Stores a submission with its message. Does nothing if the person has already sent a later submission. Only one that
 * corrects a recent one is written at the second try, because a refusal shows the stored count.
 * @param author the person's email, which is stored only beside a signed one
 * @throws TooOften
 */
export const storeSubmission = (
  submission: SubmissionRecord,
  author: string,
  context: RequestContext,
): Promise<void> => {
  const { eventID, year, formType, arrival, submittedAt } = submission;
  const message = { type: "feedback.submitted", data: { eventID, year, formType } } as const;
  type Stored = SubmissionRecord | undefined;
  return execute(
    {
      read: async (stored: Stored) => stored,
      decide: (stored: Stored): Decision<void, Stored> => {
        if (stored && stored.arrival >= arrival) return answer(undefined);
        const counted = { ...submission, again: onceMore("sendFeedback", stored?.again, submittedAt) };
        const members = {
          submission: stored ? replaceSubmission(counted, stored) : putSubmission(counted),
          ...signatures(counted, author),
          message: outboxRow(message, unnamed(context)),
        };
        return write(members, undefined, (refused) => (refused.submission as Stored | null) ?? undefined);
      },
    },
    context,
  );
};

/** All submissions to a form, newest first. */
export const submissionsOf = (form: FormKey): Promise<SubmissionRecord[]> =>
  allOf(queryItems<SubmissionRecord>(listFromEnd(listOf(form))));

/** Newest first. `after` is the sort key at which the previous page ended. */
export const pageOfSubmissions = (form: FormKey, { limit, after }: PageRequest): Promise<Page<SubmissionRecord>> =>
  queryPage<SubmissionRecord>(listFromEnd(listOf(form), after), { limit, sortKeyOf: ({ arrival }) => arrival });
