import { type Issue, ValidationFailed } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { isSame } from "#kit/schema/validation.ts";
import { answer, edit, write } from "#kit/table/execute.ts";
import { changedProfile, compositeIdOf, type ProfileChanges, type ProfileRecord } from "./profile.ts";
import { readProfile, replaceProfile } from "./store.ts";

/** The identifiers of a profile and its person in a request. */
export interface Names {
  readonly profileID?: unknown;
  readonly compositeID?: unknown;
  readonly email?: unknown;
  readonly id?: unknown;
}

/** @throws ValidationFailed the request identifies another profile or person */
function refuseOther(names: Names, profile: ProfileRecord): void {
  const { profileID, email } = profile;
  const own: Record<keyof Names, string> = { profileID, compositeID: compositeIdOf(profile), email, id: email };
  const issues = (Object.keys(own) as (keyof Names)[])
    .filter((name) => names[name] !== undefined && !isSame(names[name], own[name]))
    .map((name): Issue => ({ path: `/${name}`, message: `must be ${own[name]}, or absent: it cannot be changed` }));
  if (issues.length > 0) throw new ValidationFailed(issues);
}

/** @throws NotFound ValidationFailed */
export const changeProfile = (
  email: string,
  names: Names,
  changes: ProfileChanges,
  context: RequestContext,
): Promise<ProfileRecord> =>
  edit(
    "Profile",
    () => readProfile(email),
    (read) => {
      refuseOther(names, read);
      const profile = changedProfile(read, changes, context.now);
      return profile === read ? answer(read) : write({ profile: replaceProfile(profile, read) }, profile);
    },
    context,
  );
