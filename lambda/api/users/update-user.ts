import { changeUser } from "#domain/people/users/change-user.ts";
import { changeFrom } from "#domain/people/users/user.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { ownUnlessAdmin } from "./caller-email.ts";
import * as routes from "./routes.ts";
import { userAnswer } from "./user-answer.ts";

export const updateUser = api(routes.updateUser, async ({ params, body, caller, context }) => {
  const email = ownUnlessAdmin(params.email, caller);
  const user = await changeUser(email, changeFrom(body, caller), context);
  return ok({ message: "User updated.", user: userAnswer(user) });
});
