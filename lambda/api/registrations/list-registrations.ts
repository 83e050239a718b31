import type { EventKey } from "#domain/events/event.ts";
import { everyEvent } from "#domain/events/list.ts";
import { readEvent } from "#domain/events/store.ts";
import { readPlaceInLine } from "#domain/registrations/line/store.ts";
import type { RegistrationRecord } from "#domain/registrations/registration.ts";
import { readSeats } from "#domain/registrations/seats/store.ts";
import { byEvent, byPerson, listShape, readRegistration } from "#domain/registrations/store.ts";
import { withTicketCode } from "#domain/registrations/tickets/codes.ts";
import { type Answer, csv, ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { decodeCursor, sortKeyOf as keyOf, part } from "#kit/cursor.ts";
import { requiredEnv } from "#kit/env.ts";
import { NotAllowed, NotFound, ValidationFailed } from "#kit/errors.ts";
import {
  allOf,
  merged,
  nextHeader,
  type Page,
  type Portion,
  portionOf,
  queryItems,
  queryPortion,
  takePage,
} from "#kit/pages.ts";
import { type Filter, filterFrom, markOfFilter, rowTestOf } from "./list-filters.ts";
import { registrationAnswer } from "./registration-answer.ts";
import * as routes from "./routes.ts";
import type { RegistrationFilters } from "./schemas.ts";

const timeZone = requiredEnv("TIME_ZONE");

/** A list: its filter, and the page that a request asks for. */
interface List extends Filter {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
}

/** Sorted by creation; the other parts make the order total. */
const sortKeyOf = ({ createdAt, eventID, year, email }: RegistrationRecord): string =>
  `${createdAt}#${eventID}#${year}#${email}`;

/** The list of one event has the order of the index. All other lists are sorted as a whole. */
const isOneEvent = ({ email, id, year }: Filter): boolean =>
  email === undefined && id !== undefined && year !== undefined;

/** @throws ValidationFailed the cursor is not one of the list that the filter makes */
function listFrom(filter: Filter, { limit, cursor }: RegistrationFilters): List {
  const { email, id, year } = filter;
  const sorted = [part.time, part.only(id, part.eventId), part.only(year, part.year), part.only(email, part.email)];
  const shape = isOneEvent(filter) ? listShape(year as number) : keyOf(...sorted);
  return { ...filter, limit, after: decodeCursor(cursor, shape, markOfFilter(filter)) };
}

/** What a page takes of a list. */
const pageOf = (list: List) => ({ limit: list.limit, mark: markOfFilter(list), isWanted: rowTestOf(list) });

/** The rows behind the cursor. */
const behind =
  (after = "") =>
  (row: RegistrationRecord): boolean =>
    sortKeyOf(row) > after;

/** A person has few registrations: they are all read, then sorted. */
async function ofPerson(email: string, list: List): Promise<Page<RegistrationRecord>> {
  const all = await allOf(queryItems<RegistrationRecord>(byPerson(email)));
  const rows = all
    .filter(
      ({ status, eventID, year }) =>
        status !== "deleted" && (list.id ?? eventID) === eventID && (list.year ?? year) === year,
    )
    .filter(behind(list.after))
    .sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));
  return takePage(rows, { ...pageOf(list), sortKeyOf });
}

type Row = RegistrationRecord & { readonly GSI1SK: string };

/** The registrations of the event's present generation. A consumer is still removing those of an earlier one. */
async function* ofEvent(event: EventKey, portion: Portion, after?: string): AsyncGenerator<Row> {
  const seats = await readSeats(event, "eventual");
  if (!seats || seats.state === "DELETED") return;
  for await (const row of queryPortion<Row>(byEvent(event.id, event.year, after), portion)) {
    if (row.incarnation === seats.incarnation) yield row;
  }
}

/** Rows of each event that the first look at several events reads, when the page needs few. */
const firstRowsOfEach = 10;

/** The registrations of an event that may stand behind a row of a list over several events. */
async function* ofEventBehind(event: EventKey, portion: Portion, after?: string): AsyncGenerator<RegistrationRecord> {
  const createdAt = after?.split("#", 1)[0];
  const isBehind = behind(after);
  for await (const row of ofEvent(event, portion, createdAt && `${event.year}#${createdAt}`)) {
    if (isBehind(row)) yield row;
  }
}

/** All years of an event, all events of a year, or all events: as one list, from the lists of the events. */
async function overEvents(list: List): Promise<Page<RegistrationRecord>> {
  const page = pageOf(list);
  const events = (await everyEvent()).filter(({ id, year }) => (list.id ?? id) === id && (list.year ?? year) === year);
  const needsFew = page.limit !== undefined || page.isWanted !== undefined;
  const portion = needsFew ? { first: firstRowsOfEach } : {};
  const lists = events.map((event) => ofEventBehind(event, portion, list.after));
  return takePage(merged(lists, sortKeyOf), { ...page, sortKeyOf });
}

function pageFor(list: List): Promise<Page<RegistrationRecord>> {
  const { email, id, year, after } = list;
  if (email !== undefined) return ofPerson(email, list);
  if (id === undefined || year === undefined) return overEvents(list);
  const page = pageOf(list);
  return takePage(ofEvent({ id, year }, portionOf(page), after), { ...page, sortKeyOf: ({ GSI1SK }) => GSI1SK });
}

/** The answer for one person and one event has the place in line. */
async function single(email: string, event: EventKey, isWanted = (_: RegistrationRecord) => true) {
  const row = await readRegistration({ email, event }, "strong");
  if (!row || row.status === "deleted" || !isWanted(row)) return [];
  const place = row.status === "waitlist" ? await readPlaceInLine(event, row) : undefined;
  return [registrationAnswer(row, { place, ...(await withTicketCode(row)) })];
}

/**
 * @throws ValidationFailed the filter names no event
 * @throws NotFound
 */
async function csvOf(list: List): Promise<Answer> {
  const { id, year } = list;
  if (id === undefined || year === undefined) {
    const path = id === undefined ? "/eventID" : "/year";
    throw new ValidationFailed([{ path, message: "is required: a table has the columns of one event's questions" }]);
  }
  const [event, page] = await Promise.all([readEvent({ id, year }), pageFor(list)]);
  if (!event) throw new NotFound("Event");
  const { registrationTable } = await import("./registration-table.ts");
  return csv(registrationTable(event, page.rows), `${id}-${year}-registrations.csv`, nextHeader(page));
}

export const listRegistrations = api(routes.listRegistrations, async ({ query, caller }) => {
  const asked = filterFrom(query, timeZone);
  const mayNotSee = !caller.isAdmin && asked.email !== undefined && asked.email !== caller.email;
  if (query.format === "csv" && !caller.isAdmin) throw new NotAllowed("Only an admin can ask for format=csv.");
  if (mayNotSee) return ok({ size: 0, data: [] });
  const list = listFrom(caller.isAdmin ? asked : { ...asked, email: caller.email }, query);
  const { email, id, year } = list;
  if (query.format !== "csv" && email !== undefined && id !== undefined && year !== undefined) {
    const data = await single(email, { id, year }, rowTestOf(list));
    return ok({ size: data.length, data });
  }
  if (query.format === "csv") return csvOf(list);
  const page = await pageFor(list);
  const data = await Promise.all(page.rows.map(async (row) => registrationAnswer(row, await withTicketCode(row))));
  return ok({ size: data.length, data }, nextHeader(page));
});
