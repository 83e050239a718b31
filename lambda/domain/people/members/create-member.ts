import { Duplicate } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type Decision, execute, write } from "#kit/table/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import { messageAudit } from "../audited.ts";
import { sameProfile } from "../profiles/store.ts";
import type { Recipient } from "./grant.ts";
import type { Held } from "./granting.ts";
import { type MemberDetails, type MemberRecord, newMember } from "./member.ts";
import { markUser, moveNote, putNewMember, readHeld } from "./store.ts";
import { withTerm } from "./terms.ts";
import { termsOfStage } from "./terms-of-stage.ts";

type Newcomer = Omit<Recipient, "paid">;

/** @throws Duplicate */
function decide(details: MemberDetails, to: Newcomer, held: Held, context: RequestContext): Decision<MemberRecord> {
  if (held.member) throw new Duplicate("There is a member with this email already.");
  const { email } = to;
  const { now } = context;
  const known = { ...to, now, generation: context.newId() };
  const term = withTerm(undefined, { at: now }, termsOfStage);
  const member: MemberRecord = { ...newMember(details, known), ...term, profileID: held.profile?.profileID };
  const { until } = member;
  const members = {
    member: putNewMember(member),
    user: markUser(email, held.user, { isMember: true, until, now }),
    ...moveNote(email, undefined, member),
    profile: sameProfile(email, held.profile),
    message: outboxRow(
      { type: "member.granted", data: { email, ...(until !== undefined && { until }) } },
      context,
      undefined,
      messageAudit("membership", { email, after: member }, context),
    ),
  };
  return write(members, member);
}

/** Creates a membership, without account and profile. @throws Duplicate */
export const createMember = (details: MemberDetails, to: Newcomer, context: RequestContext): Promise<MemberRecord> =>
  execute(
    {
      read: () => readHeld(to.email),
      decide: (held: Held) => decide(details, to, held, context),
    },
    context,
  );
