import { emailIn } from "#api/members/named-email.ts";
import { checkMembership, hasMembership } from "#domain/people/members/person-records.ts";
import { putNewUser, type UserRecord } from "#domain/people/users/store.ts";
import type { NewUser } from "#domain/people/users/user.ts";
import { newUser } from "#domain/people/users/user.ts";
import { created } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import type { RequestContext } from "#kit/context.ts";
import { requiredEnv } from "#kit/env.ts";
import { Duplicate, NotAllowed } from "#kit/errors.ts";
import { type Decision, execute, write } from "#kit/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import * as routes from "./routes.ts";
import { userAnswer } from "./user-answer.ts";

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");

/** The account to create. */
interface Wanted {
  readonly email: string;
  readonly details: NewUser;
  /** An admin says that the person is a member. Then the membership is not read. */
  readonly isGranted: boolean;
}

/** The facts for the creation of an account. Only a refused transaction tells that the account exists already. */
interface Facts {
  readonly exists: boolean;
  /** Undefined when the membership was not read. */
  readonly hasMembership?: boolean | undefined;
}

/** @throws Duplicate */
function decide({ email, details }: Wanted, facts: Facts, context: RequestContext): Decision<UserRecord, Facts> {
  const { exists, hasMembership: wasMember } = facts;
  if (exists) throw new Duplicate("There is a user with this email already.");
  const user = newUser(details, { email, isMember: wasMember ?? true, adminDomain, now: context.now });
  const members = {
    user: putNewUser(user),
    outbox: outboxRow({ type: "user.created", data: { email } }, context),
    ...(wasMember !== undefined && { membership: checkMembership(email, wasMember) }),
  };
  return write(members, user, (refused) => ({ exists: "user" in refused }));
}

const create = (wanted: Wanted, context: RequestContext): Promise<UserRecord> =>
  execute(
    {
      depth: "certain",
      async read(_depth, learned: Facts | undefined): Promise<Facts> {
        if (learned?.exists) return learned;
        return { exists: false, hasMembership: wanted.isGranted ? undefined : await hasMembership(wanted.email) };
      },
      decide: (facts: Facts) => decide(wanted, facts, context),
    },
    context,
  );

export const createUser = api(routes.createUser, async ({ body, caller, context }) => {
  const email = emailIn(body, caller.email);
  if (email !== caller.email && !caller.isAdmin) throw new NotAllowed("You can create only your own user record.");
  const isGranted = caller.isAdmin && body.isMember === true;
  const user = await create({ email, details: body, isGranted }, context);
  return created({ message: "User created.", user: userAnswer(user) });
});
