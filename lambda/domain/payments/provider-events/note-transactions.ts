/** Notes the provider's transactions in the journal, those of other systems with the same account too: they all move its balance. */

import { writeOnce } from "#kit/table/execute.ts";
import type { Deadline } from "#kit/table/retry.ts";
import { putMovement, unnoted } from "../record/journal-store.ts";
import type { Movement } from "../record/movement.ts";
import { centsIn, fieldsOf, idIn, nameIn } from "../record/provider-fields.ts";

/** A transaction with its source: https://docs.stripe.com/api/balance_transactions/object. Undefined if it is none. */
function movementIn(transaction: object): Movement | undefined {
  const { id, type, amount, fee, currency, created, source } = fieldsOf(transaction);
  const [name, word, inCurrency] = [nameIn(id), nameIn(type), nameIn(currency)];
  const [cents, seconds] = [centsIn(amount), centsIn(created)];
  if (!name || !word || !inCurrency || cents === undefined || seconds === undefined) return undefined;
  const [payment, moved] = [idIn(fieldsOf(source).payment_intent), idIn(source)];
  return {
    ...{ id: name, at: seconds * 1_000, type: word, account: "provider", amount: cents, fee: centsIn(fee) ?? 0 },
    currency: inCurrency.toUpperCase(),
    ...(payment !== undefined && { payment }),
    ...(moved !== undefined && { source: moved }),
  };
}

/** Idempotent. @param transactions at most 100, the provider's page @throws Contended UnknownOutcome */
export async function noteTransactions(transactions: readonly object[], within: Deadline): Promise<void> {
  const movements = await unnoted(transactions.flatMap((object) => movementIn(object) ?? []));
  if (movements.length === 0) return;
  await writeOnce(Object.fromEntries(movements.map((movement) => [movement.id, putMovement(movement)])), within);
}
