/** Removes what a person entered in a registration of before the account's deletion (`docs/contract.md`, "Users"). */
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import { hasNoEntries, withoutEntries } from "../record/entries.ts";
import { factOf, registeredAtOf } from "../record/registration.ts";
import { rewritten } from "../record/transition.ts";
import { membersOf } from "../store/change.ts";
import { type RegistrationKey, readRegistration } from "../store/store.ts";

/**
 * Status, points, money and what counts seats stay. Does nothing if the registration is newer than the deletion, or has no
 * entries any more.
 * @param deletedAt when the account was deleted, epoch milliseconds
 * @throws Contended UnknownOutcome
 */
export const removeEntries = (key: RegistrationKey, deletedAt: number, context: RequestContext): Promise<void> =>
  execute(
    {
      read: () => readRegistration(key, "strong"),
      decide(current): Decision<void> {
        const isMeant = current && current.status !== "deleted" && registeredAtOf(current) <= deletedAt;
        if (!isMeant || (hasNoEntries(current) && current.fname === "")) return answer(undefined);
        const after = { ...withoutEntries(current), fname: "", ...rewritten(context, current) };
        const message = { type: "registration.updated", data: factOf(after) } as const;
        return write(membersOf({ before: current, after, message }, context), undefined);
      },
    },
    context,
  );
