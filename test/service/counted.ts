/** What the functions of a stage have counted for the business metrics, read from the lines that they printed. */
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { expect } from "@jest/globals";
import { type EmfLine, readEmf } from "../emf.ts";
import type { ServiceStage } from "./stage.ts";

type Counts = Record<string, number>;

/** Milliseconds that a printed line may take to this process. */
const patience = 5_000;

const linesOf = ({ logs }: Pick<ServiceStage, "logs">): EmfLine[] => logs.flatMap(({ text }) => readEmf(text) ?? []);

/** The sum of each metric; without the runs of the sweeper, which the clock makes. */
export function countedIn(stage: Pick<ServiceStage, "logs">): Counts {
  const sums: Counts = {};
  for (const [name, values] of linesOf(stage).flatMap(({ values }) => Object.entries(values))) {
    if (name !== "SweeperRuns") sums[name] = values.reduce((sum, value) => sum + value, sums[name] ?? 0);
  }
  return sums;
}

/** The counts, with the mails that are in the mailbox and not counted. */
function countsOf(stage: ServiceStage): Counts {
  const { MailsSent = 0, ...counts } = countedIn(stage);
  return { ...counts, uncountedMails: stage.mailbox.list().length - MailsSent };
}

/** Polls, because a line that is printed reaches this process a moment later. */
async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + patience; !holds() && Date.now() < end; ) await pause(10);
}

/**
 * Follows the counts of a stage from now on. All mails in its mailbox must come from functions.
 * @returns a function that demands exactly these counts since the beginning, none less and none more, and that each
 * mail is counted once
 */
export async function givenCounter(stage: ServiceStage): Promise<(expected: Counts) => Promise<void>> {
  await stage.settled();
  await until(() => countsOf(stage).uncountedMails === 0);
  const before = countsOf(stage);
  const since = (): Counts => {
    const differences = Object.entries(countsOf(stage)).map(
      ([name, sum]) => [name, sum - (before[name] ?? 0)] as const,
    );
    return Object.fromEntries(differences.filter(([, difference]) => difference !== 0));
  };
  return async (expected) => {
    await stage.settled();
    await until(() => isDeepStrictEqual(since(), expected));
    expect([before.uncountedMails, since()]).toEqual([0, expected]);
  };
}
