/** What became of an event's registrations, in numbers (`docs/contract.md`, "Report"). */

import type { Seats } from "#domain/capacity/seats.ts";
import { type EventDates, isOver } from "#domain/events/dates.ts";
import type { EventRecord, RegistrationQuestion } from "#domain/events/event.ts";
import { commit, getItem, put } from "#kit/table/table.ts";
import { hour } from "#kit/text/time.ts";
import { dateAt } from "#kit/text/time-zone.ts";
import { keyOf } from "#outbox/stored-kinds.ts";
import { questionsFor } from "../form/answers.ts";
import { reportOf } from "../record/acts.ts";
import { arrivedOf, peopleIn } from "../record/plus-ones.ts";
import { codeInUse, hasEnded, holdsSeat, leftAtOf, type RegistrationRecord } from "../record/registration.ts";
import { stateOf } from "../record/statuses.ts";
import type { ListedRegistration } from "../record/stored-form.ts";

const fiveMinutes = 300_000;
/** Milliseconds before the start from which on a cancellation is late. */
const late = 24 * hour;

/** How many there are of each value, by value. */
function tallied<K extends string, V extends string | number>(values: readonly V[], name: K) {
  const counts = new Map<V, number>();
  for (const value of [...values].sort()) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ [name]: value, count }) as Record<K, V> & { readonly count: number });
}

const offersChoices = ({ type }: RegistrationQuestion): boolean =>
  type === "SELECT" || type === "CHECKBOX" || type === "WORKSHOP_SELECTION";

/** What people with a seat chose, by question. Texts are not among it: an answer beside the choices counts as `other`. */
function chosenBy(event: Partial<EventRecord>, seated: readonly ListedRegistration[]) {
  const answered = (row: ListedRegistration, questionId: string): readonly string[] =>
    [row.dynamicResponses[questionId] ?? []].flat();
  return (["registrationQuestions", "partnerRegistrationQuestions"] as const).flatMap((list) =>
    (event[list] ?? []).filter(offersChoices).map(({ questionId, label, choices = [] }) => {
      const people = seated.filter((row) => questionsFor(row, event) === event[list]);
      const answers = people.map((row) => ({ chosen: answered(row, questionId), came: row.status === "checkedIn" }));
      return {
        questionId,
        label,
        choices: choices.map((choice) => {
          const by = answers.filter(({ chosen }) => chosen.includes(choice));
          return { choice, count: by.length, came: by.filter(({ came }) => came).length };
        }),
        other: answers.filter(({ chosen }) => chosen.some((one) => !choices.includes(one))).length,
        unanswered: answers.filter(({ chosen }) => chosen.length === 0).length,
      };
    }),
  );
}

/**
 * The report of one generation of an event. Pure.
 * @param rows all registrations of it, without tombstones
 * @param deleted the tombstones of those who have left
 * @param seats of it
 * @param timeZone of the days, IANA name
 * @param now epoch milliseconds
 */
export function registrationsReport(
  event: EventDates & Partial<EventRecord>,
  rows: readonly ListedRegistration[],
  deleted: readonly Pick<RegistrationRecord, "left" | "leftAt">[],
  { promoted = 0 }: Pick<Seats, "promoted">,
  timeZone: string,
  now: number,
) {
  const { startDate } = event;
  const seated = rows.filter(holdsSeat);
  const came = [...rows.filter(({ status }) => status === "checkedIn"), ...rows.flatMap(arrivedOf)];
  const left = [
    ...rows.filter(({ status }) => status === "cancelled").map((row) => ({ by: row.left, at: leftAtOf(row) })),
    ...deleted.map(({ left: by, leftAt = 0 }) => ({ by, at: leftAt })),
  ].map(({ by, at }) => ({ as: reportOf(by), at }));
  const cancelled = left.filter(({ as }) => as === "cancelled" || as === "cancelled by link");
  const lateFrom = startDate === undefined ? Number.POSITIVE_INFINITY : Date.parse(startDate) - late;
  const cancelledLate = cancelled.filter(({ at }) => at >= lateFrom).length;
  const coming = rows.filter((row) => row.coming !== undefined && !hasEnded(row));
  return {
    registered: peopleIn(seated),
    partners: seated.filter(({ isPartner }) => isPartner).length,
    came: came.length,
    ...(isOver(event, now) && { noShows: peopleIn(seated) - came.length }),
    promoted,
    waiting: peopleIn(rows.filter(({ status }) => status === "waitlist")),
    applicants: rows.filter((row) => stateOf(row) === "applicant").length,
    rejected: rows.filter(({ status }) => status === "rejected").length,
    cancelled: cancelled.length,
    cancelledLate,
    cancelledByLink: cancelled.filter(({ as }) => as === "cancelled by link").length,
    handedOn: left.filter(({ as }) => as === "handed on").length,
    lapsed: left.filter(({ as }) => as === "lapsed").length,
    codes: tallied(
      rows.flatMap((row) => codeInUse(row)?.id ?? []),
      "id",
    ),
    saidTheyCome: coming.length,
    saidTheyComeAndCame: coming.filter(({ status }) => status === "checkedIn").length,
    answers: chosenBy(event, seated),
    registrationsByDay: tallied(
      rows.map(({ createdAt }) => dateAt(createdAt, timeZone)),
      "day",
    ),
    checkIns: tallied(
      came.flatMap(({ checkedInAt = 0 }) => (checkedInAt > 0 ? [checkedInAt - (checkedInAt % fiveMinutes)] : [])),
      "from",
    ),
  };
}

/** Milliseconds after the end of an event until its report is kept: scans, feedback and refunds have come by then. */
const keptAfter = 30 * 24 * hour;

/** Whether a report counted at this time is kept. @param at epoch milliseconds */
const isKept = (event: EventRecord, at: number): boolean => isOver(event, at - keptAfter);

const keptKey = ({ id, year, generation }: EventRecord) => keyOf("kept report", { id, year, generation });

/** The kept report of an event. One of an event that was moved since is none. */
export async function readKept<Report extends { readonly at: number }>(
  event: EventRecord,
): Promise<Report | undefined> {
  const item = await getItem<{ readonly report: Report }>(keptKey(event), "eventual");
  return item && isKept(event, item.report.at) ? item.report : undefined;
}

/** Keeps a report for good, once nothing should change it any more. It names no person. */
export async function keepReport(event: EventRecord, report: { readonly at: number }): Promise<void> {
  if (isKept(event, report.at)) await commit({ report: put({ ...keptKey(event), report }, "last wins") });
}
