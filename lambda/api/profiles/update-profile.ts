import type { ProfileChanges } from "#domain/people/profiles/profile.ts";
import { changedProfile, type ProfileRecord } from "#domain/people/profiles/profile.ts";
import { readProfile, replaceProfile } from "#domain/people/profiles/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import type { RequestContext } from "#kit/context.ts";
import { type Issue, NotFound, ValidationFailed } from "#kit/errors.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { isSame } from "#kit/validation.ts";
import { profileAnswer } from "./profile-answer.ts";
import * as routes from "./routes.ts";

/** What a profile and its person are called. */
interface Names {
  readonly profileID?: unknown;
  readonly compositeID?: unknown;
  readonly email?: unknown;
  readonly id?: unknown;
}

/** @throws ValidationFailed the body names another profile, or another person */
function refuseOther(names: Names, profile: ProfileRecord): void {
  const { profileID, compositeID } = profileAnswer(profile);
  const own: Record<keyof Names, string> = { profileID, compositeID, email: profile.email, id: profile.email };
  const issues = (Object.keys(own) as (keyof Names)[])
    .filter((name) => names[name] !== undefined && !isSame(names[name], own[name]))
    .map((name): Issue => ({ path: `/${name}`, message: `must be ${own[name]}, or absent: it cannot be changed` }));
  if (issues.length > 0) throw new ValidationFailed(issues);
}

/** @throws NotFound ValidationFailed */
const change = (
  email: string,
  names: Names,
  changes: ProfileChanges,
  context: RequestContext,
): Promise<ProfileRecord> =>
  execute(
    {
      depth: "certain",
      read: () => readProfile(email),
      decide(read: ProfileRecord | undefined): Decision<ProfileRecord> {
        if (!read) throw new NotFound("Profile");
        refuseOther(names, read);
        const profile = changedProfile(read, changes, context.now);
        return profile === read ? answer(read) : write({ profile: replaceProfile(profile, read) }, profile);
      },
    },
    context,
  );

export const updateOwnProfile = api(routes.updateOwnProfile, async ({ body, caller, context }) => {
  const { profileID, compositeID, email, id, ...changes } = body;
  const profile = await change(caller.email, { profileID, compositeID, email, id }, changes, context);
  return ok({ message: "Profile updated.", profile: profileAnswer(profile) });
});
