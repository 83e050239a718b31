import { changeUser, readUser } from "#domain/people/users/store.ts";
import { changeFrom } from "#domain/people/users/user.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import { afterCommit, writeOnce } from "#kit/execute.ts";
import { retried } from "#kit/retry.ts";
import { ownUnlessAdmin } from "./caller-email.ts";
import * as routes from "./routes.ts";
import { userAnswer } from "./user-answer.ts";

export const updateUser = api(routes.updateUser, async ({ params, body, caller, context }) => {
  const email = ownUnlessAdmin(params.email, caller);
  const change = changeFrom(body, caller);
  const refused = await writeOnce({ user: changeUser(email, change, context.now) }, context);
  const user = refused ? undefined : await afterCommit(() => retried(() => readUser(email), context));
  if (!user) throw new NotFound("User");
  return ok({ message: "User updated.", user: userAnswer(user) });
});
