/** What people said about an event, question by question. Pure. */
import type { components } from "../../paths.ts";
import type { Bar } from "./at-door.ts";

type Submission = components["schemas"]["Submission"];
type Question = components["schemas"]["FeedbackQuestion"];

/** The question with which every form begins. */
export const overall: Question = {
  ...{ questionId: "overall-rating", label: "Overall rating", type: "LINEAR_SCALE", required: true },
  ...{ scaleMin: 1, scaleMax: 10 },
};

export interface Remark {
  readonly id: string;
  readonly text: string;
  /** Who said it, if they gave it, and whether they came. */
  readonly by: string;
}

/** Bars, with the mean of a scale; or texts. */
export type Answers =
  | { readonly kind: "bars"; readonly bars: readonly Bar[]; readonly mean?: number }
  | { readonly kind: "remarks"; readonly remarks: readonly Remark[] };

const cameText = { true: "came", false: "did not come", undefined: "" } as const;

const authorOf = ({ respondentName, respondentEmail, came }: Submission): string =>
  [respondentName ?? respondentEmail, cameText[`${came}`]].filter(Boolean).join(", ");

/** The answers to a question. Choices that the form no longer has are counted, too. */
export function answersTo(question: Question, submissions: readonly Submission[]): Answers {
  const { questionId, type, choices = [], scaleMin = 1, scaleMax = 10 } = question;
  const given = submissions.flatMap((submission) => {
    const answer = submission.responses[questionId];
    return answer === undefined ? [] : [{ submission, values: [answer].flat().map(String) }];
  });
  if (type === "SHORT_TEXT" || type === "LONG_TEXT") {
    const remarks = given.map(({ submission, values }) => ({
      ...{ id: submission.id, text: values.join(", "), by: authorOf(submission) },
    }));
    return { kind: "remarks", remarks };
  }
  const points = Array.from({ length: scaleMax - scaleMin + 1 }, (_, index) => String(scaleMin + index));
  const values = given.flatMap((one) => one.values);
  const labels = new Set([...(type === "LINEAR_SCALE" ? points : choices), ...values]);
  const bars = [...labels].map((label): Bar => [label, values.filter((value) => value === label).length]);
  const sum = values.reduce((so, value) => so + Number(value), 0);
  return { kind: "bars", bars, ...(type === "LINEAR_SCALE" && values.length > 0 && { mean: sum / values.length }) };
}

/** How many came of those who answered, as far as that is known. */
export const cameOf = (submissions: readonly Submission[]): readonly Bar[] => [
  ["came", submissions.filter(({ came }) => came === true).length],
  ["did not come", submissions.filter(({ came }) => came === false).length],
];
