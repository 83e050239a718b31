/** Records a fact about a payment: of a refund, a dispute or a payout. */

import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import { treasurersTypes } from "#outbox/catalogue.ts";
import { newsOf } from "./news.ts";
import { isSettled, type StoredPayment } from "./payment.ts";
import { changeMembers, readPayment, toldOf } from "./payment-store.ts";

const unknown: StoredPayment = { version: 0 };

interface Changed {
  readonly before: StoredPayment;
  readonly after: StoredPayment;
}

/**
 * Applies a pure change. A payment that is not settled yet, or was made by another system of the club, is created.
 * @param name of the payment
 * @param change returns the same object when nothing is new
 * @param ask what the change depends on. It is asked after the payment is read, which must be unchanged when it is written: of two
 * answers the later one stays.
 * @returns whether something was
 * @throws Contended UnknownOutcome
 */
export async function changePayment<Told = undefined>(
  name: string,
  change: (payment: StoredPayment, told: Told) => StoredPayment,
  context: RequestContext,
  ask?: () => Promise<Told>,
): Promise<boolean> {
  const changed = await execute(
    {
      async read(): Promise<{ readonly stored: StoredPayment | undefined; readonly told: Told }> {
        const stored = await readPayment(name);
        return { stored, told: (await ask?.()) as Told };
      },
      decide: ({ stored, told }): Decision<Changed | undefined> => {
        const before = stored ?? unknown;
        const after = change(before, told);
        if (after === before) return answer(undefined);
        return write(changeMembers(name, stored, after, context), { before, after });
      },
    },
    context,
  );
  if (changed && isSettled(changed.after)) {
    const types = newsOf(toldOf(changed.before), changed.after).map(({ type }) => type);
    const alarming = types.filter((type) => treasurersTypes.some((one) => one === type));
    if (alarming.length > 0) log.warn("money for the treasurer", { payment: name, news: alarming });
  }
  return changed !== undefined;
}
