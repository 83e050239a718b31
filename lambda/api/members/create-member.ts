import { createMember as create } from "#domain/people/members/create-member.ts";
import { formOf } from "#domain/people/members/form.ts";
import { created } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { requiredEnv } from "#kit/env.ts";
import { memberAnswer } from "./member-answer.ts";
import { emailIn } from "./named-email.ts";
import * as routes from "./routes.ts";

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");

export const createMember = api(routes.createMember, async ({ body, context }) => {
  const details = { ...formOf(body), cardCount: body.cardCount ?? undefined };
  const member = await create(details, { email: emailIn(body), adminDomain }, context);
  return created({ message: "Member created.", member: memberAnswer(member) });
});
