/**
 * Checks what is in the table after an import: the invariants of the service, and each count against the source. It
 * reads only.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { EventRecord } from "#domain/events/event.ts";
import { readEvent } from "#domain/events/store.ts";
import { everyMember } from "#domain/people/members/person-records.ts";
import { profileIdKey, profileKey } from "#domain/people/profiles/store.ts";
import { pageOfUsers, userKey } from "#domain/people/users/store.ts";
import { readLine } from "#domain/registrations/line/store.ts";
import { pointsThatCount } from "#domain/registrations/points/points.ts";
import { countersOf, holdsSeat, type RegistrationRecord } from "#domain/registrations/registration.ts";
import { gates, type Place, type Seats, seatSettings } from "#domain/registrations/seats/seats.ts";
import { readSeats } from "#domain/registrations/seats/store.ts";
import { byEvent, byPerson } from "#domain/registrations/store.ts";
import { chunk } from "#kit/chunk.ts";
import { queryItems } from "#kit/pages.ts";
import { getItems, type Key } from "#kit/table.ts";
import { eventKeyOf, eventName } from "./map/keys.ts";
import type { Mapping } from "./survey.ts";

export interface Checked {
  /** Sentences about what is wrong. Empty: all is well. */
  readonly problems: readonly string[];
  /** Registrations of the source by what they are in the table. */
  readonly registrations: Readonly<Record<"same" | "otherStatus" | "missing" | "onlyHere", number>>;
  readonly seats: number;
  readonly waiting: number;
  readonly users: number;
  readonly members: number;
  readonly events: number;
}

/** A list is read from an index, which may lag behind the table. */
const mostReads = 20;
const pauseMilliseconds = 500;

interface EventState {
  readonly event: EventRecord;
  readonly seats: Seats | undefined;
  readonly registrations: readonly RegistrationRecord[];
  readonly line: readonly Place[];
}

async function stateOf(event: EventRecord): Promise<EventState> {
  const seats = await readSeats(event, "strong");
  const registrations: RegistrationRecord[] = [];
  for await (const one of queryItems<RegistrationRecord>(byEvent(event.id, event.year))) registrations.push(one);
  const line: Place[] = [];
  for await (const places of readLine(event, event.incarnation)) line.push(...places);
  const own = registrations.filter(({ incarnation }) => incarnation === event.incarnation);
  return { event, seats, registrations: own, line };
}

const counterNames = ["seats", "registered", "checkedIn", "incomplete", "accepted", "applicants", "partners"] as const;

/** What contradicts what in the state of one event. Pure. */
export function contradictions({ event, seats, registrations, line }: EventState): string[] {
  const name = eventName(event);
  if (!seats) return [`${name}: there are no seats`];
  const problems: string[] = [];
  const unequal = (what: string, counted: unknown, stored: unknown) => {
    if (counted !== stored) problems.push(`${name}: ${what} are ${counted} by the registrations, but ${stored} stored`);
  };
  const sums: Record<string, number> = {};
  const choices: Record<string, number> = {};
  for (const registration of registrations) {
    for (const [counter, by] of Object.entries(countersOf(registration))) sums[counter] = (sums[counter] ?? 0) + by;
    if (!holdsSeat(registration)) continue;
    for (const one of Object.entries(registration.choices)) {
      const key = JSON.stringify(one);
      choices[key] = (choices[key] ?? 0) + 1;
    }
  }
  for (const counter of counterNames) unequal(counter, sums[counter] ?? 0, seats[counter]);
  const stored = Object.entries(seats.taken).flatMap(([question, counts]) =>
    Object.entries(counts).map(([choice, number]) => [JSON.stringify([question, choice]), number] as const),
  );
  for (const [key, number] of stored) unequal(`people in ${key}`, choices[key] ?? 0, number);
  const counted = new Set(stored.map(([key]) => key));
  for (const key of Object.keys(choices)) if (!counted.has(key)) unequal(`people in ${key}`, choices[key], undefined);
  const waiting = registrations.filter(({ status }) => status === "waitlist");
  unequal("people in line", waiting.length, line.length);
  const places = new Map(line.map((place) => [place.email, place]));
  for (const { email, waitKey, version } of waiting) {
    const place = places.get(email);
    if (place?.waitKey !== waitKey || place.version !== version) problems.push(`${name}: a person has another place`);
  }
  if (waiting.length > 0 && seats.gate !== gates.queued) problems.push(`${name}: people wait, but the gate is direct`);
  if (seats.incarnation !== event.incarnation) problems.push(`${name}: the seats are of another generation`);
  if (seats.state !== seatSettings(event).state) problems.push(`${name}: it is ${seats.state} for registrations`);
  return problems;
}

/** The people whose ticket does not lead to them. A ticket of an old event may have reached its time to live. */
async function wrongTickets(registrations: readonly RegistrationRecord[], { startDate }: EventRecord, now: number) {
  const ticketDays = 400 * 86_400_000;
  const start = startDate === undefined ? 0 : Date.parse(startDate);
  const due = registrations.filter(
    ({ status, updatedAt }) => status !== "deleted" && Math.max(start, updatedAt) + ticketDays > now,
  );
  const keys = due.map(({ ticketId }): Key => ({ PK: `TKT#${ticketId}`, SK: "TKT" }));
  const tickets = new Map((await getItems<{ email: string }>(keys, "strong")).map((one) => [one.PK, one.email]));
  return due.filter(({ ticketId, email }) => tickets.get(`TKT#${ticketId}`) !== email).length;
}

