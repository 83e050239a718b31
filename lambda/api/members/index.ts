import { asSeenBy } from "#api/records/diet-and-phone.ts";
import { emailIn } from "#api/records/named-email.ts";
import { profileAnswer } from "#api/records/profile-answer.ts";
import { userAnswer } from "#api/records/user-answer.ts";
import { changeMember } from "#domain/people/members/change-member.ts";
import { createMember } from "#domain/people/members/create-member.ts";
import { deleteMember } from "#domain/people/members/delete-member.ts";
import { formChangesOf, formOf } from "#domain/people/members/form.ts";
import { grantMembership } from "#domain/people/members/grant.ts";
import type { Granted } from "#domain/people/members/granting.ts";
import { requireFullName } from "#domain/people/members/names.ts";
import { pageOfMembers, readMember } from "#domain/people/members/store.ts";
import { endGiven } from "#domain/people/members/terms.ts";
import { termsOfStage } from "#domain/people/members/terms-of-stage.ts";
import { findOwner } from "#domain/people/profiles/store.ts";
import { requiredEnv } from "#kit/env.ts";
import { NotFound, ValidationFailed } from "#kit/errors.ts";
import { nextHeader } from "#kit/lists/pages.ts";
import { created, ok } from "#kit/request/answer.ts";
import { apiOnce } from "#kit/request/answered-once.ts";
import { api, dispatch } from "#kit/request/api.ts";
import { day } from "#kit/text/time.ts";
import { memberAnswer } from "./member-answer.ts";
import * as routes from "./routes.ts";
import type { MemberChanges } from "./schemas.ts";

/** Milliseconds from now to an end that is no typing error. */
const longest = 30 * 366 * day;

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");

const grantedAnswer =
  (now: number) =>
  ({ user, member, profile }: Granted) =>
    ok({
      message: "Membership granted",
      user: userAnswer(user, now),
      member: memberAnswer(member),
      profile: profileAnswer(profile),
    });

const changesIn = ({ cardCount, until: _until, admin: _, ...body }: MemberChanges) => ({
  ...formChangesOf(body),
  ...(cardCount !== undefined && { cardCount: cardCount ?? undefined }),
});

/** @returns the first moment after the membership, epoch milliseconds; null: it has no end */
function endIn(until: string | null, now: number): number | null {
  if (until === null || until.trim() === "") return null;
  const end = endGiven(until.trim(), termsOfStage.timeZone);
  if (Math.abs(end - now) <= longest) return end;
  throw new ValidationFailed([{ path: "/until", message: "must be within thirty years from now, or null" }]);
}

export const handler = dispatch([
  api(routes.createMember, async ({ body, context }) => {
    const details = { ...formOf(body), cardCount: body.cardCount ?? undefined };
    const member = await createMember(details, { email: emailIn(body), adminDomain }, context);
    return created({ message: "Member created.", member: memberAnswer(member) });
  }),
  apiOnce(routes.grantMembership, async ({ body, context, claimed }) => {
    const [email, form] = [emailIn(body), formOf(body)];
    requireFullName(form);
    const details = { ...form, cardCount: body.cardCount ?? undefined };
    const answerTo = grantedAnswer(context.now);
    const keep = claimed?.keeping(answerTo);
    return answerTo(await grantMembership(details, { email, adminDomain }, context, keep));
  }),
  api(routes.listMembers, async ({ query, caller, now }) => {
    const page = await pageOfMembers(query, now);
    return ok(asSeenBy(caller, page.rows.map(memberAnswer)), nextHeader(page));
  }),
  api(routes.getMember, async ({ params }) => {
    const member = await readMember(params.email);
    if (!member) throw new NotFound("Member");
    return ok(memberAnswer(member));
  }),
  api(routes.findMember, async ({ params }) => {
    const owner = await findOwner(params.profileID);
    // A profile outlives the membership.
    const member = owner === undefined ? undefined : await readMember(owner);
    if (!member) throw new NotFound("Member");
    return ok({ email: member.email });
  }),
  api(routes.updateMember, async ({ params, body, context }) => {
    const { until, admin } = body;
    const changed = {
      changes: changesIn(body),
      admin,
      ...(until !== undefined && { until: endIn(until, context.now) }),
    };
    const member = await changeMember(params.email, changed, context);
    return ok({ message: "Member updated.", member: memberAnswer(member) });
  }),
  api(routes.deleteMember, async ({ params, context }) => {
    await deleteMember(params.email, context);
    return ok({ message: "Member deleted." });
  }),
]);
