/** Maps an account of the previous backend. Pure. */
import { NewUser as schema } from "#api/users/schemas.ts";
import { maxFavourites, type UserRecord } from "#domain/people/users/store.ts";
import { type NewUser, newUser } from "#domain/people/users/user.ts";
import { fitTo } from "./fit.ts";
import { eventKeyOf, eventName } from "./keys.ts";
import { type Change, type Mapped, Reading, type Row, studentNumber } from "./reading.ts";

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

export function mapUser(row: Row, { hasMembership, hasEvent, adminDomain, timeZone }: UserFacts): Mapped<UserRecord> {
  const changes: Change[] = [];
  const reading = new Reading(row, changes);
  const email = reading.email("id", "email");
  for (const name of ["id", "email"]) reading.raw(name);
  if (email === undefined) return { refused: "the id is no email address", changes };
  const details = {
    fname: reading.text("fname"),
    lname: reading.text("lname"),
    faculty: reading.text("faculty"),
    major: reading.text("major"),
    year: reading.text("year"),
    studentId: studentNumber(reading, "studentId"),
    diet: reading.text("diet"),
    gender: reading.text("gender"),
    education: reading.text("education"),
    university: reading.text("university"),
  };
  const marked = reading.flag("isMember") ?? false;
  const isMember = marked || hasMembership(email);
  if (isMember && !marked) reading.note("isMember", "a member, because the table of members has the person");
  if (marked && !hasMembership(email)) reading.note("isMember", "kept: marked as a member, without a membership");
  const admin = reading.flag("admin");
  const favEvents = favourites(reading, hasEvent);
  const createdAt = reading.time("createdAt", timeZone) ?? reading.time("updatedAt", timeZone) ?? 0;
  const updatedAt = reading.time("updatedAt", timeZone) ?? createdAt;
  reading.leftOut();
  const fitted = fit(details, changes);
  if ("refused" in fitted) return { refused: fitted.refused, changes };
  const user = newUser(fitted.value, { email, isMember, adminDomain, now: createdAt });
  if (admin !== undefined && admin !== user.admin) {
    reading.note("admin", "decided by the email's domain", admin, user.admin);
  }
  return { record: { ...user, favEvents, updatedAt }, changes };
}
