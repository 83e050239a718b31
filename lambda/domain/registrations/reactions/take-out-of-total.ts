/**
 * Removes a registration from the person's total over all events, and ends its ticket, because the account was deleted
 * (`docs/contract.md`, "Users"). Later changes of the registration do not affect the total.
 */

import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import { newTicketId } from "../links/ticket-code.ts";
import type { AuditRule } from "../record/acts.ts";
import { factOf, isOfBefore } from "../record/registration.ts";
import { rewritten } from "../record/transition.ts";
import { membersOf } from "../store/change.ts";
import { type RegistrationKey, readRegistration } from "../store/store.ts";

/** A new ticket, which is never sent: links and codes of before the deletion open nothing any more. */
const endOfAccount = () => ({ ofDeletedAccount: true, ticketId: newTicketId() }) as const;

/** What is done to the registrations of a deleted account. */
export interface Forgetting {
  /** When the account was deleted, epoch milliseconds. */
  readonly deletedAt: number;
  readonly audit: AuditRule;
}

/**
 * Does nothing if the registration is newer than the deletion, or removed from the total already.
 * @throws Contended UnknownOutcome
 */
export const takeOutOfTotal = (
  key: RegistrationKey,
  { deletedAt, audit }: Forgetting,
  context: RequestContext,
): Promise<void> =>
  execute(
    {
      read: () => readRegistration(key, "strong"),
      decide(current): Decision<void> {
        const isMeant = current && current.status !== "deleted" && isOfBefore(deletedAt, current);
        if (!isMeant || current.ofDeletedAccount) return answer(undefined);
        const after = { ...current, ...rewritten(context, current), ...endOfAccount() } as const;
        const message = { type: "registration.updated", data: factOf(after) } as const;
        const reason = "Deleted: the points no longer count in the total.";
        return write(membersOf({ before: current, after, message, audit, reason }, context), undefined);
      },
    },
    context,
  );
