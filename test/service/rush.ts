/** Helpers for tests in which many people register at once: the requests, and the state of the table afterwards. */

import type { AnsweredCall } from "../../tools/laptop/dynamodb/index.ts";
import { type Answer, year } from "./given.ts";
import type { ServiceStage } from "./stage.ts";

/** @returns how often each outcome occurs: the HTTP status with the registration's status or the code of the error */
export function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const outcome = `${status} ${body?.registrationStatus ?? body?.code ?? body?.message ?? ""}`.trim();
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/**
 * Registers a person as the web app does: with a key, and so again while it is not known what the request has done. On
 * a busy machine a function's call of the table may take longer than its limit.
 */
export const registerSurely = ({ api }: ServiceStage, eventID: string, email: string): Promise<Answer> =>
  api("POST", "/registrations", {
    as: email,
    body: { eventID, year, email },
    headers: { "idempotency-key": `${eventID}-${email}` },
  });

/** Options of a stage whose table throttles busy keys, and the number of its throttled requests. */
export function throttledTable(partitionLimit: number) {
  let count = 0;
  const onTableCall = ({ refusal = "" }: AnsweredCall) => {
    if (refusal.includes("Throttling")) count += 1;
  };
  return { options: { partitionLimit, onTableCall }, throttled: () => count };
}

/** Reads the counters and the line of an event from the table, and its registrations from the API. */
export async function storedOf(stage: ServiceStage, id: string) {
  const seats = await stage.storedSeats(id);
  const line = await stage.stored(`WAIT#${id}#${year}`);
  const { body } = await stage.list(`/registrations?eventID=${id}&year=${year}`);
  const rows = body.data as { email: string; registrationStatus: string }[];
  const withStatus = (status: string) => rows.filter(({ registrationStatus }) => registrationStatus === status);
  return {
    seats: seats as { seats: number; registered: number; capacity: number; gate: string },
    line: line as { email: string; SK: string }[],
    registered: withStatus("registered").map(({ email }) => email),
    waiting: withStatus("waitlist").map(({ email }) => email),
  };
}
