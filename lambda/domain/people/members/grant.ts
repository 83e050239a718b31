/** Granting membership: by an admin, or because it is paid. */
import type { RequestContext } from "#kit/context.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import type { TransactItem, Transaction } from "#kit/table.ts";
import { outboxRow } from "#outbox/store.ts";
import { drawProfileID } from "../profiles/profile-id.ts";
import { putNewProfile, putProfileID, replaceProfile, sameProfile } from "../profiles/store.ts";
import { putNewUser } from "../users/store.ts";
import type { MembershipForm } from "./form.ts";
import { type Granted, grantedTo, type Held, isNewMembership } from "./granting.ts";
import { completeUser, putNewMember, readHeld, replaceMember, sameMark, sameMember } from "./store.ts";

/** Who becomes a member. */
export interface Recipient {
  /** Canonical. */
  readonly email: string;
  /** Whose people are admins. */
  readonly adminDomain: string;
}

/** What a grant is decided on: what the person has, and a profile id that is perhaps free. */
export interface GrantFacts {
  readonly held: Held;
  readonly profileID: string;
}

export const readGrantFacts = async (email: string): Promise<GrantFacts> => ({
  held: await readHeld(email),
  profileID: drawProfileID(),
});

/** What a grant makes of what the person has: the records as they will be, and the members that write them. */
export interface Grant {
  readonly granted: Granted;
  readonly members: Transaction;
  /** Nothing is missing. */
  readonly isDone: boolean;
}

/** Completes what is missing and overwrites nothing that is filled in. Pure. */
export function grantOf(form: MembershipForm, to: Recipient, facts: GrantFacts, context: RequestContext): Grant {
  const { held, profileID } = facts;
  const granted = grantedTo(held, form, { ...to, now: context.now, profileID, createdBy: context.correlationId });
  return { granted, members: grantMembers(held, granted, context), isDone: isSame(held, granted) };
}

/**
 * Grants membership in one transaction: user, member, profile, the profile's id and messages. Granting again writes
 * nothing.
 * @throws Contended too many wrote the same records; nothing was written
 * @throws UnknownOutcome nobody knows whether it was granted; granting again is safe
 */
export const grantMembership = (form: MembershipForm, to: Recipient, context: RequestContext): Promise<Granted> =>
  execute(
    {
      depth: "certain",
      read: () => readGrantFacts(to.email),
      decide: (facts: GrantFacts): Decision<Granted> => {
        const { granted, members, isDone } = grantOf(form, to, facts, context);
        return isDone ? answer(granted) : write(members, granted);
      },
    },
    context,
  );

const isSame = (held: Held, granted: Granted): boolean =>
  held.user === granted.user && held.member === granted.member && held.profile === granted.profile;

/** What is missing is written, and what is not must still be there: all of it, or a grant at the same moment is in the way. */
function grantMembers(held: Held, granted: Granted, context: RequestContext): Transaction {
  const { email } = granted.user;
  return {
    user: userMember(held, granted, context),
    member: memberMember(held, granted),
    profile: profileMember(held, granted),
    ...(!held.profile && { profileID: putProfileID(granted.profile) }),
    ...(!held.user && { userMessage: outboxRow({ type: "user.created", data: { email } }, context) }),
    ...(isNewMembership(held) && { memberMessage: outboxRow({ type: "member.granted", data: { email } }, context) }),
  };
}

function userMember({ user: read }: Held, { user }: Granted, { correlationId }: RequestContext): TransactItem {
  if (!read) return putNewUser({ ...user, createdBy: correlationId });
  return user === read ? sameMark(user.email, true) : completeUser(user, read);
}

function memberMember({ member: read }: Held, { member }: Granted): TransactItem {
  if (!read) return putNewMember(member);
  return member === read ? sameMember(read) : replaceMember(member, read);
}

function profileMember({ profile: read }: Held, { profile }: Granted): TransactItem {
  if (!read) return putNewProfile(profile);
  return profile === read ? sameProfile(profile.email, read) : replaceProfile(profile, read);
}
