import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit, type TransactItem } from "#kit/table.ts";
import type { ProfileRecord } from "../profiles/profile.ts";
import { replaceProfile } from "../profiles/store.ts";
import { refuseImmutable } from "../users/immutable.ts";
import { changedFields } from "./completion.ts";
import { formChangesOf } from "./form.ts";
import { copiedFrom } from "./granting.ts";
import { changedMember, type MemberRecord, memberAnswer } from "./member.ts";
import * as routes from "./routes.ts";
import type { MemberChanges } from "./schemas.ts";
import { readMemberAndProfile, replaceMember } from "./store.ts";

function changesIn({ discordId, cardCount, ...body }: MemberChanges) {
  refuseImmutable(body);
  return {
    ...formChangesOf(body),
    ...(discordId !== undefined && { discordId: discordId || undefined }),
    ...(cardCount !== undefined && { cardCount: cardCount ?? undefined }),
  };
}

/** The profile's part of a change: a name that is corrected is corrected there too, as nobody else may. */
function profileFollows(profile: ProfileRecord, member: MemberRecord, read: MemberRecord): TransactItem | undefined {
  const now = copiedFrom(member);
  const changed = changedFields(now, copiedFrom(read));
  if (changed.length === 0) return undefined;
  const copies = Object.fromEntries(changed.map((name) => [name, now[name]]));
  return replaceProfile({ ...profile, ...copies, updatedAt: member.updatedAt }, profile);
}

/** A step of `untilSettled`. Once carried out, a change changes nothing more: a retry may end here with nothing to do. */
async function changeMember(email: string, changes: ReturnType<typeof changesIn>, now: number) {
  const { member: read, profile } = await readMemberAndProfile(email);
  if (!read) throw new NotFound("Member");
  const member = changedMember(read, changes, now);
  if (member === read) return member;
  const follows = profile && profileFollows(profile, member, read);
  const outcome = await commit({ member: replaceMember(member, read), ...(follows && { profile: follows }) });
  return outcome.committed ? member : again;
}

export const updateMember = api(routes.updateMember, async ({ params, body, now }) => {
  const changes = changesIn(body);
  const member = await untilSettled(() => changeMember(params.email, changes, now));
  return ok({ message: "Member updated.", member: memberAnswer(member) });
});
