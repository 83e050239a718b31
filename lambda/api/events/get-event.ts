import { registrationAnswer } from "#api/registrations/registration-answer.ts";
import { userAnswer } from "#api/users/user-answer.ts";
import { type EventKey, type EventRecord, editedEvent } from "#domain/events/event.ts";
import { maySee } from "#domain/events/list.ts";
import { readEvent } from "#domain/events/store.ts";
import { type UserRecord, userKey } from "#domain/people/users/store.ts";
import { readKeptCount } from "#domain/registrations/line/kept-count.ts";
import { countLine, readLineEnd } from "#domain/registrations/line/store.ts";
import { waitingIn } from "#domain/registrations/line/waiting.ts";
import type { RegistrationRecord } from "#domain/registrations/registration.ts";
import { readSeats } from "#domain/registrations/seats/store.ts";
import {
  byEvent,
  listShape as registrationListShape,
  listSortKey as registrationSortKey,
} from "#domain/registrations/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { decodeCursor } from "#kit/cursor.ts";
import { NotAllowed, NotFound } from "#kit/errors.ts";
import { etagOf } from "#kit/etag.ts";
import { queryItems, takePage } from "#kit/pages.ts";
import { getItems } from "#kit/table.ts";
import { countsFrom } from "./counts.ts";
import { eventAnswer } from "./event-answer.ts";
import * as routes from "./routes.ts";

/** Reads the counters, the end of the line and the kept count of the people who wait, and never the registrations. */
async function readCounts(key: EventKey, event: Promise<EventRecord | undefined>) {
  const [known, seats, end, kept] = await Promise.all([
    event,
    readSeats(key, "eventual"),
    readLineEnd(key),
    readKeptCount(key, "eventual"),
  ]);
  if (!known || !seats) return undefined;
  const waiting = waitingIn(end, kept, seats.incarnation) ?? (await countLine(key, seats.incarnation));
  return countsFrom(known, seats, waiting);
}

/** The registrations of the event's present generation with their users, in pages. */
async function readRegistrations(
  key: EventKey,
  event: Promise<EventRecord | undefined>,
  { limit, cursor }: { limit?: number; cursor?: string },
) {
  const after = decodeCursor(cursor, registrationListShape(key.year));
  const page = await takePage(queryItems<RegistrationRecord>(byEvent(key.id, key.year, after)), {
    limit,
    sortKeyOf: registrationSortKey,
  });
  const incarnation = (await event)?.incarnation;
  const registrations = page.rows.filter((row) => row.incarnation === incarnation);
  const users = await getItems<UserRecord>(
    registrations.map(({ email }) => userKey(email)),
    "eventual",
  );
  const byKey = new Map(users.map((user) => [user.PK, user]));
  const joined = registrations.map((row) => {
    const user = byKey.get(userKey(row.email).PK);
    return { row, answer: { ...registrationAnswer(row), user: user ? userAnswer(user) : null } };
  });
  // The users may make the page too large for one answer.
  const { rows, next } = await takePage(joined, { sortKeyOf: ({ row }) => registrationSortKey(row) });
  return { answers: rows.map(({ answer }) => answer), next: next ?? page.next };
}

export const getEvent = api(routes.getEvent, async ({ params, query, caller }) => {
  if (query.users && !caller?.isAdmin) throw new NotAllowed("Only an admin can ask for users=true.");
  const key = { id: params.eventId, year: params.year };
  const reading = readEvent(key);
  const [event, counts, registrations] = await Promise.all([
    reading,
    query.count ? readCounts(key, reading) : undefined,
    query.users ? readRegistrations(key, reading, query) : undefined,
  ]);
  if (!event || !maySee(event, caller)) throw new NotFound("Event");
  return ok(
    {
      ...eventAnswer(event),
      ...(counts && {
        counts,
        registeredCount: counts.registeredCount,
        checkedInCount: counts.checkedInCount,
        waitlistCount: counts.waitlistCount,
      }),
      ...(registrations && { registrations: registrations.answers }),
    },
    {
      ...etagOf(editedEvent(event)),
      ...(registrations?.next && { "x-next-cursor": registrations.next }),
    },
  );
});
