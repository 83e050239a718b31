/** `GET /audit` (`docs/contract.md`, "Audit"). */
import { toUtc } from "#domain/events/dates.ts";
import { requiredEnv } from "#kit/env.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { csvTable, timeCell, timeColumn } from "#kit/lists/csv.ts";
import { decodeCursor, encodeCursor, filterHashOf } from "#kit/lists/cursor.ts";
import { nextHeader } from "#kit/lists/pages.ts";
import { type Answer, csv, ok } from "#kit/request/answer.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { readable } from "#kit/text/text.ts";
import { noteDownload } from "#outbox/downloads.ts";
import { type AuditedChange, isRowId, trail } from "#outbox/trail.ts";
import type { AuditFilters } from "./schemas.ts";

const timeZone = requiredEnv("TIME_ZONE");
const usualLimit = 100;

/** @throws ValidationFailed an event without a year, or a year without an event */
function filterFrom({ eventID, year, email, actor, from }: AuditFilters) {
  if ((eventID === undefined) !== (year === undefined)) {
    const path = eventID === undefined ? "/eventID" : "/year";
    throw new ValidationFailed([{ path, message: "is required: both name an event" }]);
  }
  return { eventID, year, email, actor, from: from === undefined ? undefined : Date.parse(toUtc(from, timeZone)) };
}

const wantedBy =
  ({ eventID, year, email, actor, from = 0 }: ReturnType<typeof filterFrom>) =>
  (change: AuditedChange): boolean =>
    change.at >= from &&
    (eventID === undefined || (change.eventID === eventID && change.year === year)) &&
    (email === undefined || change.email === email) &&
    (actor === undefined || change.actor === actor);

const isoMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** A value as JSON. A moment is one on the stage's clocks. */
function valueText(field: string, value: unknown): string {
  const shown = readable(field, value);
  const isMoment = typeof shown === "string" && isoMoment.test(shown);
  return JSON.stringify(isMoment ? timeCell(Date.parse(shown), timeZone) : shown) ?? "";
}

/** A change as text: `points: 3 -> 5`, or the field alone when its values are not noted. */
const changeText = ({ field, before, after }: NonNullable<AuditedChange["changes"]>[number]): string =>
  before === undefined && after === undefined
    ? field
    : `${field}: ${valueText(field, before)} -> ${valueText(field, after)}`;

const table = csvTable<AuditedChange>([
  timeColumn("At", ({ at }) => at, timeZone),
  ["By", ({ actor }) => actor],
  ["Action", ({ action }) => action],
  ["Person", ({ email = "" }) => email],
  ["Event", ({ eventID = "", year }) => (year === undefined ? eventID : `${eventID};${year}`)],
  ["Record", ({ of = "" }) => of],
  ["Changes", ({ changes = [] }) => changes.map(changeText).join("; ")],
  ["Reason", ({ reason = "" }) => reason],
  ["Request", ({ requestId }) => requestId],
]);

export async function readAudit(query: AuditFilters, context: RequestContext): Promise<Answer> {
  const filter = filterFrom(query);
  const filterHash = filterHashOf(filter);
  const before = decodeCursor(query.cursor, isRowId, filterHash);
  if (query.format === "csv") await noteDownload("audit", filter, context);
  const { rows, next: last } = await trail(wantedBy(filter), {
    ...{ limit: query.limit ?? usualLimit, now: context.now },
    ...{ before, from: filter.from },
  });
  const page = { rows, ...(last !== undefined && { next: encodeCursor(last, filterHash) }) };
  if (query.format === "csv") return csv(table, { ...page, rows: rows.map(table.lineOf) }, "audit");
  return ok({ size: rows.length, data: rows.map(({ id: _id, ...change }) => change) }, nextHeader(page));
}
