import { Duplicate } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type Decision, execute, write } from "#kit/table/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import { messageAudit } from "../audited.ts";
import { checkMembership, hasMembership } from "./person-records.ts";
import { putNewUser, type UserRecord } from "./store.ts";
import { type NewUser, newUser } from "./user.ts";

interface WantedUser {
  readonly email: string;
  /** The email domain of the admins. */
  readonly adminDomain: string;
  readonly details: NewUser;
  /** An admin has confirmed the membership, so it is not read. */
  readonly isGranted: boolean;
}

/** The facts for the creation of an account. `exists` is known only after a refused transaction. */
interface Facts {
  readonly exists: boolean;
  readonly isMember: boolean;
}

/** Creates an account. @throws Duplicate */
export const createUser = (
  { email, adminDomain, details, isGranted }: WantedUser,
  context: RequestContext,
): Promise<UserRecord> =>
  execute(
    {
      read: async (exists = false): Promise<Facts> => ({
        exists,
        isMember: exists || isGranted || (await hasMembership(email)),
      }),
      decide({ exists, isMember }: Facts): Decision<UserRecord, boolean> {
        if (exists) throw new Duplicate("There is a user with this email already.");
        const user = newUser(details, { email, isMember, adminDomain, now: context.now });
        const members = {
          user: putNewUser(user),
          outbox: outboxRow(
            { type: "user.created", data: { email } },
            context,
            undefined,
            messageAudit("account", { email, after: user }, context),
          ),
          ...(!isGranted && { membership: checkMembership(email, isMember) }),
        };
        return write(members, user, (refused) => "user" in refused);
      },
    },
    context,
  );
