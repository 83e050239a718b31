import { createProfile as create } from "#domain/people/profiles/create-profile.ts";
import { created } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { requiredEnv } from "#kit/env.ts";
import { profileAnswer } from "./profile-answer.ts";
import * as routes from "./routes.ts";

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");

export const createProfile = api(routes.createProfile, async ({ body, caller, context }) => {
  const profile = await create({ email: caller.email, adminDomain, told: body }, context);
  return created({ message: "Profile created.", profile: profileAnswer(profile) });
});
