import { readMember } from "#domain/people/members/store.ts";
import { findOwner } from "#domain/people/profiles/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import { memberAnswer } from "./member-answer.ts";
import * as routes from "./routes.ts";

export const getMember = api(routes.getMember, async ({ params }) => {
  const member = await readMember(params.email);
  if (!member) throw new NotFound("Member");
  return ok(memberAnswer(member));
});

export const findMember = api(routes.findMember, async ({ params }) => {
  const owner = await findOwner(params.profileID);
  // A profile outlives the membership.
  const member = owner === undefined ? undefined : await readMember(owner);
  if (!member) throw new NotFound("Member");
  return ok({ email: member.email });
});