/** @param onEvent called after each event */
export async function check(
  { events, statuses, now }: Pick<Mapping, "events" | "statuses" | "now">,
  onEvent: () => void = () => undefined,
): Promise<Checked> {
  const problems: string[] = [];
  const registrations = { same: 0, otherStatus: 0, missing: 0, onlyHere: 0 };
  const withPoints = new Set<string>();
  let [seats, waiting, present] = [0, 0, 0];
  const expected = new Map<string, string[]>();
  for (const name of statuses.keys()) {
    const [email = "", event = ""] = name.split(" ");
    expected.set(event, [...(expected.get(event) ?? []), email]);
  }
  for (const name of events.keys()) {
    const key = eventKeyOf(name);
    const event = key && (await readEvent(key));
    const people = expected.get(name) ?? [];
    if (!event) {
      registrations.missing += people.length;
      continue;
    }
    present += 1;
    let state = await stateOf(event);
    let wrong = contradictions(state);
    for (let reads = 1; wrong.length > 0 && reads < mostReads; reads += 1) {
      await pause(pauseMilliseconds);
      state = await stateOf((await readEvent(event)) ?? event);
      wrong = contradictions(state);
    }
    problems.push(...wrong);
    const tickets = await wrongTickets(state.registrations, event, now);
    if (tickets > 0) problems.push(`${name}: ${tickets} tickets do not lead to their person`);
    seats += state.seats?.seats ?? 0;
    waiting += state.line.length;
    const here = new Map(state.registrations.map((one) => [one.email, one.applicant ? "applicant" : one.status]));
    for (const one of state.registrations) if (pointsThatCount(one) > 0) withPoints.add(one.email);
    for (const email of people) {
      const status = here.get(email);
      if (status === undefined) registrations.missing += 1;
      else if (status === statuses.get(`${email} ${name}`)) registrations.same += 1;
      else registrations.otherStatus += 1;
      here.delete(email);
    }
    registrations.onlyHere += here.size;
    onEvent();
  }
  problems.push(...(await wrongPoints([...withPoints])));
  const people = await wrongPeople();
  problems.push(...people.problems);
  return { problems, registrations, seats, waiting, events: present, users: people.users, members: people.members };
}

/** The points of a person over all events are the sum of those of the registrations. */
async function wrongPoints(emails: readonly string[]): Promise<string[]> {
  let wrong = 0;
  for (const batch of chunk(emails, 100)) {
    const keys = batch.map((email): Key => ({ PK: `USER#${email}`, SK: "POINTS" }));
    const stored = new Map(
      (await getItems<{ email: string; points: number }>(keys, "strong")).map((one) => [one.email, one.points]),
    );
    const sums = await Promise.all(
      batch.map(async (email) => {
        let sum = 0;
        for await (const one of queryItems<RegistrationRecord>(byPerson(email))) sum += pointsThatCount(one);
        return [email, sum] as const;
      }),
    );
    wrong += sums.filter(([email, sum]) => (stored.get(email) ?? 0) !== sum).length;
  }
  return wrong === 0 ? [] : [`the points of ${wrong} people are not the sum of their registrations`];
}

/** Every member has a marked account, and every profile id leads to its person. */
async function wrongPeople() {
  let users = 0;
  for (let after: string | undefined; ; ) {
    const { rows, next } = await pageOfUsers({ limit: 500, ...(after !== undefined && { after }) });
    users += rows.length;
    if (next === undefined) break;
    after = rows.at(-1)?.email;
  }
  let [members, unmarked, strangers] = [0, 0, 0];
  let batch: { email: string; profileID?: string }[] = [];
  const look = async () => {
    const keys = batch.flatMap(({ email, profileID }): Key[] => [
      userKey(email),
      profileKey(email),
      ...(profileID === undefined ? [] : [profileIdKey(profileID)]),
    ]);
    const found = await getItems<{ email: string; isMember?: boolean; profileID?: string }>(keys, "strong");
    const items = new Map(found.map((item) => [`${item.PK} ${item.SK}`, item]));
    for (const { email, profileID } of batch) {
      if (items.get(`USER#${email} USER`)?.isMember !== true) unmarked += 1;
      const owner = items.get(`PID#${profileID} PID`)?.email;
      const profile = items.get(`USER#${email} PROFILE`)?.profileID;
      if (profileID !== undefined && (owner !== email || profile !== profileID)) strangers += 1;
    }
    batch = [];
  };
  for await (const member of queryItems<{ email: string; profileID?: string }>(everyMember())) {
    members += 1;
    batch.push(member);
    if (batch.length === 100) await look();
  }
  await look();
  return {
    users,
    members,
    problems: [
      ...(unmarked > 0 ? [`${unmarked} members have no account that is marked`] : []),
      ...(strangers > 0 ? [`the profile ids of ${strangers} members lead elsewhere`] : []),
    ],
  };
}
