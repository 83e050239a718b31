/** Maps an account of the previous backend. Pure. */
import { NewUser as schema } from "#api/users/schemas.ts";
import { maxFavourites, type UserRecord } from "#domain/people/users/store.ts";
import { type NewUser, newUser } from "#domain/people/users/user.ts";
import { fitTo } from "./fit.ts";
import { eventKeyOf, eventName } from "./keys.ts";
import { type Mapped, mapped, Reading, type Row, studentNumber } from "./reading.ts";

export interface UserFacts {
  /** Whether the person is in the newest table of members. */
  readonly hasMembership: (email: string) => boolean;
  /** Whether the event `<id>;<year>` is imported. */
  readonly hasEvent: (name: string) => boolean;
  readonly adminDomain: string;
  /** Of times without a zone. */
  readonly timeZone: string;
}

const fit = fitTo<NewUser>(schema);

export const userName = (row: Row): string | undefined => new Reading(row).email("id", "email");

/** The favourites that are imported events. */
function favourites(reading: Reading, hasEvent: UserFacts["hasEvent"]): string[] {
  const name = "favedEventsID;year";
  const given = reading.list(name, { most: 10_000, longest: 100 }) ?? [];
  const known = given.flatMap((text) => {
    const key = eventKeyOf(text);
    return key !== undefined && hasEvent(eventName(key)) ? [eventName(key)] : [];
  });
  const each = [...new Set(known)];
  const kept = each.slice(0, maxFavourites);
  if (known.length < given.length) reading.note(name, "left out: favourites without an event", given, kept);
  if (each.length > maxFavourites) reading.note(name, `at most ${maxFavourites} favourites`, given, kept);
  return kept;
}

const texts = ["fname", "lname", "faculty", "major", "year", "diet", "gender", "education", "university"] as const;

export const mapUser = (row: Row, { hasMembership, hasEvent, adminDomain, timeZone }: UserFacts): Mapped<UserRecord> =>
  mapped(row, (reading) => {
    const email = reading.key();
    const details = { ...reading.texts(texts), studentId: studentNumber(reading, "studentId") };
    const marked = reading.flag("isMember") ?? false;
    const isMember = marked || hasMembership(email);
    if (isMember && !marked) reading.note("isMember", "a member, because the table of members has the person");
    if (marked && !hasMembership(email)) reading.note("isMember", "kept: marked as a member, without a membership");
    const admin = reading.flag("admin");
    const favEvents = favourites(reading, hasEvent);
    const { createdAt, updatedAt } = reading.times(timeZone);
    reading.leftOut();
    const user = newUser(fit(details, reading), { email, isMember, adminDomain, now: createdAt });
    if (admin !== undefined && admin !== user.admin) {
      reading.note("admin", "decided by the email's domain", admin, user.admin);
    }
    return { ...user, favEvents, updatedAt };
  });
