/**
 * Takes a registration out of the person's total over all events, because the account was deleted
 * (`docs/contract.md`, "Users"). What becomes of the registration later changes no total.
 */

import type { RequestContext } from "#kit/context.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { factOf } from "../record/registration.ts";
import { rewritten } from "../record/transition.ts";
import { membersOf } from "../store/change.ts";
import { type RegistrationKey, readRegistration } from "../store/store.ts";

/**
 * Does nothing with a registration that began after the deletion, or that is out of the total already.
 * @param deletedAt when the account was deleted, epoch milliseconds
 * @throws Contended UnknownOutcome
 */
export const takeOutOfTotal = (key: RegistrationKey, deletedAt: number, context: RequestContext): Promise<void> =>
  execute(
    {
      read: () => readRegistration(key, "strong"),
      decide(current): Decision<void> {
        const isMeant = current && current.status !== "deleted" && current.createdAt <= deletedAt;
        if (!isMeant || current.ofDeletedAccount) return answer(undefined);
        const after = { ...current, ...rewritten(context, current), ofDeletedAccount: true } as const;
        const message = { type: "registration.updated", data: factOf(after) } as const;
        return write(membersOf({ before: current, after, message }, context), undefined);
      },
    },
    context,
  );
