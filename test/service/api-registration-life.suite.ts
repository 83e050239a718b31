/** A registration's life over HTTP (`docs/contract.md`, "Moves of a registration"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, member, people, user, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
  await stage.api("POST", "/users", { as: exec, body: { email: member, fname: "Mem", isMember: true } });
});

/** @returns type and notice of the messages about a person's registration, in the order in which they were written */
async function messageOf(eventID: string, email: string): Promise<string[]> {
  const rows = (await stage.outboxRows()).filter(
    ({ detail }) => detail.data.eventID === eventID && detail.data.email === email,
  );
  return rows.map(({ detailType, detail }) => `${detailType.split(".")[1]} ${detail.data.notice ?? "-"}`);
}

const illegal = { status: 409, body: { code: "ILLEGAL_TRANSITION", message: expect.any(String) } };
const refused = (message: string) => ({ status: 403, body: { message, code: "FORBIDDEN" } });

describe("a free event", () => {
  test("check-in, its undo, cancelling and registering again write one message each and are counted", async () => {
    const id = await stage.givenEvent({ capac: 2 });
    await stage.registerByAdmin(id, user, { fname: "Ada" });
    expect(await stage.moveTo(id, user, "checkedIn")).toMatchObject({
      status: 200,
      body: {
        message: expect.any(String),
        registrationStatus: "checkedIn",
        registration: { registrationStatus: "checkedIn", checkedInAt: expect.any(Number), fname: "Ada" },
      },
    });
    expect(await stage.countsOf(id)).toMatchObject({ registeredCount: 0, checkedInCount: 1, seatsTaken: 1 });
    expect(await stage.moveTo(id, user, "cancelled")).toMatchObject(illegal);
    expect((await stage.moveTo(id, user, "registered")).body.registrationStatus).toBe("registered");
    expect((await stage.registrationOf(id, user)).checkedInAt).toBeUndefined();
    expect((await stage.moveTo(id, user, "cancelled")).body.registrationStatus).toBe("cancelled");
    expect(await stage.countsOf(id)).toMatchObject({ registeredCount: 0, checkedInCount: 0, seatsTaken: 0 });
    expect((await stage.moveTo(id, user, "checkedIn")).status).toBe(409);
    expect((await stage.moveTo(id, user, "registered")).body).toMatchObject({
      registrationStatus: "registered",
      registration: { fname: "Ada" },
    });
    expect(await messageOf(id, user)).toEqual([
      "registered registered",
      "checkedIn checkedIn",
      "updated -",
      "cancelled cancelled",
      "registered registered",
    ]);
  });
});

describe("a person without admin rights", () => {
  test("may cancel and change answers of their own registration, and no more", async () => {
    const id = await stage.givenEvent({
      registrationQuestions: [{ questionId: "q", label: "Q", type: "TEXT", required: true }],
    });
    await stage.registerByAdmin(id, user, { dynamicResponses: { q: "one" } });
    await stage.registerByAdmin(id, member, { dynamicResponses: { q: "one" } });
    expect(await stage.moveTo(id, member, "cancelled", user)).toMatchObject(
      refused("You can change only your own registration."),
    );
    expect(await stage.changeRegistration(id, user, { points: 5 }, user)).toMatchObject(
      refused("Only an admin can change points."),
    );
    expect(await stage.moveTo(id, user, "checkedIn", user)).toMatchObject(
      refused("You cannot change your registration from registered to checkedIn yourself."),
    );
    expect(await stage.moveTo(id, user, "waitlist", user)).toMatchObject(
      refused("You cannot change your registration from registered to waitlist yourself."),
    );
    const answered = await stage.changeRegistration(id, user, { dynamicResponses: { q: "two", x: "dropped" } }, user);
    expect(answered.body.registration.dynamicResponses).toEqual({ q: "two" });
    expect(await stage.changeRegistration(id, user, { dynamicResponses: { q: "" } }, user)).toMatchObject({
      status: 400,
      body: { issues: [{ path: "/dynamicResponses/q", message: "is required" }] },
    });
    expect((await stage.moveTo(id, user, "cancelled", user)).body.registrationStatus).toBe("cancelled");
    expect(await messageOf(id, user)).toEqual(["registered registered", "updated -", "cancelled cancelled"]);
  });
});

