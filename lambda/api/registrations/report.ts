/** `GET /events/{eventId}/{year}/report` (`docs/contract.md`, "Report"). */
import { readSeats } from "#domain/capacity/seats.ts";
import type { EventKey, EventRecord } from "#domain/events/event.ts";
import { readEvent } from "#domain/events/store.ts";
import { formTypes, overallRating } from "#domain/feedback/form.ts";
import { submissionsOf } from "#domain/feedback/store.ts";
import { formKey } from "#domain/feedback/submission.ts";
import { sumsOf } from "#domain/payments/payment.ts";
import { paymentsOf } from "#domain/payments/payment-store.ts";
import { keepReport, readKept, registrationsReport } from "#domain/registrations/store/report.ts";
import { registrationsOf } from "#domain/registrations/store/store.ts";
import { requiredEnv } from "#kit/env.ts";
import { NotFound } from "#kit/errors.ts";
import { allOf } from "#kit/lists/pages.ts";
import { ok } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import * as routes from "./routes.ts";
import type { Report } from "./schemas.ts";

const timeZone = requiredEnv("TIME_ZONE");

async function feedbackOf(event: EventRecord) {
  const submissions = await Promise.all(formTypes.map((formType) => submissionsOf(formKey(event, formType))));
  const ratings = submissions.flat().map(({ responses }) => Number(responses[overallRating.questionId]));
  const mean = ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length;
  return { count: ratings.length, ...(ratings.length > 0 && { mean: Math.round(mean * 100) / 100 }) };
}

/** In cents. */
async function moneyOf(event: EventKey) {
  const sums = (await allOf(paymentsOf({ kind: "event", event }))).map(sumsOf);
  const sumOf = (name: keyof (typeof sums)[number]) => sums.reduce((sum, one) => sum + one[name], 0);
  return { payments: sums.length, came: sumOf("came"), wentBack: sumOf("wentBack"), open: sumOf("open") };
}

export const getReport = api(routes.getReport, async ({ params: { eventId: id, year }, now }) => {
  const event = await readEvent({ id, year });
  if (!event) throw new NotFound("Event");
  const kept = await readKept<Report>(event);
  if (kept) return ok(kept);
  const [rows, seats, feedback, money] = await Promise.all([
    allOf(registrationsOf(event)),
    readSeats(event, "eventual"),
    feedbackOf(event),
    moneyOf(event),
  ]);
  const ofGeneration = rows.filter(({ generation }) => generation === event.generation);
  const counts = registrationsReport(event, ofGeneration, seats ?? {}, timeZone, now);
  const report: Report = { ...counts, feedback, money, at: now };
  await keepReport(event, report);
  return ok(report);
});
