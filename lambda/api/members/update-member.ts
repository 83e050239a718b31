import { changedFields } from "#domain/people/members/completion.ts";
import { formChangesOf } from "#domain/people/members/form.ts";
import { copiedFrom, type Held } from "#domain/people/members/granting.ts";
import { changedMember, type MemberRecord } from "#domain/people/members/member.ts";
import { readMemberAndProfile, replaceMember } from "#domain/people/members/store.ts";
import type { ProfileRecord } from "#domain/people/profiles/profile.ts";
import { replaceProfile } from "#domain/people/profiles/store.ts";
import { refuseImmutable } from "#domain/people/users/immutable.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import type { RequestContext } from "#kit/context.ts";
import { NotFound } from "#kit/errors.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import type { TransactItem } from "#kit/table.ts";
import { memberAnswer } from "./member-answer.ts";
import * as routes from "./routes.ts";
import type { MemberChanges } from "./schemas.ts";

function changesIn({ cardCount, ...body }: MemberChanges) {
  refuseImmutable(body);
  return {
    ...formChangesOf(body),
    ...(cardCount !== undefined && { cardCount: cardCount ?? undefined }),
  };
}

/**
 * The profile's part of a change. A corrected field is corrected in the profile too, because the person cannot do that
 * there.
 */
function profileFollows(profile: ProfileRecord, member: MemberRecord, read: MemberRecord): TransactItem | undefined {
  const now = copiedFrom(member);
  const changed = changedFields(now, copiedFrom(read));
  if (changed.length === 0) return undefined;
  const copies = Object.fromEntries(changed.map((name) => [name, now[name]]));
  return replaceProfile({ ...profile, ...copies, updatedAt: member.updatedAt }, profile);
}

type Changes = ReturnType<typeof changesIn>;

/** @throws NotFound */
function decide({ member: read, profile }: Held, changes: Changes, now: number): Decision<MemberRecord> {
  if (!read) throw new NotFound("Member");
  const member = changedMember(read, changes, now);
  if (member === read) return answer(member);
  const follows = profile && profileFollows(profile, member, read);
  return write({ member: replaceMember(member, read), ...(follows && { profile: follows }) }, member);
}

const change = (email: string, changes: Changes, context: RequestContext): Promise<MemberRecord> =>
  execute(
    {
      depth: "certain",
      read: () => readMemberAndProfile(email),
      decide: (held: Held) => decide(held, changes, context.now),
    },
    context,
  );

export const updateMember = api(routes.updateMember, async ({ params, body, context }) => {
  const member = await change(params.email, changesIn(body), context);
  return ok({ message: "Member updated.", member: memberAnswer(member) });
});
