/** Settles a payment of another amount or currency than asked for. It buys nothing and has to go back. */
import type { RequestContext } from "#kit/context.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import type { Purpose } from "./checkout.ts";
import { type ArrivedMoney, refundMessage } from "./money.ts";
import { putSettled, readSettlement, type Settlement } from "./store.ts";

/** @throws Contended UnknownOutcome the provider must send its event again */
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
