import { deleteMember as remove } from "#domain/people/members/delete-member.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import * as routes from "./routes.ts";

export const deleteMember = api(routes.deleteMember, async ({ params, context }) => {
  await remove(params.email, context);
  return ok({ message: "Member deleted." });
});
