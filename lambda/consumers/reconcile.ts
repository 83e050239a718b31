/** Every night: ends memberships, then compares the table with the payment provider and settles what the table lacks. */

import { providerLists } from "#domain/payments/provider/provider-lists.ts";
import { moneyProvider } from "#domain/payments/provider/refund-calls.ts";
import { reconcile } from "#domain/payments/provider-events/reconcile.ts";
import { keepTerms } from "#domain/people/members/keep-terms.ts";
import { log } from "#kit/log.ts";
import { deadlineWithin, type RemainingTime, systemContext } from "#kit/request/context.ts";

/** Milliseconds of a run for memberships. The next run goes on. */
const forMemberships = 240_000;

async function keepMemberships(now: number, lambda: RemainingTime): Promise<boolean> {
  const { failed, isComplete, ...kept } = await keepTerms(
    systemContext("memberships", now, deadlineWithin(lambda, forMemberships)),
  );
  if (kept.reminded + kept.ended + failed > 0) log.info("memberships kept", { ...kept, failed });
  return isComplete;
}

export async function handler(_event: unknown, lambda: RemainingTime = {}): Promise<void> {
  // The books are read whatever became of it.
  const areKept = await keepMemberships(Date.now(), lambda).catch((error: unknown) => {
    log.error("memberships not kept", { because: String(error) });
    return false;
  });
  const context = systemContext("reconciliation", Date.now(), deadlineWithin(lambda, Number.POSITIVE_INFINITY));
  try {
    const reconciled = await reconcile({ ...providerLists, ...moneyProvider }, context);
    log.info("reconciled", { ...reconciled });
    if (!reconciled.isComplete) throw new Error("The time is over. The next run goes on.");
  } catch (error) {
    // The alarm counts these lines. Lambda repeats the run twice.
    log.warn("money for the treasurer", { because: "reconciliation not complete" });
    throw error;
  }
  if (!areKept) throw new Error("Memberships are left. The next run goes on.");
}
