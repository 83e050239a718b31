import { profileAnswer, visibleProfile } from "#api/records/profile-answer.ts";
import { createProfile } from "#domain/people/members/create-profile.ts";
import { changeProfile } from "#domain/people/profiles/change-profile.ts";
import { findOwner, readProfile } from "#domain/people/profiles/store.ts";
import { requiredEnv } from "#kit/env.ts";
import { NotFound } from "#kit/errors.ts";
import { created, ok } from "#kit/request/answer.ts";
import { api, dispatch } from "#kit/request/api.ts";
import { claimsOf } from "#kit/request/sent-token.ts";
import * as routes from "./routes.ts";

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");

export const handler = dispatch(
  [
    api(routes.createProfile, async ({ body, caller, context }) => {
      const profile = await createProfile({ email: caller.email, adminDomain, told: body }, context);
      return created({ message: "Profile created.", profile: profileAnswer(profile) });
    }),
    api(routes.getOwnProfile, async ({ caller }) => {
      const profile = await readProfile(caller.email);
      if (!profile) throw new NotFound("Profile");
      return ok(profileAnswer(profile));
    }),
    api(routes.updateOwnProfile, async ({ body, caller, context }) => {
      const { profileID, compositeID, email, id, ...changes } = body;
      const profile = await changeProfile(caller.email, { profileID, compositeID, email, id }, changes, context);
      return ok({ message: "Profile updated.", profile: profileAnswer(profile) });
    }),
    api(routes.getProfile, async ({ params }) => {
      const owner = await findOwner(params.profileID);
      // Strongly consistent: a field that the person has just hidden must not be shown.
      const profile = owner === undefined ? undefined : await readProfile(owner);
      if (profile?.profileID !== params.profileID) throw new NotFound("Profile");
      return ok(visibleProfile(profile));
    }),
  ],
  claimsOf,
);
