/**
 * Operations whose transactions do not demand everything that was read, each on outdated facts or on facts that change
 * before the write.
 */
import "./environment.ts";
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { expect, jest, test } from "@jest/globals";
import type { EventRecord } from "#domain/events/event.ts";
import { MemoryTable } from "../model/table.ts";

jest.unstable_mockModule("#kit/secret.ts", () => ({ readSecret: async () => "ticket-key" }));
const { client } = await import("#kit/table/table.ts");
const { systemContext } = await import("#kit/request/context.ts");
const { newEvent, changeEvent } = await import("#domain/events/event.ts");
const { eventKeyOf } = await import("#domain/events/store.ts");
const { newSeats, seatSettings } = await import("#domain/events/seat-settings.ts");
const { seatsKey } = await import("#domain/capacity/seats.ts");
const { readPlaceInLine } = await import("#domain/capacity/line.ts");
const { register } = await import("#domain/registrations/register/register.ts");
const { changeRegistration } = await import("#domain/registrations/amend/change-registration.ts");
const { settle } = await import("#domain/payments/settling/settle-registration.ts");
const { checkIn } = await import("#api/registrations/check-in.ts");

const now = Date.parse("2030-01-01T00:00:00Z");
const key = { id: "gala", year: 2030 };
/** An eventually consistent read is this many values old. */
let age = 0;
let requests = 0;

const context = () => {
  requests += 1;
  return { ...systemContext("r", now + requests), deadline: performance.now() + 2_000 };
};

function givenEvent(fields: object) {
  age = 0;
  const table = new MemoryTable();
  jest
    .spyOn(client, "send")
    .mockImplementation((async (command: unknown) => table.execute(command, () => age)) as never);
  const body = { ...key, ename: "Gala", isPublished: true, startDate: "2030-05-01T18:00:00Z", ...fields };
  const event = newEvent(body as never, { now, generation: "I1", timeZone: "UTC", currency: "CAD" });
  // Seeded twice, so that an old read of the event is the same event. Only the person's records are outdated.
  for (let time = 0; time < 2; time += 1) {
    table.seed({ ...eventKeyOf(event), ...event });
    table.seed({ ...seatsKey(event), ...newSeats(event, false) });
  }
  const seats = (more: object) => table.seed({ ...table.peek({ ...seatsKey(key) }), ...more });
  const change = (changes: object) => {
    const current = table.peek({ ...eventKeyOf(event) }) as unknown as EventRecord;
    const changed = changeEvent(current, changes as never, { now, timeZone: "UTC", currency: "CAD" }).event;
    table.seed({ ...eventKeyOf(event), ...changed });
    seats(seatSettings(changed));
  };
  const stored = (name: string) => table.peek({ PK: `USER#${name}@unit.example`, SK: "REG#gala#2030" });
  return { table, event, seats, change, stored };
}

const workshop = (participantCap: number) => ({
  registrationQuestions: [
    {
      questionId: "w",
      label: "W",
      type: "WORKSHOP_SELECTION",
      required: false,
      choices: ["a", "b"],
      participantCap,
    },
  ],
});
const emailOf = (name: string): string => `${name}@unit.example`;
const arrive = (name: string, choice?: string) => {
  const dynamicResponses: Record<string, string> = choice === undefined ? {} : { w: choice };
  const form = { email: emailOf(name), eventID: key.id, year: key.year, fname: "Ada", dynamicResponses };
  return register({ form, byAdmin: false }, context());
};
const put = (name: string, amendment: object) =>
  changeRegistration({ email: emailOf(name), event: key, amendment, by: "admin" }, context());

test("people keep their workshop in each later move when its limit is lowered below its holders", async () => {
  const { change } = givenEvent({ capac: 10, pricing: { member: 5, nonMember: 10 }, ...workshop(5) });
  const held = [await arrive("ada", "a"), await arrive("ben", "a"), await arrive("cleo", "a")];
  change(workshop(1));
  const [{ queueKey } = { queueKey: "" }] = held.map(({ registration }) => registration);
  const money = { amount: 1_000, currency: "CAD" };
  const payment = { email: emailOf("ada"), event: key, paymentId: "cs_1", money, queueKey };
  expect(await settle(payment, context())).toBe("seat");
  expect((await put("ben", { registrationStatus: "registered" })).registration.status).toBe("registered");
  expect((await put("ben", { registrationStatus: "checkedIn" })).registration.status).toBe("checkedIn");
  const claims = { token_use: "id", email: "exec@club.example", email_verified: "true" };
  const door = await checkIn({
    routeKey: "POST /registrations/check-in",
    headers: {},
    body: JSON.stringify({ email: emailOf("ada"), eventID: key.id, year: key.year }),
    requestContext: { requestId: "r", timeEpoch: now, authorizer: { jwt: { claims } } },
  } as never);
  expect(door.statusCode).toBe(200);
});

