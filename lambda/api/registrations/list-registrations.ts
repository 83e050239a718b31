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
import { allOf, nextHeader, type Page, queryItems, takePage } from "#kit/pages.ts";
import { registrationAnswer } from "./registration-answer.ts";
import * as routes from "./routes.ts";
import type { RegistrationFilters } from "./schemas.ts";

/** The filters of a list. All that are given apply. */
interface Filter {
  readonly email?: string;
  readonly id?: string;
  readonly year?: number;
  readonly limit?: number;
  readonly after?: string;
}

const compositeKey = /^(.+);(\d{4})$/;

/** @throws ValidationFailed the composite key is malformed, or contradicts the other filters */
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

/** Sorted by creation; the other parts make the order total. */
const sortKeyOf = ({ createdAt, eventID, year, email }: RegistrationRecord): string =>
  `${createdAt}#${eventID}#${year}#${email}`;

/** The list of one event has the order of the index. All other lists are sorted as a whole. */
const isOneEvent = ({ email, id, year }: Filter): boolean =>
  email === undefined && id !== undefined && year !== undefined;

/** @throws ValidationFailed the cursor is not one of the list that the filter makes */
function readCursor(cursor: string | undefined, filter: Filter): Filter {
  const { email, id, year } = filter;
  const sorted = [part.time, part.only(id, part.eventId), part.only(year, part.year), part.only(email, part.email)];
  const shape = isOneEvent(filter) ? listShape(year as number) : keyOf(...sorted);
  return { ...filter, after: decodeCursor(cursor, shape) };
}

const inOrder = (rows: RegistrationRecord[]): RegistrationRecord[] =>
  rows.sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));

const takeSorted = (rows: RegistrationRecord[], { limit, after = "" }: Filter): Promise<Page<RegistrationRecord>> =>
  takePage(
    inOrder(rows).filter((row) => sortKeyOf(row) > after),
    { limit, sortKeyOf },
  );

/** A person has few registrations: they are all read, then sorted. */
async function ofPerson(email: string, filter: Filter): Promise<Page<RegistrationRecord>> {
  const all = await allOf(queryItems<RegistrationRecord>(byPerson(email)));
  const wanted = all.filter(
    ({ status, eventID, year }) =>
      status !== "deleted" && (filter.id ?? eventID) === eventID && (filter.year ?? year) === year,
  );
  return takeSorted(wanted, filter);
}

/** The registrations of the event's present generation. A consumer is still removing those of an earlier one. */
async function* ofEvent(event: EventKey, after?: string): AsyncGenerator<RegistrationRecord & { GSI1SK: string }> {
  const seats = await readSeats(event, "eventual");
  if (!seats || seats.state === "DELETED") return;
  for await (const row of queryItems<RegistrationRecord & { GSI1SK: string }>(byEvent(event.id, event.year, after))) {
    if (row.incarnation === seats.incarnation) yield row;
  }
}

/** All years of an event, all events of a year, or all events: reads them event by event, and sorts them as a whole. */
async function overEvents(filter: Filter): Promise<Page<RegistrationRecord>> {
  const events = (await everyEvent()).filter(
    ({ id, year }) => (filter.id ?? id) === id && (filter.year ?? year) === year,
  );
  const lists = await Promise.all(events.map((event) => allOf(ofEvent(event))));
  return takeSorted(lists.flat(), filter);
}

function listFor(filter: Filter): Promise<Page<RegistrationRecord>> {
  const { email, id, year, limit, after } = filter;
  if (email !== undefined) return ofPerson(email, filter);
  if (id === undefined || year === undefined) return overEvents(filter);
  return takePage(ofEvent({ id, year }, after), { limit, sortKeyOf: ({ GSI1SK }) => GSI1SK });
}

/** The answer for one person and one event has the place in line. */
async function single(email: string, event: EventKey) {
  const row = await readRegistration({ email, event }, "strong");
  if (!row || row.status === "deleted") return [];
  const isWaiting = row.status === "waitlist";
  const waitlistPosition = isWaiting ? await positionInLine(event, row.waitKey, row.incarnation) : undefined;
  return [registrationAnswer(row, { waitlistPosition, ...(await withTicketCode(row)) })];
}

/**
 * @throws ValidationFailed the filter names no event
 * @throws NotFound
 */
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
  if (query.format === "csv" && !caller.isAdmin) throw new NotAllowed("Only an admin can ask for format=csv.");
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
