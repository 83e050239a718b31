/** Money that is not what was asked for: nobody gets anything for it, and it goes back. */
import type { RequestContext } from "#kit/context.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import type { Purpose } from "./checkout.ts";
import { type ArrivedMoney, refundMessage } from "./money.ts";
import { putSettled, readSettlement, type Settlement } from "./store.ts";

/** @throws Contended UnknownOutcome the provider must bring the message again */
export const settleWrongAmount = (
  payment: ArrivedMoney,
  purpose: Purpose,
  context: RequestContext,
): Promise<Settlement> =>
  execute(
    {
      depth: "certain",
      read: () => readSettlement(payment.paymentId),
      decide: (before: Settlement | undefined): Decision<Settlement> => {
        if (before) return answer(before);
        const money = outboxRow(refundMessage(payment, purpose, "wrong amount"), context);
        return write({ money, payment: putSettled(payment, "refund") }, "refund");
      },
    },
    context,
  );
