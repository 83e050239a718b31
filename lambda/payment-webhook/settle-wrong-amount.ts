/** Money that is not what was asked for: nobody gets anything for it, and it goes back. */
import { again, untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import { type Origin, outboxRow } from "../outbox/store.ts";
import type { Purpose } from "../payments/checkout.ts";
import { type ArrivedMoney, refundNews } from "../payments/money.ts";
import { putSettled, readSettlement, type Settlement } from "../payments/store.ts";

/** @throws Contended UnknownOutcome the provider must bring the news again */
export const settleWrongAmount = (payment: ArrivedMoney, purpose: Purpose, origin: Origin): Promise<Settlement> =>
  untilSettled(async () => {
    const { committed } = await commit({
      money: outboxRow(refundNews(payment, purpose, "wrong amount"), origin),
      payment: putSettled(payment, "refund"),
    });
    return committed ? "refund" : ((await readSettlement(payment.paymentId)) ?? again);
  });
