import { created } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { requiredEnv } from "#kit/env.ts";
import { Duplicate, NotAllowed } from "#kit/errors.ts";
import { untilSettled } from "#kit/retry.ts";
import { hasMembership } from "../members/belongings.ts";
import * as routes from "./routes.ts";
import { insertUser } from "./store.ts";
import { newUser, userAnswer } from "./user.ts";

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");

export const createUser = api(routes.createUser, async ({ body, caller, now, requestId }) => {
  const email = body.email ?? body.id ?? caller.email;
  if (email !== caller.email && !caller.isAdmin) throw new NotAllowed();
  const isGranted = caller.isAdmin && body.isMember === true;
  const user = await untilSettled(async () => {
    const membership = isGranted ? undefined : await hasMembership(email);
    const isMember = membership ?? true;
    const origin = { now, actor: caller.email, correlationId: requestId };
    return insertUser(newUser(body, { email, isMember, adminDomain, now }), membership, origin);
  });
  if (!user) throw new Duplicate("There is a user with this email already.");
  return created({ message: "User created.", user: userAnswer(user) });
});
