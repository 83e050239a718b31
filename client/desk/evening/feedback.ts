/** What people said about an event, question by question. Pure. */
import type { components } from "../../paths.ts";
import type { Bar } from "./at-door.ts";

export type Submission = components["schemas"]["Submission"];
type Question = components["schemas"]["FeedbackQuestion"];

/** The question with which every form begins. */
export const overall: Question = {
  ...{ questionId: "overall-rating", label: "Overall rating", type: "LINEAR_SCALE", required: true },
  ...{ scaleMin: 1, scaleMax: 10 },
};

const cameText = { true: "came", false: "did not come", undefined: "" } as const;

/** The answers to a question: texts with their authors, or bars with the mean of a scale, also of choices that are gone. */
export function answersTo(question: Question, submissions: readonly Submission[]) {
  const { questionId, type, choices = [], scaleMin = 1, scaleMax = 10 } = question;
  const given = submissions.flatMap(({ responses, ...one }) =>
    [responses[questionId] ?? []].flat().map((value) => ({ ...one, text: String(value) })),
  );
  if (type === "SHORT_TEXT" || type === "LONG_TEXT") {
    const authorOf = ({ respondentName, respondentEmail, came }: (typeof given)[number]) =>
      [respondentName ?? respondentEmail, cameText[`${came}`]].filter(Boolean).join(", ");
    return { remarks: given.map((one) => ({ id: one.id, text: one.text, by: authorOf(one) })) };
  }
  const isScale = type === "LINEAR_SCALE";
  const points = Array.from({ length: scaleMax - scaleMin + 1 }, (_, index) => String(scaleMin + index));
  const labels = new Set([...(isScale ? points : choices), ...given.map(({ text }) => text)]);
  const bars = [...labels].map((label): Bar => [label, given.filter(({ text }) => text === label).length]);
  const sum = given.reduce((so, { text }) => so + Number(text), 0);
  return { bars, mean: isScale && given.length > 0 ? sum / given.length : undefined };
}

/** How many came of those who answered, as far as that is known. */
export const cameOf = (submissions: readonly Submission[]): readonly Bar[] =>
  ([true, false] as const).map((is) => [cameText[`${is}`], submissions.filter(({ came }) => came === is).length]);
