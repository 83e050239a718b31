/** Writes feedback submissions and prizes, without messages. */
import { putSubmission, replaceSubmission, submissionKey } from "#domain/feedback/store.ts";
import type { SubmissionRecord } from "#domain/feedback/submission.ts";
import type { PrizeRecord } from "#domain/prizes/prize.ts";
import { prizeKey, putNewPrize, replacePrize } from "#domain/prizes/store.ts";
import { type Item, recordOf } from "#kit/table/table.ts";
import { fingerprintOfStored } from "../fingerprint.ts";
import type { MappedSubmission } from "../map/feedback.ts";
import { eventName } from "../map/keys.ts";
import type { Mapping } from "../survey.ts";
import { verdictOn } from "../verdict.ts";
import type { Plan } from "./batches.ts";
import { type Note, noteKey, putNote } from "./notes.ts";

export const prizePlan = ({ now }: Pick<Mapping, "now">): Plan<PrizeRecord> => ({
  most: 40,
  keysOf: ({ name }) => [prizeKey(name), noteKey("prizes", name)],
  decide({ record, name, source, updatedAt }, find) {
    const stored = find(prizeKey(name)) as unknown as (PrizeRecord & Item) | undefined;
    const note = find(noteKey("prizes", name)) as unknown as Note | undefined;
    const verdict = verdictOn({ source, updatedAt }, note, stored && fingerprintOfStored(stored));
    const noted = (prize: PrizeRecord) =>
      putNote("prizes", name, { source, updatedAt, written: fingerprintOfStored(prize) }, now);
    const times = { createdAt: record.createdAt || now, updatedAt: record.updatedAt || now };
    if (verdict === "new") {
      const prize = { ...record, ...times };
      return { verdict, members: { prize: putNewPrize(prize), note: noted(prize) } };
    }
    if (verdict !== "update" || !stored) return { verdict, members: {} };
    const read = recordOf<PrizeRecord>(stored);
    const prize = {
      ...record,
      ...times,
      createdAt: read.createdAt,
      generation: read.generation,
      version: read.version + 1,
    } as PrizeRecord;
    return { verdict, members: { prize: replacePrize(prize, read), note: noted(prize) } };
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
    decide({ record, name, source, updatedAt }, find) {
      const submission = submissionOf(record);
      if (submission.generation === "" && !dry) return { verdict: "deleted here", members: {} };
      const stored = find(submissionKey(submission)) as unknown as (SubmissionRecord & Item) | undefined;
      const note = find(noteKey("feedback", name)) as unknown as Note | undefined;
      const verdict = verdictOn({ source, updatedAt }, note, stored && fingerprintOfStored(stored));
      const remembered = { source, updatedAt, written: fingerprintOfStored(submission) };
      const members = { note: putNote("feedback", name, remembered, now) };
      if (verdict === "new") return { verdict, members: { ...members, submission: putSubmission(submission) } };
      if (verdict !== "update" || !stored) return { verdict, members: {} };
      return { verdict, members: { ...members, submission: replaceSubmission(submission, stored) } };
    },
  };
};
