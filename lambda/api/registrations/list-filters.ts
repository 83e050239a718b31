/** The filters of `GET /registrations` (`docs/contract.md`, "Registrations"). Pure. */
import { toUtc } from "#domain/events/dates.ts";
import { statusFrom } from "#domain/registrations/form/requested-state.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { type RegistrationStatus, registrationStatuses } from "#domain/registrations/record/statuses.ts";
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import { filterHashOf } from "#kit/lists/cursor.ts";
import { formats } from "#kit/schema/formats.ts";
import type { RegistrationFilters } from "./schemas.ts";

const compositeKey = /^(.+);(\d{4})$/;

/** The event and year in the three parameters. */
function namedEvent({ eventID, year, "eventID;year": composite }: RegistrationFilters) {
  if (composite === undefined) return { id: eventID, year };
  const [, id = "", digits] = compositeKey.exec(composite) ?? [];
  const agrees = (eventID ?? id) === id && (year ?? Number(digits)) === Number(digits);
  if (!formats["event-id"].check(id) || !agrees) {
    refuse({ path: "/eventID;year", message: "must be <event id>;<year> and agree with the rest" });
  }
  return { id, year: Number(digits) };
}

/** The statuses, sorted, each once. */
function statusesIn(text: string | undefined): RegistrationStatus[] | undefined {
  if (text === undefined) return undefined;
  const statuses = text.split(",").map(
    (entry) =>
      statusFrom(entry) ??
      refuse({
        path: "/status",
        message: `must be one of ${registrationStatuses.join(", ")}, or several with commas between them`,
      }),
  );
  return [...new Set(statuses)].sort();
}

/** An unescaped `+` of an offset in a query value arrives as a space. */
const lostPlus = /^(\d{4}-\d{2}-\d{2}[T ][\d:.]+) (?=\d{2}:?\d{2}$)/i;

/** A time in epoch milliseconds. */
const epochMilliseconds = /^\d{1,16}$/;

/** The time of the filter `changedSince` in epoch milliseconds. */
function timeIn({ changedSince, afterTimestamp }: RegistrationFilters, timeZone: string): number | undefined {
  const text = changedSince ?? afterTimestamp;
  if (text === undefined) return undefined;
  if ((afterTimestamp ?? text) !== text)
    refuse({ path: "/afterTimestamp", message: "must be the same as changedSince" });
  const given = text.trim();
  if (epochMilliseconds.test(given)) return Number(given);
  const date = given.replace(lostPlus, "$1+");
  if (!formats["iso-date"].check(date)) {
    refuse({
      path: changedSince === undefined ? "/afterTimestamp" : "/changedSince",
      message: "must be epoch milliseconds or an ISO 8601 date or date-time",
    });
  }
  return Date.parse(toUtc(date, timeZone));
}

function refuse(issue: Issue): never {
  throw new ValidationFailed([issue]);
}

/**
 * The filter that a query asks for.
 * @param timeZone IANA name, for a time without an offset
 * @throws ValidationFailed a value is malformed, or conflicts with another one
 */
export const filterFrom = (query: RegistrationFilters, timeZone: string) => ({
  ...namedEvent(query),
  email: query.email,
  statuses: statusesIn(query.status),
  isPartner: query.isPartner,
  changedSince: timeIn(query, timeZone),
});

/** The filters of a list. All that are given apply. */
export type Filter = ReturnType<typeof filterFrom>;

type FilteredFields = Pick<RegistrationRecord, "status" | "isPartner" | "updatedAt">;

/** Creates the predicate of a filter. Undefined when event, year and person suffice. */
export function rowTestOf({
  statuses,
  isPartner,
  changedSince,
}: Pick<Filter, "statuses" | "isPartner" | "changedSince">): ((row: FilteredFields) => boolean) | undefined {
  if (statuses === undefined && isPartner === undefined && changedSince === undefined) return undefined;
  return (row) =>
    (statuses === undefined || (statuses as readonly string[]).includes(row.status)) &&
    (isPartner ?? row.isPartner) === row.isPartner &&
    row.updatedAt >= (changedSince ?? 0);
}

/** Ties cursors to a filtered list; undefined for a list of event, year and person alone. */
export const listHashOf = ({ email, id, year, statuses, isPartner, changedSince }: Filter): string | undefined =>
  rowTestOf({ statuses, isPartner, changedSince }) &&
  filterHashOf({ email, id, year, statuses, isPartner, changedSince });
