/** Compares the table with the payment provider every night, and settles what the table lacks. */
import { providerLists } from "#domain/payments/provider/provider-lists.ts";
import { moneyProvider } from "#domain/payments/provider/refund-calls.ts";
import { reconcile } from "#domain/payments/provider-events/reconcile.ts";
import { log } from "#kit/log.ts";
import { deadlineWithin, type RemainingTime, systemContext } from "#kit/request/context.ts";

export async function handler(_event: unknown, lambda: RemainingTime = {}): Promise<void> {
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
}
