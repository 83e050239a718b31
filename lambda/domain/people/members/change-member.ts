import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import { personAudit } from "../audited.ts";
import type { ProfileRecord } from "../profiles/profile.ts";
import { replaceProfile } from "../profiles/store.ts";
import { refuseImmutable } from "../users/details.ts";
import { changedFields } from "./completion.ts";
import { copiedFrom, type Held } from "./granting.ts";
import { changedMember, type MemberChanges, type MemberRecord } from "./member.ts";
import { moveEnd, readHeld, readMemberAndProfile, replaceMember } from "./store.ts";
import { withEnd } from "./terms.ts";
import { termsOfStage } from "./terms-of-stage.ts";

/**
 * The profile's part of a change. A corrected field is corrected in the profile too, where the person cannot change it.
 */
function profileChange(profile: ProfileRecord, member: MemberRecord, read: MemberRecord): ProfileRecord | undefined {
  const now = copiedFrom(member);
  const changed = changedFields(now, copiedFrom(read));
  if (changed.length === 0) return undefined;
  const copies = Object.fromEntries(changed.map((name) => [name, now[name]]));
  return { ...profile, ...copies, updatedAt: member.updatedAt };
}

/** What an admin changes of a member. */
interface ChangeOfMember {
  readonly changes: MemberChanges;
  /** The first moment after the membership, epoch milliseconds; null: it has no end. Absent: as it is. */
  readonly until?: number | null;
  /** The flag that the request repeats; it cannot be changed. */
  readonly admin?: unknown;
}

/** @throws NotFound ValidationFailed */
function decide(
  { user, member: read, profile }: Held,
  { changes, until, admin }: ChangeOfMember,
  context: RequestContext,
): Decision<MemberRecord> {
  if (!read) throw new NotFound("Member");
  if (admin !== undefined && admin !== read.admin) refuseImmutable({ admin });
  const changed = changedMember(read, changes, context.now);
  const isEnd = until !== undefined && (until ?? undefined) !== read.until;
  const member = isEnd ? { ...changed, ...withEnd(read, until, termsOfStage), updatedAt: context.now } : changed;
  if (member === read) return answer(member);
  const changedProfile = profile && profileChange(profile, member, read);
  const { email } = member;
  const members = {
    member: replaceMember(member, read),
    ...(isEnd && moveEnd({ member: read, user }, member, context.now)),
    audit: personAudit(["membership", "updated"], { email, before: read, after: member }, context),
    ...(changedProfile && {
      profile: replaceProfile(changedProfile, profile),
      profileAudit: personAudit(["profile", "updated"], { email, before: profile, after: changedProfile }, context),
    }),
  };
  return write(members, member);
}

/**
 * Changes a member. Only a change of the end reads the account.
 * @throws NotFound ValidationFailed
 */
export const changeMember = (email: string, change: ChangeOfMember, context: RequestContext): Promise<MemberRecord> =>
  execute(
    {
      read: (): Promise<Held> => (change.until === undefined ? readMemberAndProfile(email) : readHeld(email)),
      decide: (held: Held) => decide(held, change, context),
    },
    context,
  );
