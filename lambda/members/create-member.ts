import { created } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { requiredEnv } from "#kit/env.ts";
import { Duplicate } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import { type Origin, outboxRow } from "../outbox/store.ts";
import { sameProfile } from "../profiles/store.ts";
import { formOf } from "./form.ts";
import { type MemberDetails, type MemberRecord, memberAnswer, newMember } from "./member.ts";
import { emailIn } from "./named-email.ts";
import * as routes from "./routes.ts";
import { markUser, putNewMember, readHeld } from "./store.ts";

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");

/** A step of `untilSettled`: @returns the member as created, now or by an earlier try; undefined when there was one */
async function insertMember(email: string, details: MemberDetails, origin: Origin) {
  const { now, correlationId } = origin;
  const held = await readHeld(email);
  if (held.member) return held.member.createdBy === correlationId ? held.member : undefined;
  const known = { email, adminDomain, now, createdBy: correlationId };
  const member: MemberRecord = { ...newMember(details, known), profileID: held.profile?.profileID };
  const outcome = await commit({
    member: putNewMember(member),
    user: markUser(email, held.user, { isMember: true, now }),
    profile: sameProfile(email, held.profile),
    news: outboxRow({ type: "member.granted", data: { email } }, origin),
  });
  return outcome.committed ? member : again;
}

export const createMember = api(routes.createMember, async ({ body, caller, now, requestId }) => {
  const details: MemberDetails = {
    ...formOf(body),
    discordId: body.discordId || undefined,
    cardCount: body.cardCount ?? undefined,
  };
  const origin = { now, actor: caller.email, correlationId: requestId };
  const member = await untilSettled(() => insertMember(emailIn(body), details, origin));
  if (!member) throw new Duplicate("There is a member with this email already.");
  return created({ message: "Member created.", member: memberAnswer(member) });
});
