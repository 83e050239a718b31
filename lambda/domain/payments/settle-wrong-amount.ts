/** Settles a payment of another amount or currency than asked for. It buys nothing and has to go back. */
import type { RequestContext } from "#kit/context.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import type { Checkout } from "./checkout.ts";
import { type ArrivedMoney, refundMessage } from "./money.ts";
import { dropForm, putSettled, readSettlement, type Settlement } from "./store.ts";

/** @throws Contended UnknownOutcome the provider must send its event again */
export const settleWrongAmount = (
  payment: ArrivedMoney,
  checkout: Pick<Checkout, "id" | "purpose">,
  context: RequestContext,
): Promise<Settlement> =>
  execute(
    {
      read: () => readSettlement(payment.paymentId),
      decide: (before: Settlement | undefined): Decision<Settlement> => {
        if (before) return answer(before);
        const { purpose } = checkout;
        const money = outboxRow(refundMessage(payment, purpose, "wrong amount"), context);
        const form = purpose.kind === "membership" && { form: dropForm(checkout) };
        return write({ money, payment: putSettled(payment, "refund"), ...form }, "refund");
      },
    },
    context,
  );