test("changed answers that give the person a seat are answered with that seat", async () => {
  const { seats, stored } = givenEvent({ capac: 3, ...workshop(1) });
  await arrive("ada", "a");
  seats({ gate: "queued", seats: 3 });
  expect((await arrive("ben", "a")).registration.status).toBe("waitlist");
  seats({ seats: 1 });
  const { registration, place } = await put("ben", { dynamicResponses: { w: "b" } });
  expect(stored("ben")?.status).toBe("registered");
  expect({ status: registration.status, place }).toEqual({ status: "registered", place: undefined });
});

test.each([
  ["has got a seat", { status: "registered" }, "registered"],
  ["has left the line", { status: "cancelled" }, "cancelled"],
])("a person who %s behind the change is told what is stored, not the place", async (_, fields, status) => {
  const { seats, stored, table } = givenEvent({ capac: 1 });
  seats({ gate: "queued", seats: 1 });
  expect((await arrive("ada")).registration.status).toBe("waitlist");
  jest.spyOn(client, "send").mockImplementation((async (command: unknown) => {
    const answer = table.execute(command, () => age);
    if (command instanceof TransactWriteCommand) table.seed({ ...stored("ada"), ...fields } as never);
    return answer;
  }) as never);
  const changed = await put("ada", { basicInformation: { fname: "Augusta" } });
  expect({ status: changed.registration.status, place: changed.place }).toEqual({ status, place: undefined });
});

test("a person whose registration is deleted behind the change is told that there is none", async () => {
  const { seats, stored, table } = givenEvent({ capac: 1 });
  seats({ gate: "queued", seats: 1 });
  await arrive("ada");
  jest.spyOn(client, "send").mockImplementation((async (command: unknown) => {
    const answer = table.execute(command, () => age);
    if (command instanceof TransactWriteCommand) table.seed({ ...stored("ada"), status: "deleted" } as never);
    return answer;
  }) as never);
  await expect(put("ada", { basicInformation: { fname: "Augusta" } })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a person whose place has become a seat in the meantime is told the first place, never a place 0", async () => {
  givenEvent({ capac: 1 });
  expect(await readPlaceInLine(key, { queueKey: "0#left", generation: "i1" })).toEqual({ waitlistPosition: 1 });
});

test.each([
  ["not a member any more", true, "incomplete"],
  ["a member now", false, "registered"],
])("a person who is %s pays by the present membership, not by an old read", async (_, was, status) => {
  const { table } = givenEvent({ capac: 5, pricing: { member: 0, nonMember: 20 } });
  const user = { PK: `USER#${emailOf("ada")}`, SK: "USER", email: emailOf("ada"), fname: "Ada", favEvents: [] };
  table.seed({ ...user, isMember: was });
  table.seed({ ...user, isMember: !was });
  age = 1;
  expect((await arrive("ada")).registration.status).toBe(status);
});

test("an application does not join the waitlist because an old read shows full seats", async () => {
  const { seats, stored } = givenEvent({ capac: 1, isApplicationBased: true });
  seats({ seats: 1 });
  seats({ seats: 0 });
  age = 1;
  await arrive("ada");
  expect(stored("ada")).toMatchObject({ status: "registered", applicant: true });
});

test("a person with an old read of the earlier generation is admitted to the event that was created again", async () => {
  const { table, event, seats } = givenEvent({ capac: 1 });
  seats({ gate: "queued", seats: 1 });
  const again = { ...event, generation: "I2" };
  table.seed({ ...eventKeyOf(event), ...again });
  table.seed({ ...seatsKey(event), ...newSeats(again, true) });
  age = 1;
  expect((await arrive("ada")).registration).toMatchObject({ status: "registered", generation: "I2" });
});

test("the same answers in another order change nothing", async () => {
  const questions = ["z", "a"].map((questionId) => ({ questionId, label: "Q", type: "TEXT", required: false }));
  const { table, stored } = givenEvent({ capac: 5, registrationQuestions: questions });
  const dynamicResponses = { z: "1", a: "2" };
  const form = { email: emailOf("ada"), eventID: key.id, year: key.year, fname: "Ada", dynamicResponses };
  await register({ form, byAdmin: false }, context());
  table.seed({ ...stored("ada"), dynamicResponses: { a: "2", z: "1" } });
  await put("ada", { dynamicResponses });
  expect(stored("ada")?.version).toBe(1);
});
