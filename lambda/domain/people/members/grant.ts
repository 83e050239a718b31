/** Grants a membership, by an admin or after a payment (`docs/contract.md`, "Members"). */
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, type Keep, write } from "#kit/table/execute.ts";
import type { TransactItem, Transaction } from "#kit/table/table.ts";
import type { MembershipFact } from "#outbox/catalogue.ts";
import { outboxRow } from "#outbox/store.ts";
import { messageAudit, personAudit } from "../audited.ts";
import { drawProfileID } from "../profiles/profile-id.ts";
import { putNewProfile, putProfileID, replaceProfile, sameProfile } from "../profiles/store.ts";
import { putNewUser } from "../users/store.ts";
import { type Granted, grantedTo, type Held, isNewMembership } from "./granting.ts";
import type { MemberDetails, MemberRecord } from "./member.ts";
import { completeUser, moveNote, putNewMember, readHeld, replaceMember, sameMark, sameMember } from "./store.ts";
import type { Giving } from "./terms.ts";
import { termsOfStage } from "./terms-of-stage.ts";

export interface Recipient {
  /** Canonical. */
  readonly email: string;
  /** The email domain of the admins. */
  readonly adminDomain: string;
  /** The payment for the membership. Absent when an admin grants it. */
  readonly paid?: MembershipFact["paid"];
  /** What is left to pay, in cents. */
  readonly owes?: number | undefined;
  /** The payment, and its day. Absent when an admin grants it. */
  readonly giving?: Giving;
}

/** The facts for a grant: the person's records, and a random profile id, which is probably free. */
export interface GrantFacts {
  readonly held: Held;
  readonly profileID: string;
}

export const readGrantFacts = async (email: string): Promise<GrantFacts> => ({
  held: await readHeld(email),
  profileID: drawProfileID(),
});

/** The result of a grant: the records after it, and the transaction members that write them. */
export interface Grant {
  readonly granted: Granted;
  readonly members: Transaction;
  /** Nothing changes, so there is nothing to write. */
  readonly isDone: boolean;
}

/** Paid anew, whatever became of an earlier payment. */
const newlyPaid = ({ refunded, owes: _, ...member }: MemberRecord, { owes }: Recipient): MemberRecord => ({
  ...member,
  ...(owes !== undefined && { owes }),
});

/** Creates missing records and fills blank fields. Pure. */
export function grantOf(form: MemberDetails, to: Recipient, facts: GrantFacts, context: RequestContext): Grant {
  const { held, profileID } = facts;
  const records = grantedTo(held, form, {
    ...to,
    ...{ now: context.now, profileID, generation: context.newId(), terms: termsOfStage },
  });
  const granted = to.paid ? { ...records, member: newlyPaid(records.member, to) } : records;
  return { granted, members: grantMembers(held, granted, to, context), isDone: isSame(held, granted) };
}

/**
 * Grants a membership in one transaction: user, member, profile, the profile's id and messages. Idempotent.
 * @throws Contended too many requests wrote the same records; nothing was written
 * @throws UnknownOutcome it is not known whether the membership was granted; granting again is safe
 */
export const grantMembership = (
  form: MemberDetails,
  to: Recipient,
  context: RequestContext,
  keep?: Keep<Granted>,
): Promise<Granted> =>
  execute(
    {
      keep,
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

/** Writes the missing records, conditional on the others being unchanged, so that concurrent grants cannot mix. */
function grantMembers(held: Held, granted: Granted, { paid }: Recipient, context: RequestContext): Transaction {
  const { email } = granted.user;
  const { until } = granted.member;
  const fact: MembershipFact = { email, ...(paid && { paid }), ...(until !== undefined && { until }) };
  const isNew = isNewMembership(held);
  const isRenewed = !isNew && granted.member.terms !== held.member?.terms;
  return {
    user: userMember(held, granted),
    member: memberMember(held, granted),
    profile: profileMember(held, granted),
    ...(!held.profile && { profileID: putProfileID(granted.profile) }),
    ...(!held.user && {
      userMessage: outboxRow(
        { type: "user.created", data: { email } },
        context,
        undefined,
        messageAudit("account", { email, after: granted.user }, context),
      ),
    }),
    ...moveNote(email, held.member, granted.member),
    ...((isNew || isRenewed) && {
      memberMessage: outboxRow(
        { type: isNew ? "member.granted" : "member.renewed", data: fact },
        context,
        undefined,
        messageAudit("membership", { email, before: held.member, after: granted.member }, context),
      ),
    }),
    ...auditMembers(held, granted, isNew || isRenewed, context),
  };
}

/** The rows of the records that change without a message. */
function auditMembers(held: Held, granted: Granted, isTold: boolean, context: RequestContext): Transaction {
  const { email } = granted.user;
  const of = (record: keyof Held) => ({ email, before: held[record], after: granted[record] });
  const isChanged = (record: keyof Held) => held[record] !== granted[record];
  return {
    ...(held.user && isChanged("user") && { userAudit: personAudit(["account", "updated"], of("user"), context) }),
    ...(!isTold &&
      isChanged("member") && { memberAudit: personAudit(["membership", "updated"], of("member"), context) }),
    ...(isChanged("profile") && {
      profileAudit: personAudit(["profile", held.profile ? "updated" : "created"], of("profile"), context),
    }),
  };
}

function userMember({ user: read }: Held, { user }: Granted): TransactItem {
  if (!read) return putNewUser(user);
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
