import { profileAnswer } from "#api/profiles/profile-answer.ts";
import { userAnswer } from "#api/users/user-answer.ts";
import { formOf } from "#domain/people/members/form.ts";
import { grantMembership as grant } from "#domain/people/members/grant.ts";
import type { Granted } from "#domain/people/members/granting.ts";
import { requireFullName } from "#domain/people/members/names.ts";
import { ok } from "#kit/answer.ts";
import { answeredOnce } from "#kit/answered-once.ts";
import { api } from "#kit/api.ts";
import { requiredEnv } from "#kit/env.ts";
import { memberAnswer } from "./member-answer.ts";
import { emailIn } from "./named-email.ts";
import * as routes from "./routes.ts";

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");

const grantedAnswer = ({ user, member, profile }: Granted) =>
  ok({
    message: "Membership granted",
    user: userAnswer(user),
    member: memberAnswer(member),
    profile: profileAnswer(profile),
  });

export const grantMembership = api(
  routes.grantMembership,
  answeredOnce(routes.grantMembership, async ({ body, context, claimed }) => {
    const [email, form] = [emailIn(body), formOf(body)];
    requireFullName(form);
    const details = { ...form, cardCount: body.cardCount ?? undefined };
    const keep = claimed?.keeping(grantedAnswer);
    return grantedAnswer(await grant(details, { email, adminDomain }, context, keep));
  }),
);
