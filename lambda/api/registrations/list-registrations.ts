import { seesDietAndPhone, withoutDietAndPhone } from "#api/records/diet-and-phone.ts";
import { registrationAnswer } from "#api/records/registration-answer.ts";
import type { Registration } from "#api/records/schemas.ts";
import { readPlaceInLine } from "#domain/capacity/line.ts";
import { readSeats } from "#domain/capacity/seats.ts";
import type { EventKey } from "#domain/events/event.ts";
import { allEvents } from "#domain/events/list.ts";
import { readEvent } from "#domain/events/store.ts";
import { sealedTicketCode, ticketKey, withTicketCode } from "#domain/registrations/links/ticket-key.ts";
import type { ListedRegistration } from "#domain/registrations/record/stored-form.ts";
import { readAttendance } from "#domain/registrations/store/attendance.ts";
import { offersOf } from "#domain/registrations/store/offers.ts";
import {
  listKeyOf,
  listShape,
  readRegistration,
  readRegistrationsOf,
  registrationsOf,
} from "#domain/registrations/store/store.ts";
import { requiredEnv } from "#kit/env.ts";
import { NotAllowed, NotFound, ValidationFailed } from "#kit/errors.ts";
import { decodeCursor } from "#kit/lists/cursor.ts";
import { merged, nextHeader, type Page, type Portion, portionOf, takeTexts } from "#kit/lists/pages.ts";
import { type Answer, csv, ok, okText } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import type { Caller } from "#kit/request/caller.ts";
import { zoneOf } from "#kit/text/time-zone.ts";
import { noteDownload } from "#outbox/downloads.ts";
import { type Filter, filterFrom, listHashOf, rowTestOf } from "./list-filters.ts";
import { registrationTable } from "./registration-table.ts";
import * as routes from "./routes.ts";
import type { RegistrationFilters } from "./schemas.ts";

const timeZone = requiredEnv("TIME_ZONE");

/** A list: its filter, and the requested page. */
interface List extends Filter {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
}

/** @throws ValidationFailed the cursor belongs to another list */
const listFrom = (filter: Filter, { limit, cursor }: RegistrationFilters): List => ({
  ...filter,
  limit,
  after: decodeCursor(cursor, listShape(filter), listHashOf(filter)),
});

/** What a page takes of a list. */
const pageOf = (list: List) => ({
  limit: list.limit,
  filterHash: listHashOf(list),
  isWanted: rowTestOf(list),
  sortKeyOf: listKeyOf,
});

/** The text of a row in the answer. */
type TextOf = (row: ListedRegistration) => string;

/** What the caller sees of a row of a list. */
type Seen = (row: ListedRegistration) => ListedRegistration;

const withoutInformation: Seen = (row) => ({ ...row, basicInformation: withoutDietAndPhone(row.basicInformation) });

/** A list of one person has all of it. */
const seenBy = (caller: Pick<Caller, "email">, email: string | undefined): Seen =>
  email !== undefined || seesDietAndPhone(caller) ? (row) => row : withoutInformation;

/** A person has few registrations: all are read, then sorted. */
async function ofPerson(email: string, list: List, textOf: TextOf): Promise<Page<string>> {
  const { after = "" } = list;
  const rows = (await readRegistrationsOf(email))
    .filter(
      ({ status, eventID, year }) =>
        status !== "deleted" && (list.id ?? eventID) === eventID && (list.year ?? year) === year,
    )
    .filter((row) => listKeyOf(row) > after)
    .sort((a, b) => (listKeyOf(a) < listKeyOf(b) ? -1 : 1));
  return takeTexts(rows, pageOf(list), textOf);
}

/** The registrations of the event's present generation. A consumer may still be removing those of an earlier one. */
async function* ofEvent(event: EventKey, portion: Portion, after?: string): AsyncGenerator<ListedRegistration> {
  const rows = registrationsOf(event, portion, after);
  const [seats, first] = await Promise.all([readSeats(event, "eventual"), rows.next()]);
  if (!seats || seats.state === "DELETED" || first.done) return;
  const isPresent = (row: ListedRegistration) => row.generation === seats.generation;
  if (isPresent(first.value)) yield first.value;
  for await (const row of rows) if (isPresent(row)) yield row;
}

/** Rows of each event in the first read of several events. */
const firstRowsOfEach = 10;

/**
 * A key of a list without the email: the order of a list over several events. Registrations of one event with the same
 * queueKey have the order of the index.
 */
const withoutEmail = (listKey: string): string => listKey.split("#", 4).join("#");

/** The registrations of an event after a row of a list over several events. */
async function* ofEventBehind(event: EventKey, portion: Portion, after?: string): AsyncGenerator<ListedRegistration> {
  for await (const row of ofEvent(event, portion, after)) {
    if (after === undefined || withoutEmail(listKeyOf(row)) >= withoutEmail(after)) yield row;
  }
}

/** All years of an event, all events of a year, or all events: merges the lists of the events. */
async function overEvents(list: List, textOf: TextOf): Promise<Page<string>> {
  const page = pageOf(list);
  const events = (await allEvents()).filter(({ id, year }) => (list.id ?? id) === id && (list.year ?? year) === year);
  const needsFew = page.limit !== undefined || page.isWanted !== undefined;
  const portion = needsFew ? { first: firstRowsOfEach } : {};
  const lists = events.map((event) => ofEventBehind(event, portion, list.after));
  return takeTexts(
    merged(lists, (row) => withoutEmail(listKeyOf(row))),
    page,
    textOf,
  );
}

