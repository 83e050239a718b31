import type { User } from "#api/records/schemas.ts";
import type { UserRecord } from "#domain/people/users/store.ts";

/** A user record as the person and admins see it. The web application uses both names of the favourites. */
export function userAnswer({ email, favEvents, ...user }: UserRecord): User {
  const { PK, SK, GSI1PK, GSI1SK, favoured, calendarId, ...fields } = user as typeof user & Record<string, unknown>;
  return { id: email, email, ...fields, favEvents: [...favEvents], "favedEventsID;year": [...favEvents] };
}
