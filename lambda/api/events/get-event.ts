import { registrationAnswer } from "#api/records/registration-answer.ts";
import { userAnswer } from "#api/records/user-answer.ts";
import { recentCount } from "#domain/capacity/recent-count.ts";
import { poolOf, readSeats } from "#domain/capacity/seats.ts";
import { type EventKey, type EventRecord, editedEvent } from "#domain/events/event.ts";
import { maySee } from "#domain/events/list.ts";
import { readEvent } from "#domain/events/store.ts";
import { readUsers, type UserRecord } from "#domain/people/users/store.ts";
import type { ListedRegistration } from "#domain/registrations/record/stored-form.ts";
import { waitsBehindOthers } from "#domain/registrations/store/no-shows.ts";
import { listKeyOf, listShape, registrationsOf } from "#domain/registrations/store/store.ts";
import { NotAllowed, NotFound } from "#kit/errors.ts";
import { decodeCursor } from "#kit/lists/cursor.ts";
import { portionOf, takeTexts } from "#kit/lists/pages.ts";
import { okText } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import { etagOf } from "#kit/request/etag.ts";
import { lookedUp, lookUp } from "./codes.ts";
import { countsFrom } from "./counts.ts";
import { eventAnswer } from "./event-answer.ts";
import * as routes from "./routes.ts";

/** Reads the counters and the number of waiting people, never the registrations. */
async function readCounts(key: EventKey, event: Promise<EventRecord | undefined>, now: number) {
  const [known, seats] = await Promise.all([event, readSeats(key, "eventual")]);
  if (!known || !seats) return undefined;
  const waiting = await Promise.all([
    recentCount(key, seats, now),
    seats.partnerGate ? recentCount(key, poolOf(seats, "partners"), now) : 0,
  ]);
  return countsFrom(known, seats, waiting);
}

/** Registrations whose accounts are read at once. */
const rowsAtOnce = 200;

/** The registrations of the event's present generation with their users. Users are read ahead for a few rows only. */
async function* withUsers(rows: AsyncIterable<ListedRegistration>, event: Promise<EventRecord | undefined>) {
  let some: ListedRegistration[] = [];
  const joined = async () => {
    const emails = some.map(({ email }) => email);
    const users: ReadonlyMap<string, UserRecord> = await readUsers(emails, "eventual");
    return some.map((row) => ({ ...row, user: users.get(row.email) }));
  };
  for await (const row of rows) {
    if (row.generation === (await event)?.generation) some.push(row);
    if (some.length < rowsAtOnce) continue;
    yield* await joined();
    some = [];
  }
  yield* await joined();
}

/** The registrations of the event's present generation with their users, in pages. */
async function readRegistrations(
  key: EventKey,
  event: Promise<EventRecord | undefined>,
  { limit, cursor }: { limit?: number; cursor?: string },
  now: number,
) {
  const rows = registrationsOf(key, portionOf({ limit, isWanted: undefined }), decodeCursor(cursor, listShape(key)));
  return takeTexts(withUsers(rows, event), { limit, sortKeyOf: listKeyOf }, ({ user, ...row }) =>
    JSON.stringify({ ...registrationAnswer(row, { code: row.code }), user: user ? userAnswer(user, now) : null }),
  );
}

export const getEvent = api(routes.getEvent, async ({ params, query, caller, now, context }) => {
  if (query.users && !caller?.isAdmin) throw new NotAllowed("Only an admin can ask for users=true.");
  const key = { id: params.eventId, year: params.year };
  // Admins save this answer back with its ETag. Other people only read it.
  const reading = readEvent(key, caller?.isAdmin ? "strong" : "eventual");
  const code = query.code?.trim();
  const [event, counts, registrations, lookup] = await Promise.all([
    reading,
    query.count ? readCounts(key, reading, now) : undefined,
    query.users ? readRegistrations(key, reading, query, now) : undefined,
    code ? lookUp(code, key, reading, caller, context) : undefined,
  ]);
  if (!event || !(maySee(event, caller, now) || lookup?.opens)) throw new NotFound("Event");
  const isBehind = caller && !caller.isAdmin && (await waitsBehindOthers(event, caller.email, now));
  const body = JSON.stringify({
    ...eventAnswer(event, now, caller?.isAdmin),
    ...(lookup && { code: lookedUp(lookup, event) }),
    ...(isBehind && { behindOthers: true }),
    ...(counts && {
      counts,
      registeredCount: counts.registeredCount,
      checkedInCount: counts.checkedInCount,
      waitlistCount: counts.waitlistCount,
    }),
  });
  const listed = registrations && `,"registrations":[${registrations.rows.join(",")}]`;
  return okText(`${body.slice(0, -1)}${listed ?? ""}}`, {
    ...etagOf(editedEvent(event)),
    ...(registrations?.next && { "x-next-cursor": registrations.next }),
  });
});
