/** Writes feedback submissions and prizes, without messages. */
import { putSubmission, signatures, submissionKey } from "#domain/feedback/store.ts";
import type { SubmissionRecord } from "#domain/feedback/submission.ts";
import type { PrizeRecord } from "#domain/prizes/prize.ts";
import { prizeKey, putNewPrize } from "#domain/prizes/store.ts";
import type { MappedSubmission } from "../map/feedback.ts";
import { eventName } from "../map/keys.ts";
import type { Mapping } from "../source/survey.ts";
import type { Plan } from "./batches.ts";
import { noteKey, putNote } from "./notes.ts";
import { verdictOn } from "./verdict.ts";

export const prizePlan = ({ now }: Pick<Mapping, "now">): Plan<PrizeRecord> => ({
  most: 40,
  keysOf: ({ name }) => [prizeKey(name), noteKey("prizes", name)],
  decide({ record, name }, find) {
    const verdict = verdictOn(find(noteKey("prizes", name)), find(prizeKey(name)));
    if (verdict !== "new") return { verdict, members: {} };
    const prize = { ...record, createdAt: record.createdAt || now, updatedAt: record.updatedAt || now };
    return { verdict, members: { prize: putNewPrize(prize), note: putNote("prizes", name, now) } };
  },
});

/** @param dry in a dry run the event may not exist yet */
export const feedbackPlan = (
  { events, now }: Pick<Mapping, "events" | "now">,
  dry: boolean,
): Plan<MappedSubmission> => {
  const submissionOf = (record: MappedSubmission): SubmissionRecord => {
    const { event } = events.get(eventName({ id: record.eventID, year: record.year })) ?? {};
    return { ...record, submittedAt: record.submittedAt || now, generation: event?.generation ?? "" };
  };
  return {
    most: 40,
    keysOf: ({ record, name }) => [submissionKey(submissionOf(record)), noteKey("feedback", name)],
    decide({ record, name }, find) {
      const submission = submissionOf(record);
      if (submission.generation === "" && !dry) return { verdict: "deleted here", members: {} };
      const verdict = verdictOn(find(noteKey("feedback", name)), find(submissionKey(submission)));
      if (verdict !== "new") return { verdict, members: {} };
      return {
        verdict,
        members: {
          note: putNote("feedback", name, now),
          submission: putSubmission(submission),
          ...signatures(submission),
        },
      };
    },
  };
};
