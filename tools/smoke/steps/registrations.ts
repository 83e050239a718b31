/** An event that becomes full: seats, line, promotion and counts. */
import type { components } from "../../../client/index.ts";
import { answered } from "../step-kit/api.ts";
import { asAdmin, expectMade, type Run, type Step } from "../step-kit/step.ts";
import { Failed, until } from "../step-kit/waiting.ts";
import { signIn, simulatorAddress } from "./sign-in.ts";

/** Far in the future, so that lists and home pages show real events first. */
export const year = 2099;
const seats = 3;
/** More people than seats, who register concurrently. */
const rush = 7;
const longestWait = 60_000;

const eventPath = ({ id }: Run) => `/events/${id}/${year}`;
/** The address at which the admin deletes a registration. */
export const registrationPath = (email: string, eventID: string) =>
  `/registrations/${encodeURIComponent(email)}?eventID=${eventID}&year=${year}`;

/** The registrants: first people with an account, then guests whom the admin registers. */
const crowd = ({ id, found }: Run): string[] => [
  ...found.people.map(({ email }) => email),
  ...Array.from({ length: 1 + rush - found.people.length }, (_, n) => simulatorAddress(id, `guest-${n + 1}`)),
];

/** The token of the person; the admin's for a guest, and for everybody at a hidden event. */
const tokenFor = ({ found, hidden }: Run, email: string): string | undefined => {
  const person = hidden ? undefined : found.people.find((one) => one.email === email);
  return (person ?? found.admin)?.token;
};

/** @param eventID by default the event of the run */
export const register = (run: Run, email: string, eventID = run.id) =>
  run.api.as(tokenFor(run, email)).POST("/registrations", {
    body: { eventID, year, email, fname: "Smoke", basicInformation: { fname: "Smoke", lname: run.id } },
  });

type Registration = components["schemas"]["Registration"];

/** The registrations of the event, from the index, or of one person at it, from the table. */
export async function registrations(run: Run, email?: string, eventID = run.id): Promise<Registration[]> {
  const query = { eventID, year, ...(email !== undefined && { email }) };
  return answered(200, "GET /registrations", await asAdmin(run).GET("/registrations", { params: { query } })).data;
}

/** Waits until the registration is visible. @returns milliseconds */
async function seenAfter(run: Run, email: string, look: () => Promise<Registration[]>): Promise<number> {
  const begun = performance.now();
  return until(longestWait, `the registration of ${email}`, run.stop, async () =>
    (await look()).some((row) => row.email === email) ? Math.round(performance.now() - begun) : undefined,
  );
}

type Counts = Pick<
  NonNullable<components["schemas"]["EventWithPeople"]["counts"]>,
  "registeredCount" | "waitlistCount" | "seatsTaken" | "remaining"
>;

/** Waits until the event has these counts. */
const counted = (run: Run, counts: Counts): Promise<true> => {
  const wanted = Object.entries(counts) as [keyof Counts, number | null][];
  const text = wanted.map(([name, count]) => `${name} ${count}`).join(", ");
  return until(longestWait, `the wait for ${text}`, run.stop, async () => {
    const params = { path: { eventId: run.id, year }, query: { count: true } };
    const answer = await asAdmin(run).GET("/events/{eventId}/{year}", { params });
    const { counts: found } = answered(200, `GET ${eventPath(run)}`, answer);
    return wanted.every(([name, count]) => found?.[name] === count) || undefined;
  });
};

/** The fields of the run's event. */
export const eventBody = ({ id, hidden }: Run) => ({
  id,
  year,
  ename: `Smoke run ${id}`,
  capac: seats,
  startDate: `${year}-12-01T18:00:00Z`,
  isPublished: !hidden,
});

export const event: Step = {
  name: "event",
  needs: [signIn],
  async take(run) {
    expectMade(run, `the event ${run.id}`, `${eventPath(run)}?force=true`);
    answered(201, "POST /events", await asAdmin(run).POST("/events", { body: eventBody(run) }));
    return `${run.id} ${year} has ${seats} seats${run.hidden ? ", and only admins see it" : ""}.`;
  },
};

export const fullEvent: Step = {
  name: "registrations",
  needs: [event],
  async take(run) {
    const [first = "", ...others] = crowd(run);
    for (const email of [first, ...others]) {
      expectMade(run, `the registration of ${email}`, registrationPath(email, run.id));
    }
    answered(201, "POST /registrations", await register(run, first));
    const [read, listed] = await Promise.all([
      seenAfter(run, first, () => registrations(run, first)),
      seenAfter(run, first, () => registrations(run)),
    ]);
    run.found.measured.push(
      `index lag: the list of the event had a new registration after ${listed} ms, the consistent read after ${read} ms.`,
    );

    const before = run.api.answers.length;
    const answers = await Promise.all(others.map((email) => register(run, email)));
    const repeats = run.api.answers.slice(before).filter(({ repeat }) => repeat).length;
    run.found.measured.push(`conflicts: ${repeats} answers to a rush of ${rush} asked to repeat (503, Retry-After).`);
    const statuses = answers.map((answer) => answered(201, "POST /registrations", answer).registrationStatus);
    const waiting = statuses.filter((status) => status === "waitlist").length;
    const registered = statuses.filter((status) => status === "registered").length;
    if (registered !== seats - 1 || waiting !== rush - registered) {
      throw new Failed(`of ${rush} people for ${seats - 1} seats ${registered} are registered and ${waiting} wait.`);
    }
    await counted(run, { registeredCount: seats, waitlistCount: waiting, seatsTaken: seats, remaining: 0 });
    return `${seats} people have the seats, ${waiting} wait, and the counts are right.`;
  },
};

export const promotion: Step = {
  name: "promotion",
  needs: [fullEvent],
  async take(run) {
    const [leaving = "", ...others] = crowd(run);
    const rows = (await Promise.all(others.map((email) => registrations(run, email)))).flat();
    const next = rows.find(({ waitlistPosition }) => waitlistPosition === 1);
    const waiting = rows.filter(({ registrationStatus }) => registrationStatus === "waitlist").length;
    if (next === undefined) throw new Failed("no person is the first in line.");
    const body = { eventID: run.id, year, registrationStatus: "cancelled" } as const;
    const params = { path: { email: leaving, fname: "smoke" } };
    const api = run.api.as(tokenFor(run, leaving));
    answered(200, "PUT /registrations", await api.PUT("/registrations/{email}/{fname}", { params, body }));
    const begun = performance.now();
    await until(longestWait, `the promotion of ${next.email}`, run.stop, async () => {
      const [row] = await registrations(run, next.email);
      return row?.registrationStatus === "registered" || undefined;
    });
    const milliseconds = Math.round(performance.now() - begun);
    run.found.measured.push(`promotion: the first in line had the seat ${milliseconds} ms after it came free.`);
    await counted(run, { registeredCount: seats, waitlistCount: waiting - 1, seatsTaken: seats, remaining: 0 });
    return "a person cancelled, the first in line has the seat, and the counts are right.";
  },
};
