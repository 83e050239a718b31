import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, type Keep, write } from "#kit/table/execute.ts";
import type { Transaction } from "#kit/table/table.ts";
import { personAudit } from "../audited.ts";
import type { Held } from "./granting.ts";
import type { MemberRecord } from "./member.ts";
import { markUser, moveEnd, moveNote, readHeld, removeMember, replaceMember } from "./store.ts";
import { withoutTermOf } from "./terms.ts";
import { termsOfStage } from "./terms-of-stage.ts";

interface Ending {
  readonly email: string;
  /** Only the term that this payment has paid ends. Absent: the whole membership. */
  readonly paidBy?: { readonly paymentId: string; readonly settledAt: number };
  /** Reads for changes of other records in the same transaction. */
  readonly beside?: () => Promise<Transaction>;
}

type Facts = Held & { readonly beside?: Transaction | undefined };

/** Ends a membership, or one term of it. Account and profile are kept. @returns whether there was one */
export const endMember = (
  { email, paidBy, beside }: Ending,
  context: RequestContext,
  keep?: Keep<boolean>,
): Promise<boolean> =>
  execute(
    {
      keep,
      read: async (): Promise<Facts> => ({ ...(await readHeld(email)), beside: await beside?.() }),
      decide({ member, user, beside: more }: Facts): Decision<boolean> {
        const left = member && (paidBy ? withoutTermOf(member, paidBy, termsOfStage.rule) : "ends");
        if (!member || left === undefined) return answer(false);
        if (left !== "ends") {
          const after: MemberRecord = { ...member, ...left, updatedAt: context.now };
          const shorter = {
            ...more,
            member: replaceMember(after, member),
            ...moveEnd({ member, user }, after, context.now),
            audit: personAudit(["membership", "updated"], { email, before: member, after }, context),
          };
          return write(shorter, true);
        }
        const members = {
          ...more,
          member: removeMember(member),
          ...moveNote(email, member, undefined),
          user: markUser(email, user, { isMember: false, now: context.now }),
          audit: personAudit(["membership", "deleted"], { email, before: member }, context),
          ...(user?.isMember && {
            userAudit: personAudit(
              ["account", "updated"],
              { email, before: user, after: { ...user, isMember: false, memberUntil: undefined } },
              context,
            ),
          }),
        };
        return write(members, true);
      },
    },
    context,
  );

/** @throws NotFound */
export async function deleteMember(email: string, context: RequestContext): Promise<void> {
  if (!(await endMember({ email }, context))) throw new NotFound("Member");
}