describe("an application-based event", () => {
  const apply = async (fields: Record<string, unknown> = {}, count = 3) => {
    const id = await stage.givenEvent({ isApplicationBased: true, capac: 1, ...fields });
    const emails = people(count, "life");
    for (const email of emails) expect((await stage.registerByAdmin(id, email)).status).toBe(201);
    return [id, ...emails] as const;
  };
  const decide = (id: string, email: string, applicationStatus: string) =>
    stage.changeRegistration(id, email, { applicationStatus });

  test("gives a seat only by an admin's decision, while one is free; the person confirms", async () => {
    const [id, a = "", b = "", c = ""] = await apply();
    expect(await stage.registrationOf(id, a)).toMatchObject({
      registrationStatus: "registered",
      applicationStatus: "reviewing",
    });
    expect(await stage.countsOf(id)).toMatchObject({
      applicantCount: 3,
      registeredCount: 0,
      seatsTaken: 0,
      remaining: 1,
    });
    expect((await decide(id, a, "accepted")).body).toMatchObject({
      registrationStatus: "accepted",
      registration: { applicationStatus: "accepted" },
    });
    expect(await stage.countsOf(id)).toMatchObject({
      applicantCount: 2,
      acceptedCount: 1,
      seatsTaken: 1,
      remaining: 0,
    });
    expect(await decide(id, b, "accepted")).toMatchObject({ status: 409, body: { code: "EVENT_FULL" } });
    expect((await decide(id, b, "rejected")).body.registrationStatus).toBe("rejected");
    expect((await decide(id, c, "waitlist")).body).toMatchObject({
      registrationStatus: "waitlist",
      registration: { waitlistPosition: 1 },
    });
    expect((await stage.moveTo(id, a, "acceptedComplete", exec)).body.registrationStatus).toBe("acceptedComplete");
    // A freed seat stays free until an admin decides.
    await stage.moveTo(id, a, "cancelled");
    expect(await stage.statusOf(id, c)).toBe("waitlist");
    expect((await decide(id, c, "accepted")).body.registrationStatus).toBe("accepted");
    expect(await stage.countsOf(id)).toMatchObject({
      waitlistCount: 0,
      acceptedCount: 1,
      applicantCount: 0,
      seatsTaken: 1,
    });
    expect(await messageOf(id, a)).toEqual([
      "applied applicant",
      "accepted accepted",
      "acceptedComplete acceptedComplete",
      "cancelled cancelled",
    ]);
    expect(await messageOf(id, b)).toEqual(["applied applicant", "rejected rejected"]);
  });

  test("with a price makes accepted people acceptedPending for 72 hours; an admin may waive the price", async () => {
    const [id, a = "", b = ""] = await apply({ capac: 2, pricing: { member: 5, nonMember: 10 } }, 2);
    await decide(id, b, "waitlist");
    for (const email of [a, b]) {
      const { body } = await decide(id, email, "accepted");
      expect(body.registrationStatus).toBe("acceptedPending");
      const hold = body.registration.holdExpiresAt - Date.now();
      expect(Math.round(hold / 3_600_000)).toBe(72);
    }
    expect(await stage.moveTo(id, a, "accepted")).toMatchObject(illegal);
    expect((await stage.moveTo(id, a, "acceptedComplete")).body.registration.holdExpiresAt).toBeUndefined();
  });
});

describe("a priced event", () => {
  const pricing = { member: 0, nonMember: 10 };

  test("holds a seat for half an hour for a person who pays; members who pay nothing are registered", async () => {
    const id = await stage.givenEvent({ capac: 3, pricing });
    const first = await stage.registerByAdmin(id, user);
    expect(first).toMatchObject({ status: 201, body: { registrationStatus: "incomplete" } });
    expect(Math.round((first.body.registration.holdExpiresAt - Date.now()) / 60_000)).toBe(30);
    const again = await stage.registerByAdmin(id, user);
    expect(again).toMatchObject({ status: 200, body: { registrationStatus: "incomplete" } });
    expect(again.body.registration).toEqual(first.body.registration);
    expect((await stage.registerByAdmin(id, member)).body.registrationStatus).toBe("registered");
    expect(await stage.countsOf(id)).toMatchObject({ incompleteCount: 1, registeredCount: 1, seatsTaken: 2 });
    expect((await stage.moveTo(id, user, "registered")).body.registration.holdExpiresAt).toBeUndefined();
    const own = (one: { readonly email?: unknown; readonly event?: unknown }) =>
      one.email === user && (one.event as { id: string }).id === id;
    expect((await stage.stored("HOLD")).filter(own)).toEqual([]);
  });

  test("gives people from its waitlist 24 hours to pay; members who pay nothing are registered", async () => {
    const id = await stage.givenEvent({ capac: 2, pricing });
    const [a, b] = people(2, "life") as [string, string];
    for (const email of [a, b, user, member]) await stage.registerByAdmin(id, email);
    await stage.moveTo(id, a, "cancelled");
    const promoted = await stage.registrationOf(id, user);
    expect(promoted.registrationStatus).toBe("incomplete");
    expect(Math.round((promoted.holdExpiresAt - Date.now()) / 3_600_000)).toBe(24);
    await stage.moveTo(id, b, "cancelled");
    expect(await stage.statusOf(id, member)).toBe("registered");
    expect(await messageOf(id, user)).toEqual(["waitlisted waitlist", "promoted incomplete"]);
  });
});

describe("points", () => {
  test("are a new total from 0, which only an admin sets, and make the leaderboards", async () => {
    const id = await stage.givenEvent();
    const emails = people(4, "life");
    for (const [n, email] of emails.entries()) {
      await stage.registerByAdmin(id, email, { basicInformation: { fname: `F${n}`, lname: `L${n}` } });
    }
    for (const [n, points] of [30, 50, 30, 0].entries())
      await stage.changeRegistration(id, emails[n] as string, { points });
    expect(await stage.changeRegistration(id, emails[0] as string, { points: -1 })).toMatchObject({ status: 400 });
    expect(await stage.changeRegistration(id, emails[0] as string, { points: 1.5 })).toMatchObject({ status: 400 });
    const board = (query = `?eventID=${id}&year=${year}`) => stage.list(`/registrations/leaderboard${query}`, user);
    const { status, body } = await board();
    expect(status).toBe(200);
    expect(body.map(({ rank, points }: { rank: number; points: number }) => [rank, points])).toEqual([
      [1, 50],
      [2, 30],
      [2, 30],
    ]);
    expect(body[0]).toEqual({ rank: 1, fname: "F1", lname: "L1", points: 50 });
    expect(JSON.stringify(body)).not.toContain("@");
    expect((await board("")).body[0]).toEqual({ rank: 1, fname: "F1", lname: "L1", points: 50 });
    expect((await board("/")).body).toEqual((await board("")).body);
    expect(await board(`?eventID=${id}`)).toMatchObject({ status: 400, body: { issues: [{ path: "/year" }] } });
  });
});
