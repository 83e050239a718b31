import { findOwner, readProfile } from "#domain/people/profiles/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import { profileAnswer, visibleProfile } from "./profile-answer.ts";
import * as routes from "./routes.ts";

export const getOwnProfile = api(routes.getOwnProfile, async ({ caller }) => {
  const profile = await readProfile(caller.email);
  if (!profile) throw new NotFound("Profile");
  return ok(profileAnswer(profile));
});

export const getProfile = api(routes.getProfile, async ({ params }) => {
  const owner = await findOwner(params.profileID);
  // Strongly consistent: a field that the person has just hidden must not be shown.
  const profile = owner === undefined ? undefined : await readProfile(owner);
  if (profile?.profileID !== params.profileID) throw new NotFound("Profile");
  return ok(visibleProfile(profile));
});
