/** An admin moves a person from a seat to the end of the line (`docs/contract.md`, "Moves of a registration"). */
import { describe, expect, test } from "@jest/globals";
import type { EventRecord } from "#domain/events/event.ts";
import { type Gala, givenGala, start } from "./gala.ts";

const minute = 60_000;

/** A full event: `first` has the seat, then `second` and `third` wait. */
async function givenLine(fields: Partial<EventRecord> = {}): Promise<Gala> {
  const gala = givenGala({ capac: 1, ...fields });
  for (const name of ["first", "second", "third"]) {
    await gala.register(name);
    gala.later(minute);
  }
  return gala;
}

const statesOf = (gala: Gala) => ["first", "second", "third"].map((name) => gala.registrationOf(name).status);

test("the seat goes to the next person, and the person goes to the end of the line", async () => {
  const gala = await givenLine();
  const { registration, place } = await gala.become("first", "waitlist", "admin");
  expect(registration).toMatchObject({ status: "waitlist", createdAt: start, registeredAt: start });
  expect(place).toMatchObject({ waitlistPosition: 2 });
  expect(statesOf(gala)).toEqual(["waitlist", "registered", "waitlist"]);
  expect(gala.seats()).toMatchObject({ seats: 1, registered: 1 });
  await gala.become("second", "cancelled");
  expect(statesOf(gala)).toEqual(["waitlist", "cancelled", "registered"]);
  await gala.become("third", "cancelled");
  expect(statesOf(gala)).toEqual(["registered", "cancelled", "cancelled"]);
});

test("both are told", async () => {
  const gala = await givenLine();
  await gala.become("first", "waitlist", "admin");
  const last = (name: string) => gala.messageOf(name).at(-1);
  expect(last("first")).toMatchObject({
    detailType: "registration.waitlisted",
    detail: { data: { notice: "waitlist", movedDown: true } },
  });
  expect(last("second")).toMatchObject({ detailType: "registration.promoted", detail: { data: { movedUp: true } } });
  expect(gala.messageOf("third")).toHaveLength(1);
});

describe("it is refused", () => {
  const refused = (message: RegExp) => ({ code: "ILLEGAL_TRANSITION", message: expect.stringMatching(message) });

  test("where no other person waits, and the seat stays", async () => {
    const gala = givenGala({ capac: 1 });
    await gala.register("first");
    await expect(gala.become("first", "waitlist", "admin")).rejects.toMatchObject(refused(/Nobody else in line/));
    expect(gala.registrationOf("first").status).toBe("registered");
    expect(gala.seats()).toMatchObject({ seats: 1, gate: "direct" });
  });

  test("for a paid seat", async () => {
    const gala = await givenLine();
    gala.remember("first", { paidBy: "cs_1" });
    await expect(gala.become("first", "waitlist", "admin")).rejects.toMatchObject(
      refused(/^This seat is paid\. Cancel/),
    );
    expect(statesOf(gala)).toEqual(["registered", "waitlist", "waitlist"]);
  });
});

describe("what is known of a person who was moved", () => {
  test("a new registration after a cancellation begins anew, and keeps when the person first registered", async () => {
    const gala = await givenLine();
    await gala.become("first", "waitlist", "admin");
    await gala.become("first", "cancelled");
    gala.later(minute);
    await gala.register("first");
    const again = gala.registrationOf("first");
    expect(again).toMatchObject({ status: "waitlist", createdAt: start, updatedAt: gala.now() });
    expect(again).not.toHaveProperty("registeredAt");
    expect(again.queueKey).toMatch(new RegExp(`^${gala.now()}#`));
  });
});

test("who was a member at the registration is one for the seat, also when the term has ended before the move", async () => {
  const gala = givenGala({ capac: 1, pricing: { member: 0, nonMember: 10 } });
  for (const name of ["first", "second"]) gala.givenMember(name);
  await gala.register("first");
  await gala.register("second");
  gala.later(minute);
  const own = { PK: "USER#first@unit.example", SK: "USER" };
  gala.table.seed({ ...gala.table.peek(own), ...own, memberUntil: gala.now() });
  gala.later(minute);
  await gala.become("first", "waitlist", "admin");
  gala.later(minute);
  await gala.become("second", "cancelled");
  expect(gala.registrationOf("first")).toMatchObject({ status: "registered", registeredAt: start });
});

test("a person in line whose points change leaves the seats item unwritten", async () => {
  const gala = await givenLine();
  let members: readonly string[] = [];
  gala.beforeWrite(async ({ input }) => {
    members = (input.TransactItems ?? []).map(({ Put, Update }) => String(Put?.Item?.PK ?? Update?.Key?.PK));
  });
  await gala.amend("second", { points: 3 });
  expect(gala.registrationOf("second").points).toBe(3);
  expect(members.filter((key) => key.startsWith("SEAT#"))).toEqual([]);
  expect(members).toContain("USER#second@unit.example");
});
