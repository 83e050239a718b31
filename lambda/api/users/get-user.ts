import { readUser } from "#domain/people/users/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import { ownUnlessAdmin } from "./caller-email.ts";
import * as routes from "./routes.ts";
import { userAnswer } from "./user-answer.ts";

async function answerFor(email: string) {
  const user = await readUser(email);
  if (!user) throw new NotFound("User");
  return ok(userAnswer(user));
}

export const getSelf = api(routes.getSelf, ({ caller }) => answerFor(caller.email));

export const getUser = api(routes.getUser, ({ params, caller }) => answerFor(ownUnlessAdmin(params.email, caller)));
