/** Helpers for tests in which many people register at once: the requests, and the state of the table afterwards. */
import type { Answer, ServiceStage } from "./stage.ts";
import { exec } from "./stage.ts";

export const year = 2030;

export async function givenEvent(stage: ServiceStage, id: string, capac: number): Promise<void> {
  const body = { id, year, ename: id, capac, startDate: "2030-05-01T18:00" };
  const { status } = await stage.api("POST", "/events", { as: exec, body });
  if (status !== 201) throw new Error(`The event ${id} was not created: ${status}`);
}

export const registerAt = (stage: ServiceStage, eventID: string) => (email: string) =>
  stage.api("POST", "/registrations", { as: email, body: { eventID, year, email } });

/** @returns how often each outcome occurs: the HTTP status with the registration's status or the code of the error */
export function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const outcome = `${status} ${body?.registrationStatus ?? body?.code ?? body?.message ?? ""}`.trim();
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** Reads the counters and the line of an event from the table, and its registrations from the API. */
export async function storedOf(stage: ServiceStage, id: string) {
  const [seats] = await stage.stored(`SEAT#${id}#${year}#00`);
  const line = await stage.stored(`WAIT#${id}#${year}`);
  const { body } = await stage.api("GET", `/registrations?eventID=${id}&year=${year}`, { as: exec });
  const rows = body.data as { email: string; registrationStatus: string }[];
  const withStatus = (status: string) => rows.filter(({ registrationStatus }) => registrationStatus === status);
  return {
    seats: seats as { seats: number; registered: number; cap: number; gate: string },
    line: line as { email: string; waitKey: string }[],
    registered: withStatus("registered").map(({ email }) => email),
    waiting: withStatus("waitlist").map(({ email }) => email),
  };
}
