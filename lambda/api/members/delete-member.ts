import type { Held } from "#domain/people/members/granting.ts";
import { markUser, readHeld, removeMember } from "#domain/people/members/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import type { RequestContext } from "#kit/context.ts";
import { NotFound } from "#kit/errors.ts";
import { type Decision, execute, write } from "#kit/execute.ts";
import * as routes from "./routes.ts";

/** @throws NotFound */
const remove = (email: string, context: RequestContext): Promise<void> =>
  execute(
    {
      depth: "certain",
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

export const deleteMember = api(routes.deleteMember, async ({ params, context }) => {
  await remove(params.email, context);
  return ok({ message: "Member deleted." });
});
