import type { EventKey } from "#domain/events/event.ts";
import { everyEvent } from "#domain/events/list.ts";
import { readEvent } from "#domain/events/store.ts";
import { positionInLine } from "#domain/registrations/line/store.ts";
import type { RegistrationRecord } from "#domain/registrations/registration.ts";
import { readSeats } from "#domain/registrations/seats/store.ts";
import { byEvent, byPerson, listShape, readRegistration } from "#domain/registrations/store.ts";
import { withTicketCode } from "#domain/registrations/tickets/codes.ts";
import { type Answer, csv, ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { decodeCursor, sortKeyOf as keyOf, part } from "#kit/cursor.ts";
import { NotAllowed, NotFound, ValidationFailed } from "#kit/errors.ts";
import { formats } from "#kit/formats.ts";
import { nextHeader, type Page, queryItems, takePage } from "#kit/pages.ts";
import { registrationAnswer } from "./registration-answer.ts";
import * as routes from "./routes.ts";
import type { RegistrationFilters } from "./schemas.ts";

/** What a list is narrowed to; every part that is given counts. */
interface Filter {
  readonly email?: string;
  readonly id?: string;
  readonly year?: number;
  readonly limit?: number;
  readonly after?: string;
}

const compositeKey = /^(.+);(\d{4})$/;

/** @throws ValidationFailed when the composite key is malformed, or says something else than its parts */
function filterFrom(query: RegistrationFilters): Filter {
  const { eventID, year, email, limit } = query;
  const filter = { email, id: eventID, year, limit };
  const composite = query["eventID;year"];
  if (composite === undefined) return filter;
  const [, id = "", digits] = compositeKey.exec(composite) ?? [];
  const agrees = (eventID ?? id) === id && (year ?? Number(digits)) === Number(digits);
  if (!formats["event-id"].check(id) || !agrees) {
    throw new ValidationFailed([
      { path: "/eventID;year", message: "must be <event id>;<year> and agree with the rest" },
    ]);
  }
  return { ...filter, id, year: Number(digits) };
}

/** Creation orders a list; the rest makes the order total. */
const sortKeyOf = ({ createdAt, eventID, year, email }: RegistrationRecord): string =>
  `${createdAt}#${eventID}#${year}#${email}`;

/** One event is listed as it is stored, everything else sorted as a whole. */
const isOneEvent = ({ email, id, year }: Filter): boolean =>
  email === undefined && id !== undefined && year !== undefined;

/** @throws ValidationFailed when it is not a cursor of the list that the filter makes */
function readCursor(cursor: string | undefined, filter: Filter): Filter {
  const { email, id, year } = filter;
  const sorted = [part.time, part.only(id, part.eventId), part.only(year, part.year), part.only(email, part.email)];
  const shape = isOneEvent(filter) ? listShape(year as number) : keyOf(...sorted);
  return { ...filter, after: decodeCursor(cursor, shape) };
}

const inOrder = (rows: RegistrationRecord[]): RegistrationRecord[] =>
  rows.sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));

async function collect(items: AsyncIterable<RegistrationRecord>): Promise<RegistrationRecord[]> {
  const rows: RegistrationRecord[] = [];
  for await (const item of items) rows.push(item);
  return rows;
}

const takeSorted = (rows: RegistrationRecord[], { limit, after = "" }: Filter): Promise<Page<RegistrationRecord>> =>
  takePage(
    inOrder(rows).filter((row) => sortKeyOf(row) > after),
    { limit, sortKeyOf },
  );

/** A person's registrations are few: they are read whole, then sorted. */
async function ofPerson(email: string, filter: Filter): Promise<Page<RegistrationRecord>> {
  const all = await collect(queryItems<RegistrationRecord>(byPerson(email)));
  const wanted = all.filter(
    ({ status, eventID, year }) =>
      status !== "deleted" && (filter.id ?? eventID) === eventID && (filter.year ?? year) === year,
  );
  return takeSorted(wanted, filter);
}

/** Registrations of the event as it exists; those of an earlier incarnation are being cleared away. */
async function* ofEvent(event: EventKey, after?: string): AsyncGenerator<RegistrationRecord & { GSI1SK: string }> {
  const seats = await readSeats(event, "eventual");
  if (!seats || seats.state === "DELETED") return;
  for await (const row of queryItems<RegistrationRecord & { GSI1SK: string }>(byEvent(event.id, event.year, after))) {
    if (row.incarnation === seats.incarnation) yield row;
  }
}

/** All years of an event, or all events of a year, or everything: walks the events, sorted as a whole. */
async function overEvents(filter: Filter): Promise<Page<RegistrationRecord>> {
  const events = (await everyEvent()).filter(
    ({ id, year }) => (filter.id ?? id) === id && (filter.year ?? year) === year,
  );
  const lists = await Promise.all(events.map((event) => collect(ofEvent(event))));
  return takeSorted(lists.flat(), filter);
}

function listFor(filter: Filter): Promise<Page<RegistrationRecord>> {
  const { email, id, year, limit, after } = filter;
  if (email !== undefined) return ofPerson(email, filter);
  if (id === undefined || year === undefined) return overEvents(filter);
  return takePage(ofEvent({ id, year }, after), { limit, sortKeyOf: ({ GSI1SK }) => GSI1SK });
}

/** One person and one event are named: the answer says the place in line. */
async function single(email: string, event: EventKey) {
  const row = await readRegistration({ email, event }, "strong");
  if (!row || row.status === "deleted") return [];
  const isWaiting = row.status === "waitlist";
  const waitlistPosition = isWaiting ? await positionInLine(event, row.waitKey, row.incarnation) : undefined;
  return [registrationAnswer(row, { waitlistPosition, ...(await withTicketCode(row)) })];
}

/** @throws ValidationFailed no event is named  @throws NotFound */
async function csvOf(filter: Filter): Promise<Answer> {
  const { id, year } = filter;
  if (id === undefined || year === undefined) {
    const path = id === undefined ? "/eventID" : "/year";
    throw new ValidationFailed([{ path, message: "is required: a table has the columns of one event's questions" }]);
  }
  const [event, page] = await Promise.all([readEvent({ id, year }), listFor(filter)]);
  if (!event) throw new NotFound("Event");
  const { registrationTable } = await import("./registration-table.ts");
  return csv(registrationTable(event, page.rows), `${id}-${year}-registrations.csv`, nextHeader(page));
}

export const listRegistrations = api(routes.listRegistrations, async ({ query, caller }) => {
  const asked = filterFrom(query);
  const mayNotSee = !caller.isAdmin && asked.email !== undefined && asked.email !== caller.email;
  if (query.format === "csv" && !caller.isAdmin) throw new NotAllowed();
  if (mayNotSee) return ok({ size: 0, data: [] });
  const filter = readCursor(query.cursor, caller.isAdmin ? asked : { ...asked, email: caller.email });
  const { email, id, year } = filter;
  if (query.format !== "csv" && email !== undefined && id !== undefined && year !== undefined) {
    const data = await single(email, { id, year });
    return ok({ size: data.length, data });
  }
  if (query.format === "csv") return csvOf(filter);
  const page = await listFor(filter);
  const data = await Promise.all(page.rows.map(async (row) => registrationAnswer(row, await withTicketCode(row))));
  return ok({ size: data.length, data }, nextHeader(page));
});
