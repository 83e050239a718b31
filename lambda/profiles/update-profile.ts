import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotFound } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import { commit } from "#kit/table.ts";
import { changedProfile, profileAnswer } from "./profile.ts";
import * as routes from "./routes.ts";
import type { ProfileChanges } from "./schemas.ts";
import { readProfile, replaceProfile } from "./store.ts";

/** A step of `untilSettled`. Once carried out, a change changes nothing more: a retry may end here with nothing to do. */
async function changeProfile(email: string, changes: ProfileChanges, now: number) {
  const read = await readProfile(email);
  if (!read) throw new NotFound("Profile");
  const profile = changedProfile(read, changes, now);
  if (profile === read) return read;
  const outcome = await commit({ profile: replaceProfile(profile, read) });
  return outcome.committed ? profile : again;
}

export const updateOwnProfile = api(routes.updateOwnProfile, async ({ body, caller, now }) => {
  const profile = await untilSettled(() => changeProfile(caller.email, body, now));
  return ok({ message: "Profile updated.", profile: profileAnswer(profile) });
});
