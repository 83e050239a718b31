import type { RequestContext } from "#kit/context.ts";
import { Duplicate } from "#kit/errors.ts";
import { type Decision, execute, write } from "#kit/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import { checkMembership, hasMembership } from "../members/person-records.ts";
import { putNewUser, type UserRecord } from "./store.ts";
import { type NewUser, newUser } from "./user.ts";

/** The account to create. */
export interface WantedUser {
  readonly email: string;
  /** The email domain of the admins. */
  readonly adminDomain: string;
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
function decide(wanted: WantedUser, facts: Facts, context: RequestContext): Decision<UserRecord, Facts> {
  const { email, adminDomain, details } = wanted;
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

/** Creates an account. @throws Duplicate */
export const createUser = (wanted: WantedUser, context: RequestContext): Promise<UserRecord> =>
  execute(
    {
      async read(learned: Facts | undefined): Promise<Facts> {
        if (learned?.exists) return learned;
        return { exists: false, hasMembership: wanted.isGranted ? undefined : await hasMembership(wanted.email) };
      },
      decide: (facts: Facts) => decide(wanted, facts, context),
    },
    context,
  );
