import type { SubmissionRecord } from "#domain/feedback/submission.ts";
import type { Submission } from "./schemas.ts";

/** A submission as the API answers it: without the fields that only the service needs. */
export const submissionAnswer = (record: SubmissionRecord): Submission => ({
  id: record.id,
  eventID: record.eventID,
  year: record.year,
  formType: record.formType,
  submittedAt: record.submittedAt,
  responses: record.responses as Submission["responses"],
  came: record.came,
  respondentName: record.respondentName,
  respondentEmail: record.respondentEmail,
});
