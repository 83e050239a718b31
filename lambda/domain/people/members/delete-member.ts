import type { RequestContext } from "#kit/context.ts";
import { NotFound } from "#kit/errors.ts";
import { type Decision, execute, write } from "#kit/execute.ts";
import type { Held } from "./granting.ts";
import { markUser, readHeld, removeMember } from "./store.ts";

/** Ends a membership. Account and profile are kept. @throws NotFound */
export const deleteMember = (email: string, context: RequestContext): Promise<void> =>
  execute(
    {
      read: () => readHeld(email),
      decide({ member, user }: Held): Decision<void> {
        if (!member) throw new NotFound("Member");
        const members = {
          member: removeMember(member),
          user: markUser(email, user, { isMember: false, now: context.now }),
        };
        return write(members, undefined);
      },
    },
    context,
  );
