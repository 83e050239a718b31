/**
 * Runs of the capacity protocol that have failed, and states that random orders rarely reach. Each run is made twice: as
 * the product is, and without the rule that protects the state. The second one must fail, which shows that the run still
 * reaches its state.
 */
import {
  closedAtOtherTimes,
  goneEventNotRepaired,
  mutantNamed,
  placeReadLate,
  tokenLeftOpen,
  toldOwnWrite,
  unknownAsConflict,
} from "./mutants.ts";
import type { KnownRun } from "./suite.ts";

const anotherToken = mutantNamed("a transaction without an answer is sent again under another token").make;

export const knownRuns: readonly KnownRun[] = [
  {
    state: "a person leaves, the answer gets lost, the person registers again, and the departure is sent again",
    situation: "leaving and coming again",
    turns: ["0 leave a: TransactWrite -> lost", "1 register a: TransactWrite"],
    without: { make: anotherToken, breaks: ["ENDED_TWO"] },
  },
  {
    state:
      "a person leaves, the answer gets lost, and the person joins the line of a deleted event and is taken out of it",
    situation: "a whole life",
    turns: [
      ...["0 register a: TransactWrite", "1 register b: TransactWrite", "2 register c: TransactWrite"],
      ...["7 leave a: TransactWrite -> lost", "12 register a: BatchGet", "10 delete: TransactWrite"],
      ...["12 register a: TransactWrite", "12 register a: TransactWrite"],
    ],
    without: { make: anotherToken, breaks: ["TOLD_NOT_FOUND_BUT_LEFT"] },
  },
  {
    state: "a try without an answer is carried out after a later try of the same transaction is refused",
    situation: "answers come late",
    turns: [
      ...["0 register b: BatchGet", "2 register d: TransactWrite -> late", "0 register b: TransactWrite"],
      ...["2 register d: pause", "2 register d: TransactWrite", "3 leave a: TransactWrite"],
      "2 register d: TransactWrite, late",
    ],
    without: { make: tokenLeftOpen, breaks: ["TOLD_DUPLICATE_BUT_IS_IN", "UNFOUNDED_DUPLICATE"] },
  },
  {
    state: "a PATCH is carried out, its answer gets lost, and no later try arrives until the deadline",
    situation: "people give up",
    turns: ["3 change: TransactWrite -> lost", "3 change", "3 change -> failed", "3 change", "3 change -> failed"],
    pause: 9_000,
    without: { make: unknownAsConflict, breaks: ["TOLD_503_BUT_CHANGED"] },
  },
  {
    state: "a person joins the line after a PATCH has changed the mode and looked at the line",
    situation: "terms: it takes applications from now on, and people join",
    turns: [
      ...["1 register c: TransactWrite", "3 register d: BatchGet", "4 leave c: TransactWrite"],
      ...["2 change: TransactWrite", "2 change: Query WAIT#model#2030", "3 register d: TransactWrite"],
    ],
    without: { make: mutantNamed("no check of the terms after joining").make, breaks: ["WAITS_UNDER_OTHER_TERMS"] },
  },
  {
    state: "a person of a crowd gets a seat after the last look at the registration",
    situation: "a crowd: all queue at once, one leaves",
    turns: [
      ...["0 register a: TransactWrite", "2 register c: BatchGet"],
      ...["1 register b: TransactWrite", "0 register a: TransactWrite", "2 register c: TransactWrite"],
      ...["2 register c: BatchGet", "2 register c: BatchGet", "3 leave a: TransactWrite"],
    ],
    without: { make: placeReadLate, breaks: ["NEVER_WAS_waitlist"] },
  },
  {
    state: "an admin's decision meets conflicts",
    situation: "whole: points for one who was cancelled and comes again",
    turns: ["0 decide a: TransactWrite -> conflict", "0 decide a: TransactWrite -> conflict"],
    without: {
      make: mutantNamed("an admin's decision joins the line because of conflicts").make,
      breaks: ["HALF_DONE"],
    },
  },
  {
    state: "a token is closed twice, because the first answer gets lost",
    situation: "answers come late",
    turns: [
      ...["0 register b: BatchGet", "2 register d: TransactWrite -> late", "0 register b: TransactWrite"],
      ...["2 register d: pause", "2 register d: TransactWrite", "2 register d: TransactWrite -> lost"],
    ],
    without: { make: closedAtOtherTimes, breaks: ["NEVER_WAS_registered", "TOLD_IN_BUT_IS_NOT"] },
  },
  {
    state: "a token of a transaction for a held seat is closed twice",
    situation: "a crowd: a price, answers get lost",
    turns: [
      ...["2 register c: TransactWrite -> late", "0 register a: Update SEAT#model#2030#00"],
      ...["2 register c: TransactWrite", "2 register c: TransactWrite -> lost"],
    ],
    without: { make: closedAtOtherTimes, breaks: ["NEVER_WAS_incomplete", "TOLD_IN_BUT_IS_NOT"] },
  },
  {
    state: "a person joins the line of a deleted event, and vanishes before the look at the seats",
    situation: "deleting, somebody who joins vanishes",
    turns: [
      ...["1 register c: TransactWrite", "0 register b: BatchGet", "2 delete: TransactWrite"],
      ...["0 register b: TransactWrite", "0 register b -> vanish"],
    ],
    without: { make: goneEventNotRepaired, breaks: ["WAITS_FOR_A_DELETED_EVENT"] },
  },
  {
    state: "a person joins the line of an event that was deleted and created again, and vanishes before the look",
    situation: "deleting and creating again",
    turns: [
      ...["2 register c: BatchGet", "0 delete: TransactWrite", "1 create: TransactWrite"],
      ...["2 register c: TransactWrite", "2 register c -> vanish"],
    ],
    without: { make: goneEventNotRepaired, breaks: ["WAITS_FOR_A_DELETED_EVENT"] },
  },
  {
    state: "a person in line changes the answers, and moves up by it",
    situation: "answers: somebody who waits wants something else",
    turns: ["0 answer x: TransactWrite", "0 answer x: TransactWrite"],
    without: { make: toldOwnWrite, breaks: ["NEVER_WAS_waitlist"] },
  },
];
