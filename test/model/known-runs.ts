/**
 * Every run of the capacity protocol that has ever failed. A seed finds the same run as long as the product makes the
 * same calls. After a change it is one more random run.
 */
import type { KnownRun } from "./suite.ts";

export const knownRuns: readonly KnownRun[] = [
  { situation: "a whole life", seed: -2_079_780_393, path: "888" },
  { situation: "a whole life", seed: 37_044_980, path: "486" },
  { situation: "a whole life", seed: 808_900_345, path: "348" },
  { situation: "a whole life", seed: 1_888_507_829, path: "162" },
  { situation: "a whole life", seed: 1_113_023_029, path: "20" },
  // A try without an answer was carried out after a later try of the same transaction was refused.
  {
    situation: "a rush with departures and changes",
    seed: 11,
    path: "1144",
    without: {
      make: () => ({ seam: { closing: async () => false } }),
      breaks: ["TOLD_DUPLICATE_BUT_IS_IN", "UNFOUNDED_DUPLICATE"],
    },
  },
  // A PATCH with an unknown outcome, and a person who joined while the event changed its mode.
  { situation: "people give up", seed: 1_993_308_232, path: "637" },
  { situation: "terms: it takes applications from now on, and people join", seed: 1_993_308_232, path: "76" },
  // A person of a crowd was told of the line after the seat was given: the place was read after the registration.
  { situation: "a rush with departures and changes", seed: 1_956_843_604, path: "150" },
  { situation: "people give up", seed: 1_956_843_604, path: "524" },
  { situation: "a crowd: all queue at once, one leaves", seed: 1_956_843_604, path: "82" },
  { situation: "answers come late", seed: 1_956_843_604, path: "944" },
  // An admin's decision met conflicts, joined the line, and was done in two halves.
  { situation: "whole: points for one who was cancelled and comes again", seed: 1_956_843_604, path: "56" },
  // The second closing of a token had another time in it, and looked like a commit.
  { situation: "answers come late", seed: 1_200_349_761, path: "580" },
  { situation: "a crowd: a price, answers get lost", seed: 1_200_349_761, path: "593" },
];
