import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, type Keep, write } from "#kit/table/execute.ts";
import type { Transaction } from "#kit/table/table.ts";
import { personAudit } from "../audited.ts";
import type { Held } from "./granting.ts";
import { markUser, readHeld, removeMember } from "./store.ts";

interface Ending {
  readonly email: string;
  /** Reads for changes of other records in the same transaction. */
  readonly beside?: () => Promise<Transaction>;
}

type Facts = Held & { readonly beside?: Transaction | undefined };

/** Ends a membership. Account and profile are kept. @returns whether there was one */
export const endMember = ({ email, beside }: Ending, context: RequestContext, keep?: Keep<boolean>): Promise<boolean> =>
  execute(
    {
      keep,
      read: async (): Promise<Facts> => ({ ...(await readHeld(email)), beside: await beside?.() }),
      decide({ member, user, beside: more }: Facts): Decision<boolean> {
        if (!member) return answer(false);
        const members = {
          ...more,
          member: removeMember(member),
          user: markUser(email, user, { isMember: false, now: context.now }),
          audit: personAudit(["membership", "deleted"], { email, before: member }, context),
          ...(user?.isMember && {
            userAudit: personAudit(
              ["account", "updated"],
              { email, before: user, after: { ...user, isMember: false } },
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
