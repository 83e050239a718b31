import type { ProfileChanges } from "#domain/people/profiles/profile.ts";
import { changedProfile, type ProfileRecord } from "#domain/people/profiles/profile.ts";
import { readProfile, replaceProfile } from "#domain/people/profiles/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import type { RequestContext } from "#kit/context.ts";
import { NotFound } from "#kit/errors.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { profileAnswer } from "./profile-answer.ts";
import * as routes from "./routes.ts";

/** @throws NotFound */
const change = (email: string, changes: ProfileChanges, context: RequestContext): Promise<ProfileRecord> =>
  execute(
    {
      depth: "certain",
      read: () => readProfile(email),
      decide(read: ProfileRecord | undefined): Decision<ProfileRecord> {
        if (!read) throw new NotFound("Profile");
        const profile = changedProfile(read, changes, context.now);
        return profile === read ? answer(read) : write({ profile: replaceProfile(profile, read) }, profile);
      },
    },
    context,
  );

export const updateOwnProfile = api(routes.updateOwnProfile, async ({ body, caller, context }) => {
  const profile = await change(caller.email, body, context);
  return ok({ message: "Profile updated.", profile: profileAnswer(profile) });
});
