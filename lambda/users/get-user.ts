import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import type { Caller } from "#kit/caller.ts";
import { canonicalEmail } from "#kit/email.ts";
import { NotFound, ValidationFailed } from "#kit/errors.ts";
import * as routes from "./routes.ts";
import { readUser } from "./store.ts";
import { userAnswer } from "./user.ts";

async function answerFor(email: string) {
  const user = await readUser(email);
  if (!user) throw new NotFound("User");
  return ok(userAnswer(user));
}

/** Only an admin may name somebody; everybody else gets their own record, whatever the path says. */
function namedEmail(named: string, caller: Caller): string {
  if (!caller.isAdmin || named === "self") return caller.email;
  const email = canonicalEmail(named);
  if (!email) throw new ValidationFailed([{ path: "/email", message: "must be an email address" }]);
  return email;
}

export const getSelf = api(routes.getSelf, ({ caller }) => answerFor(caller.email));

export const getUser = api(routes.getUser, ({ params, caller }) => answerFor(namedEmail(params.email, caller)));
