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
import { readMemberAndProfile, replaceMember } from "./store.ts";

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

/** @throws NotFound ValidationFailed */
function decide(
  { member: read, profile }: Held,
  changes: MemberChanges,
  context: RequestContext,
  admin: unknown,
): Decision<MemberRecord> {
  if (!read) throw new NotFound("Member");
  if (admin !== undefined && admin !== read.admin) refuseImmutable({ admin });
  const member = changedMember(read, changes, context.now);
  if (member === read) return answer(member);
  const changedProfile = profile && profileChange(profile, member, read);
  const { email } = member;
  const members = {
    member: replaceMember(member, read),
    audit: personAudit(["membership", "updated"], { email, before: read, after: member }, context),
    ...(changedProfile && {
      profile: replaceProfile(changedProfile, profile),
      profileAudit: personAudit(["profile", "updated"], { email, before: profile, after: changedProfile }, context),
    }),
  };
  return write(members, member);
}

/**
 * Changes a member.
 * @param admin the flag that the request repeats; it cannot be changed
 * @throws NotFound ValidationFailed
 */
export const changeMember = (
  email: string,
  changes: MemberChanges,
  context: RequestContext,
  admin?: unknown,
): Promise<MemberRecord> =>
  execute(
    {
      read: () => readMemberAndProfile(email),
      decide: (held: Held) => decide(held, changes, context, admin),
    },
    context,
  );
