/** `GET /events/{eventId}/{year}/report` (`docs/contract.md`, "Report"). */

import { readSeats } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { readEvent } from "#domain/events/store.ts";
import { formTypes } from "#domain/feedback/form.ts";
import { submissionsOf } from "#domain/feedback/store.ts";
import { formKey, ratingsOf } from "#domain/feedback/submission.ts";
import { paymentsOf } from "#domain/payments/record/payment-store.ts";
import { totalsOf } from "#domain/payments/treasurer/totals.ts";
import { keepReport, readKept, registrationsReport } from "#domain/registrations/store/report.ts";
import { departuresOf, registrationsOf } from "#domain/registrations/store/store.ts";
import { requiredEnv } from "#kit/env.ts";
import { NotFound } from "#kit/errors.ts";
import { allOf } from "#kit/lists/pages.ts";
import { ok } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import { zoneOf } from "#kit/text/time-zone.ts";
import * as routes from "./routes.ts";
import type { Report } from "./schemas.ts";

const timeZone = requiredEnv("TIME_ZONE");

async function feedbackOf(event: EventRecord) {
  const submissions = await Promise.all(formTypes.map((formType) => submissionsOf(formKey(event, formType))));
  return ratingsOf(submissions.flat());
}

/** In cents. What was paid for a deleted event of this name is not the event's. */
async function moneyOf(event: EventRecord) {
  const { id, year, createdAt: from } = event;
  return totalsOf(await allOf(paymentsOf({ kind: "event", event: { id, year } }, { from })));
}

/** A report that was kept before it had all sums. */
const whole = ({ money, codes = [], ...report }: Report): Report => ({
  ...report,
  codes,
  money: { ...totalsOf([]), ...money },
});

export const getReport = api(routes.getReport, async ({ params: { eventId: id, year }, now }) => {
  const event = await readEvent({ id, year });
  if (!event) throw new NotFound("Event");
  const kept = await readKept<Report>(event);
  if (kept) return ok(whole(kept));
  const [rows, deleted, seats, feedback, money] = await Promise.all([
    allOf(registrationsOf(event)),
    departuresOf(event),
    readSeats(event, "eventual"),
    feedbackOf(event),
    moneyOf(event),
  ]);
  const ofGeneration = rows.filter(({ generation }) => generation === event.generation);
  const counts = registrationsReport(event, ofGeneration, deleted, seats ?? {}, zoneOf(event, timeZone), now);
  const report: Report = { ...counts, feedback, money, at: now };
  await keepReport(event, report);
  return ok(report);
});
