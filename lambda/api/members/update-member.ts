import { changeMember } from "#domain/people/members/change-member.ts";
import { formChangesOf } from "#domain/people/members/form.ts";
import { refuseImmutable } from "#domain/people/users/details.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { memberAnswer } from "./member-answer.ts";
import * as routes from "./routes.ts";
import type { MemberChanges } from "./schemas.ts";

function changesIn({ cardCount, ...body }: MemberChanges) {
  refuseImmutable(body);
  return {
    ...formChangesOf(body),
    ...(cardCount !== undefined && { cardCount: cardCount ?? undefined }),
  };
}

export const updateMember = api(routes.updateMember, async ({ params, body, context }) => {
  const member = await changeMember(params.email, changesIn(body), context);
  return ok({ message: "Member updated.", member: memberAnswer(member) });
});
