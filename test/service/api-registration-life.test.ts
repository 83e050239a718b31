/** A registration's life over HTTP (`docs/contract.md`, "Moves of a registration"). */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { exec, givenStage, member, type ServiceStage, user } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await givenStage();
  await stage.api("POST", "/users", { as: exec, body: { email: member, fname: "Mem", isMember: true } });
}, 60_000);
afterAll(() => stage.close());

const year = 2030;
let events = 0;
async function givenEvent(fields: Record<string, unknown> = {}): Promise<string> {
  events += 1;
  const id = `life-${events}`;
  const startDate = "2030-05-01T18:00:00Z";
  const body = { id, year, ename: id, startDate, ...fields };
  expect((await stage.api("POST", "/events", { as: exec, body })).status).toBe(201);
  return id;
}
const register = (eventID: string, email: string, more: Record<string, unknown> = {}) =>
  stage.api("POST", "/registrations", { as: exec, body: { eventID, year, email, ...more } });
const put = (eventID: string, email: string, changes: Record<string, unknown>, as = exec) =>
  stage.api("PUT", `/registrations/${email}/whoever`, { as, body: { eventID, year, ...changes } });
const to = (registrationStatus: string) => ({ registrationStatus });
const read = async (eventID: string, email: string) => {
  const { body } = await stage.api("GET", `/registrations?eventID=${eventID}&year=${year}&email=${email}`, {
    as: exec,
  });
  return body.data[0];
};
const statusOf = async (eventID: string, email: string) => (await read(eventID, email))?.registrationStatus;
const countsOf = async (id: string) =>
  (await stage.api("GET", `/events/${id}/${year}?count=true`, { as: exec })).body.counts;
const people = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@life.example`);

/** @returns type and notice of the messages about a person's registration, in the order in which they were written */
async function messageOf(eventID: string, email: string): Promise<string[]> {
  const hours = [Date.now() - 3_600_000, Date.now()].map((at) =>
    new Date(at).toISOString().slice(0, 13).replace(/\D/g, ""),
  );
  const partitions = hours.flatMap((hour) => Array.from({ length: 8 }, (_, shard) => `OUT#${hour}#${shard}`));
  const rows = (await Promise.all(partitions.map((partition) => stage.stored(partition)))).flat() as {
    SK: string;
    detailType: string;
    detail: { data: { eventID?: string; email?: string; notice?: string } };
  }[];
  return rows
    .filter(({ detail }) => detail.data.eventID === eventID && detail.data.email === email)
    .sort((a, b) => (a.SK < b.SK ? -1 : 1))
    .map(({ detailType, detail }) => `${detailType.split(".")[1]} ${detail.data.notice ?? "-"}`);
}

const illegal = { status: 409, body: { code: "ILLEGAL_TRANSITION", message: expect.any(String) } };
const unauthorized = { status: 403, body: { message: "Unauthorized" } };

