import { formOf } from "#domain/people/members/form.ts";
import type { Held } from "#domain/people/members/granting.ts";
import { type MemberDetails, type MemberRecord, newMember } from "#domain/people/members/member.ts";
import { markUser, putNewMember, readHeld } from "#domain/people/members/store.ts";
import { sameProfile } from "#domain/people/profiles/store.ts";
import { created } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import type { RequestContext } from "#kit/context.ts";
import { requiredEnv } from "#kit/env.ts";
import { Duplicate } from "#kit/errors.ts";
import { type Decision, execute, write } from "#kit/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import { memberAnswer } from "./member-answer.ts";
import { emailIn } from "./named-email.ts";
import * as routes from "./routes.ts";

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");

/** @throws Duplicate */
function decide(email: string, details: MemberDetails, held: Held, context: RequestContext): Decision<MemberRecord> {
  if (held.member) throw new Duplicate("There is a member with this email already.");
  const { now } = context;
  const known = { email, adminDomain, now, generation: context.newId() };
  const member: MemberRecord = { ...newMember(details, known), profileID: held.profile?.profileID };
  const members = {
    member: putNewMember(member),
    user: markUser(email, held.user, { isMember: true, now }),
    profile: sameProfile(email, held.profile),
    message: outboxRow({ type: "member.granted", data: { email } }, context),
  };
  return write(members, member);
}

const create = (email: string, details: MemberDetails, context: RequestContext): Promise<MemberRecord> =>
  execute(
    {
      depth: "certain",
      read: () => readHeld(email),
      decide: (held: Held) => decide(email, details, held, context),
    },
    context,
  );

export const createMember = api(routes.createMember, async ({ body, context }) => {
  const details: MemberDetails = { ...formOf(body), cardCount: body.cardCount ?? undefined };
  const member = await create(emailIn(body), details, context);
  return created({ message: "Member created.", member: memberAnswer(member) });
});
