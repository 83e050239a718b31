import { emailIn } from "#api/members/named-email.ts";
import { createUser as create } from "#domain/people/users/create-user.ts";
import { created } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { requiredEnv } from "#kit/env.ts";
import { NotAllowed } from "#kit/errors.ts";
import * as routes from "./routes.ts";
import { userAnswer } from "./user-answer.ts";

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");

export const createUser = api(routes.createUser, async ({ body, caller, context }) => {
  const email = emailIn(body, caller.email);
  if (email !== caller.email && !caller.isAdmin) throw new NotAllowed("You can create only your own user record.");
  const isGranted = caller.isAdmin && body.isMember === true;
  const user = await create({ email, adminDomain, details: body, isGranted }, context);
  return created({ message: "User created.", user: userAnswer(user) });
});