describe("a free event", () => {
  test("check-in, its undo, cancelling and registering again write one message each and are counted", async () => {
    const id = await givenEvent({ capac: 2 });
    await register(id, user, { fname: "Ada" });
    expect(await put(id, user, to("checkedIn"))).toMatchObject({
      status: 200,
      body: {
        message: expect.any(String),
        registrationStatus: "checkedIn",
        registration: { registrationStatus: "checkedIn", checkedInAt: expect.any(Number), fname: "Ada" },
      },
    });
    expect(await countsOf(id)).toMatchObject({ registeredCount: 0, checkedInCount: 1, seatsTaken: 1 });
    expect(await put(id, user, to("cancelled"))).toMatchObject(illegal);
    expect((await put(id, user, to("registered"))).body.registrationStatus).toBe("registered");
    expect((await read(id, user)).checkedInAt).toBeUndefined();
    expect((await put(id, user, to("cancelled"))).body.registrationStatus).toBe("cancelled");
    expect(await countsOf(id)).toMatchObject({ registeredCount: 0, checkedInCount: 0, seatsTaken: 0 });
    expect((await put(id, user, to("checkedIn"))).status).toBe(409);
    expect((await put(id, user, to("registered"))).body).toMatchObject({
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

  test("a PUT with the present status is a 200 and writes nothing", async () => {
    const id = await givenEvent({ capac: 1 });
    await register(id, user);
    await register(id, member);
    for (const [email, status] of [
      [user, "REGISTERED"],
      [member, "waitlisted"],
    ] as const) {
      const before = await stage.stored(`USER#${email}`);
      expect((await put(id, email, to(status))).status).toBe(200);
      expect(await stage.stored(`USER#${email}`)).toEqual(before);
    }
    await put(id, user, to("cancelled"));
    const message = await messageOf(id, user);
    expect((await put(id, user, to("cancelled"))).body.registrationStatus).toBe("cancelled");
    expect(await messageOf(id, user)).toEqual(message);
  });

  test("moves that are not in the table are a 409 and change nothing", async () => {
    const id = await givenEvent({ capac: 1 });
    await register(id, user);
    await register(id, member);
    const before = [await stage.stored(`USER#${user}`), await stage.stored(`USER#${member}`), await countsOf(id)];
    for (const status of ["waitlist", "incomplete", "accepted", "acceptedPending", "acceptedComplete", "rejected"]) {
      expect(await put(id, user, to(status))).toMatchObject(illegal);
    }
    for (const status of ["checkedIn", "accepted", "acceptedComplete", "incomplete"]) {
      expect(await put(id, member, to(status))).toMatchObject(illegal);
    }
    expect(await put(id, member, to("registered"))).toMatchObject({ status: 409, body: { code: "EVENT_FULL" } });
    expect([await stage.stored(`USER#${user}`), await stage.stored(`USER#${member}`), await countsOf(id)]).toEqual(
      before,
    );
  });

  test.each(["unknown", "deleted", "applicant", "__proto__"])("a status %s is a 400", async (status) => {
    const id = await givenEvent();
    await register(id, user);
    expect(await put(id, user, to(status))).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
  });

  test("cancelling gives the seat to the next in line; an admin may give a free seat to a waiting person", async () => {
    const id = await givenEvent({ capac: 1 });
    const [a, b, c] = people(3) as [string, string, string];
    for (const email of [a, b, c]) await register(id, email);
    await put(id, a, to("cancelled"));
    expect([await statusOf(id, b), await statusOf(id, c)]).toEqual(["registered", "waitlist"]);
    expect(await messageOf(id, b)).toEqual(["waitlisted waitlist", "promoted registered"]);
    // In a completed event no person moves up alone, so the seat stays free until an admin gives it away.
    await stage.api("PATCH", `/events/${id}/${year}`, { as: exec, body: { isCompleted: true } });
    await put(id, b, to("cancelled"));
    expect((await put(id, c, to("registered"))).status).toBe(200);
    expect(await countsOf(id)).toMatchObject({ registeredCount: 1, waitlistCount: 0, remaining: 0 });
  });

  test("a PUT for a person without a registration, or for an unknown event, is a 404", async () => {
    const id = await givenEvent();
    expect(await put(id, user, to("cancelled"))).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect(await put("nowhere", user, to("cancelled"))).toMatchObject({ status: 404 });
    await register(id, user);
    await stage.api("DELETE", `/registrations/${user}?eventID=${id}&year=${year}`, { as: exec });
    expect(await put(id, user, to("registered"))).toMatchObject({ status: 404 });
  });
});

describe("a person without admin rights", () => {
  test("may cancel and change answers of their own registration, and no more", async () => {
    const id = await givenEvent({
      registrationQuestions: [{ questionId: "q", label: "Q", type: "TEXT", required: true }],
    });
    await register(id, user, { dynamicResponses: { q: "one" } });
    await register(id, member, { dynamicResponses: { q: "one" } });
    expect(await put(id, member, to("cancelled"), user)).toMatchObject(unauthorized);
    expect(await put(id, user, { points: 5 }, user)).toMatchObject(unauthorized);
    expect(await put(id, user, to("checkedIn"), user)).toMatchObject(unauthorized);
    expect((await put(id, user, to("waitlist"), user)).status).toBe(409);
    const answered = await put(id, user, { dynamicResponses: { q: "two", x: "dropped" } }, user);
    expect(answered.body.registration.dynamicResponses).toEqual({ q: "two" });
    expect(await put(id, user, { dynamicResponses: { q: "" } }, user)).toMatchObject({
      status: 400,
      body: { issues: [{ path: "/dynamicResponses/q", message: "is required" }] },
    });
    expect((await put(id, user, to("cancelled"), user)).body.registrationStatus).toBe("cancelled");
    expect(await messageOf(id, user)).toEqual(["registered registered", "updated -", "cancelled cancelled"]);
  });

  test("may not change answers after the deadline, nor cancel after the start; an admin may", async () => {
    const id = await givenEvent();
    await register(id, user);
    await register(id, member);
    const change = (body: object) => stage.api("PATCH", `/events/${id}/${year}`, { as: exec, body });
    await change({ deadline: "2020-01-01" });
    expect(await put(id, user, { basicInformation: { lname: "X" } }, user)).toMatchObject({
      status: 409,
      body: { code: "EVENT_CLOSED" },
    });
    expect((await put(id, user, { basicInformation: { lname: "X" } })).status).toBe(200);
    await change({ startDate: "2020-01-02", deadline: null });
    expect(await put(id, user, to("cancelled"), user)).toMatchObject(illegal);
    expect(await stage.api("DELETE", `/registrations/${user}?eventID=${id}&year=${year}`, { as: user })).toMatchObject(
      illegal,
    );
    expect((await put(id, user, to("cancelled"))).status).toBe(200);
  });
});

describe("an application-based event", () => {
  const apply = async (fields: Record<string, unknown> = {}, count = 3) => {
    const id = await givenEvent({ isApplicationBased: true, capac: 1, ...fields });
    const emails = people(count);
    for (const email of emails) expect((await register(id, email)).status).toBe(201);
    return [id, ...emails] as const;
  };
  const decide = (id: string, email: string, applicationStatus: string) => put(id, email, { applicationStatus });

  test("gives a seat only by an admin's decision, while one is free; the person confirms", async () => {
    const [id, a = "", b = "", c = ""] = await apply();
    expect(await read(id, a)).toMatchObject({ registrationStatus: "registered", applicationStatus: "reviewing" });
    expect(await countsOf(id)).toMatchObject({ applicantCount: 3, registeredCount: 0, seatsTaken: 0, remaining: 1 });
    expect((await decide(id, a, "accepted")).body).toMatchObject({
      registrationStatus: "accepted",
      registration: { applicationStatus: "accepted" },
    });
    expect(await countsOf(id)).toMatchObject({ applicantCount: 2, acceptedCount: 1, seatsTaken: 1, remaining: 0 });
    expect(await decide(id, b, "accepted")).toMatchObject({ status: 409, body: { code: "EVENT_FULL" } });
    expect((await decide(id, b, "rejected")).body.registrationStatus).toBe("rejected");
    expect((await decide(id, c, "waitlist")).body).toMatchObject({
      registrationStatus: "waitlist",
      registration: { waitlistPosition: 1 },
    });
    expect((await put(id, a, to("acceptedComplete"), exec)).body.registrationStatus).toBe("acceptedComplete");
    // A freed seat stays free until an admin decides.
    await put(id, a, to("cancelled"));
    expect(await statusOf(id, c)).toBe("waitlist");
    expect((await decide(id, c, "accepted")).body.registrationStatus).toBe("accepted");
    expect(await countsOf(id)).toMatchObject({ waitlistCount: 0, acceptedCount: 1, applicantCount: 0, seatsTaken: 1 });
    expect(await messageOf(id, a)).toEqual([
      "applied applicant",
      "accepted accepted",
      "acceptedComplete acceptedComplete",
      "cancelled cancelled",
    ]);
    expect(await messageOf(id, b)).toEqual(["applied applicant", "rejected rejected"]);
  });

  test("puts newcomers on the waitlist when it is full", async () => {
    const [id, a = ""] = await apply({}, 1);
    await decide(id, a, "accepted");
    expect((await register(id, user)).body).toMatchObject({ registrationStatus: "waitlist" });
    await put(id, user, to("rejected"));
    expect((await decide(id, user, "accepted")).status).toBe(409);
  });

  test("lets accepted people confirm themselves, if it is free", async () => {
    const id = await givenEvent({ isApplicationBased: true, capac: 5 });
    await stage.api("POST", "/registrations", { as: user, body: { eventID: id, year, email: user } });
    expect((await put(id, user, to("acceptedComplete"), user)).status).toBe(409);
    expect(await put(id, user, { applicationStatus: "accepted" }, user)).toMatchObject(unauthorized);
    await put(id, user, { applicationStatus: "accepted" });
    expect((await put(id, user, to("acceptedComplete"), user)).body.registrationStatus).toBe("acceptedComplete");
  });

  test("with a price makes accepted people acceptedPending for 72 hours; an admin may waive the price", async () => {
    const [id, a = ""] = await apply({ pricing: { member: 5, nonMember: 10 } }, 1);
    const { body } = await decide(id, a, "accepted");
    expect(body.registrationStatus).toBe("acceptedPending");
    const hold = body.registration.holdExpiresAt - Date.now();
    expect(Math.round(hold / 3_600_000)).toBe(72);
    expect(await put(id, a, to("accepted"))).toMatchObject(illegal);
    expect((await put(id, a, to("acceptedComplete"))).body.registration.holdExpiresAt).toBeUndefined();
  });

  test("refuses two statuses that contradict each other with a 400", async () => {
    const [id, a = ""] = await apply({}, 1);
    expect(await put(id, a, { registrationStatus: "rejected", applicationStatus: "accepted" })).toMatchObject({
      status: 400,
      body: { issues: [{ path: "/applicationStatus" }] },
    });
  });
});

describe("a priced event", () => {
  const pricing = { member: 0, nonMember: 10 };

  test("holds a seat for half an hour for a person who pays; members who pay nothing are registered", async () => {
    const id = await givenEvent({ capac: 3, pricing });
    const first = await register(id, user);
    expect(first).toMatchObject({ status: 201, body: { registrationStatus: "incomplete" } });
    expect(Math.round((first.body.registration.holdExpiresAt - Date.now()) / 60_000)).toBe(30);
    const again = await register(id, user);
    expect(again).toMatchObject({ status: 200, body: { registrationStatus: "incomplete" } });
    expect(again.body.registration).toEqual(first.body.registration);
    expect((await register(id, member)).body.registrationStatus).toBe("registered");
    expect(await countsOf(id)).toMatchObject({ incompleteCount: 1, registeredCount: 1, seatsTaken: 2 });
    expect((await put(id, user, to("registered"))).body.registration.holdExpiresAt).toBeUndefined();
    expect(
      await stage.stored(`HOLD#${new Date(first.body.registration.holdExpiresAt).toISOString().slice(0, 13)}`),
    ).toEqual([]);
  });

  test("gives people from its waitlist 24 hours to pay; members who pay nothing are registered", async () => {
    const id = await givenEvent({ capac: 2, pricing });
    const [a, b] = people(2) as [string, string];
    for (const email of [a, b, user, member]) await register(id, email);
    await put(id, a, to("cancelled"));
    const promoted = await read(id, user);
    expect(promoted.registrationStatus).toBe("incomplete");
    expect(Math.round((promoted.holdExpiresAt - Date.now()) / 3_600_000)).toBe(24);
    await put(id, b, to("cancelled"));
    expect(await statusOf(id, member)).toBe("registered");
    expect(await messageOf(id, user)).toEqual(["waitlisted waitlist", "promoted incomplete"]);
  });

  test("ends a hold at its start at the latest", async () => {
    const startsAt = Date.now() + 600_000;
    const id = await givenEvent({ pricing, startDate: new Date(startsAt).toISOString() });
    expect((await register(id, user)).body.registration.holdExpiresAt).toBe(startsAt);
  });
});

describe("points", () => {
  test("are a new total from 0, which only an admin sets, and make the leaderboards", async () => {
    const id = await givenEvent();
    const emails = people(4);
    for (const [n, email] of emails.entries()) {
      await register(id, email, { basicInformation: { fname: `F${n}`, lname: `L${n}` } });
    }
    for (const [n, points] of [30, 50, 30, 0].entries()) await put(id, emails[n] as string, { points });
    expect(await put(id, emails[0] as string, { points: -1 })).toMatchObject({ status: 400 });
    expect(await put(id, emails[0] as string, { points: 1.5 })).toMatchObject({ status: 400 });
    const board = (query = `?eventID=${id}&year=${year}`) =>
      stage.api("GET", `/registrations/leaderboard${query}`, { as: user });
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

    const other = await givenEvent();
    await register(other, emails[0] as string, { fname: "F0" });
    await put(other, emails[0] as string, { points: 40 });
    expect((await board("")).body[0]).toMatchObject({ fname: "F0", points: 70 });
    await put(other, emails[0] as string, { points: 10 });
    expect((await board("")).body[0]).toMatchObject({ fname: "F1", points: 50 });
    // A person who cancels leaves both leaderboards.
    await put(id, emails[1] as string, to("cancelled"));
    expect((await board()).body[0]).toMatchObject({ points: 30 });
    expect((await board("")).body[0]).toMatchObject({ fname: "F0", points: 40 });
  });
});