/** A page of a list, each row as its text in the answer. */
function pageFor(list: List, textOf: TextOf): Promise<Page<string>> {
  const { email, id, year, after } = list;
  if (email !== undefined) return ofPerson(email, list, textOf);
  if (id === undefined || year === undefined) return overEvents(list, textOf);
  const page = pageOf(list);
  const rows = ofEvent({ id, year }, portionOf(page), after);
  return takeTexts(rows, page, textOf);
}

/** Admins see the code, and who has changed a registration last. Lists of several people do not have the latter. */
const forAdmin = (
  { email, updatedAt: at, changedBy = email, code }: ListedRegistration,
  isAdmin: boolean,
  isOne = true,
) => (isAdmin ? { code, ...(isOne && { lastChange: { at, by: changedBy } }) } : {});

/** Admins see from whom a person has a seat, and to whom the person has offered one or handed it on. */
async function transfersOf({ email, offer, gave, handed }: ListedRegistration, event: EventKey, isAdmin: boolean) {
  if (!isAdmin || (offer === undefined && !gave && !handed)) return {};
  const theirs = (await offersOf(event)).filter((one) => one.email === email || one.by === email);
  return {
    transfers: theirs
      .filter(({ mark, acceptedAt }) => acceptedAt !== undefined || mark === offer)
      .map(({ by: from, email: to, createdAt: offeredAt, acceptedAt }) => ({
        ...{ from, to, offeredAt },
        ...(acceptedAt !== undefined && { acceptedAt }),
      })),
  };
}

/** The answer for one person and one event has the place in line. */
async function single(
  email: string,
  event: EventKey,
  { isAdmin }: Pick<Caller, "isAdmin">,
  isWanted = (_: ListedRegistration) => true,
) {
  const row = await readRegistration({ email, event }, "strong");
  if (!row || row.status === "deleted" || !isWanted(row)) return [];
  const place = row.status === "waitlist" ? await readPlaceInLine(event, row) : undefined;
  const more = { ...forAdmin(row, isAdmin), ...(await transfersOf(row, event, isAdmin)) };
  return [registrationAnswer(row, { place, ...more, ...(await withTicketCode(row)) })];
}

/**
 * @throws ValidationFailed the filter names no event
 * @throws NotFound
 */
async function csvOf(list: List, shown: Seen): Promise<Answer> {
  const { id, year } = list;
  if (id === undefined || year === undefined) {
    const path = id === undefined ? "/eventID" : "/year";
    throw new ValidationFailed([{ path, message: "is required: a table has the columns of one event's questions" }]);
  }
  const event = await readEvent({ id, year });
  if (!event) throw new NotFound("Event");
  const table = registrationTable(event, zoneOf(event, timeZone));
  const page = await pageFor(list, (row) => table.lineOf(shown(row)));
  return csv(table, page, `${id}-${year}-registrations`);
}

/** Most rows of a page with attendance, which costs a query for each person. */
const mostWithAttendance = 100;

/** The rows with how often each person came to the events before. @param now epoch milliseconds */
async function withAttendance(rows: readonly Registration[], now: number): Promise<Registration[]> {
  const attendance = await readAttendance(
    rows.map(({ email }) => email),
    now,
  );
  return rows.map((row) => ({ ...row, attendance: attendance.get(row.email) }));
}

/** @throws NotAllowed ValidationFailed */
function assertMayAsk({ format, attendance }: RegistrationFilters, isAdmin: boolean): void {
  if (format === "csv" && !isAdmin) throw new NotAllowed("Only an admin can ask for format=csv.");
  if (attendance && !isAdmin) throw new NotAllowed("Only an admin can ask for attendance=true.");
  if (attendance && format === "csv") {
    throw new ValidationFailed([{ path: "/attendance", message: "is not part of a table" }]);
  }
}

export const listRegistrations = api(routes.listRegistrations, async ({ query, caller, now, context }) => {
  assertMayAsk(query, caller.isAdmin);
  const list = listFrom(filterFrom(query, timeZone), query);
  const { email, id, year } = list;
  const shown = seenBy(caller, email);
  if (query.format === "csv") {
    await noteDownload("registrations", { email, eventID: id, year }, context);
    return csvOf(list, shown);
  }
  if (email !== undefined && id !== undefined && year !== undefined) {
    const rows = await single(email, { id, year }, caller, rowTestOf(list));
    const data = query.attendance ? await withAttendance(rows, now) : rows;
    return ok({ size: data.length, data });
  }
  const key = email === undefined ? undefined : await ticketKey();
  const codeOf = ({ ticketId, ...row }: ListedRegistration) =>
    key === undefined || ticketId === undefined ? {} : sealedTicketCode({ ...row, ticketId }, key);
  const extrasOf = (row: ListedRegistration) => ({
    ...codeOf(row),
    ...forAdmin(row, caller.isAdmin, email !== undefined),
  });
  const textOf: TextOf = (row) => JSON.stringify(registrationAnswer(shown(row), extrasOf(row)));
  if (query.attendance) {
    const limit = Math.min(list.limit ?? mostWithAttendance, mostWithAttendance);
    const page = await pageFor({ ...list, limit }, textOf);
    const data = await withAttendance(
      page.rows.map((text) => JSON.parse(text) as Registration),
      now,
    );
    return ok({ size: data.length, data }, nextHeader(page));
  }
  const page = await pageFor(list, textOf);
  return okText(`{"size":${page.rows.length},"data":[${page.rows.join(",")}]}`, nextHeader(page));
});
