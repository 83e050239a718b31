import { changeProfile } from "#domain/people/profiles/change-profile.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { profileAnswer } from "./profile-answer.ts";
import * as routes from "./routes.ts";

export const updateOwnProfile = api(routes.updateOwnProfile, async ({ body, caller, context }) => {
  const { profileID, compositeID, email, id, ...changes } = body;
  const profile = await changeProfile(caller.email, { profileID, compositeID, email, id }, changes, context);
  return ok({ message: "Profile updated.", profile: profileAnswer(profile) });
});
