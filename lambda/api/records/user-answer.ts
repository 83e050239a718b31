import type { User } from "#api/records/schemas.ts";
import { lastMoment } from "#domain/people/members/terms.ts";
import type { UserRecord } from "#domain/people/users/store.ts";
import { isMemberAt } from "#domain/people/users/user.ts";

/**
 * A user record as the person and admins see it. The web application uses both names of the favourites.
 * @param now epoch milliseconds: whether the person is a member then
 */
export function userAnswer({ email, favEvents, memberUntil, ...user }: UserRecord, now: number): User {
  const { PK, SK, GSI1PK, GSI1SK, favoured, calendarId, ...fields } = user as typeof user & Record<string, unknown>;
  const isMember = isMemberAt({ isMember: user.isMember, memberUntil }, now);
  const ends = memberUntil === undefined ? {} : { memberUntil: lastMoment(memberUntil) };
  return {
    id: email,
    email,
    ...fields,
    isMember,
    ...ends,
    favEvents: [...favEvents],
    "favedEventsID;year": [...favEvents],
  };
}
