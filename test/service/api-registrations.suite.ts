/** Registering, leaving and the lists of registrations (`docs/contract.md`, "Registrations"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

describe("registering", () => {
  test("gives a seat while one is free, then a place in line", async () => {
    const id = await stage.givenEvent({ capac: 1 });
    const first = await stage.register(id, "first@student.example", {
      fname: "Ada",
      basicInformation: { lname: "L", phone: "604", studentId: "7" },
    });
    expect(first).toMatchObject({ status: 201, body: { registrationStatus: "registered" } });
    expect(first.body.registration).toMatchObject({
      id: "first@student.example",
      email: "first@student.example",
      eventID: id,
      year,
      "eventID;year": `${id};${year}`,
      registrationStatus: "registered",
      applicationStatus: "",
      fname: "Ada",
      basicInformation: { lname: "L", phone: "604", studentId: "7" },
      dynamicResponses: {},
      isPartner: false,
      points: 0,
    });
    const second = await stage.register(id, "second@student.example");
    expect(second.body).toMatchObject({ registrationStatus: "waitlist", registration: { waitlistPosition: 1 } });
    const third = await stage.register(id, "third@student.example");
    expect(third.body.registration.waitlistPosition).toBe(2);
    expect(await stage.countsOf(id)).toMatchObject({
      registeredCount: 1,
      waitlistCount: 2,
      seatsTaken: 1,
      remaining: 0,
    });
  });

  test.each([
    ["an unknown event", "no-such-event", {}, 404, "NOT_FOUND"],
    ["an event whose deadline is over", undefined, { deadline: "2020-01-01" }, 409, "EVENT_CLOSED"],
    ["a members-only event", undefined, { pricing: { member: 0 }, nonBizTechAllowed: false }, 403, "MEMBERS_ONLY"],
  ])("for %s is refused", async (_what, known, fields, status, code) => {
    const id = known ?? (await stage.givenEvent(fields));
    expect(await stage.register(id, "person@student.example")).toMatchObject({ status, body: { code } });
    expect(await stage.statusOf(id, "person@student.example")).toBeUndefined();
  });
});

describe("leaving", () => {
  test("gives the seat to the first in line", async () => {
    const id = await stage.givenEvent({ capac: 1 });
    for (const name of ["a", "b", "c"]) await stage.register(id, `${name}@leave.example`);
    expect(await stage.leave(id, "a@leave.example")).toMatchObject({
      status: 200,
      body: { message: expect.any(String) },
    });
    expect(await stage.statusOf(id, "a@leave.example")).toBeUndefined();
    expect(await stage.statusOf(id, "b@leave.example")).toBe("registered");
    expect(await stage.statusOf(id, "c@leave.example")).toBe("waitlist");
    const back = await stage.register(id, "a@leave.example");
    expect(back.body).toMatchObject({ registrationStatus: "waitlist", registration: { waitlistPosition: 2 } });
  });

  test("also takes the event from the query; without it the answer names the missing fields", async () => {
    const id = await stage.givenEvent();
    await stage.register(id, "query@student.example");
    const path = "/registrations/query@student.example";
    const missing = await stage.api("DELETE", path, { as: exec });
    expect(missing).toMatchObject({ status: 400, body: { issues: [{ path: "/eventID" }, { path: "/year" }] } });
    expect((await stage.api("DELETE", `${path}?eventID=${id}&year=${year}`, { as: exec })).status).toBe(200);
  });
});

describe("lists of registrations", () => {
  const list = async (query: string, as: string) => (await stage.list(`/registrations?${query}`, as)).body;

  test("are filtered, also as a table", async () => {
    const id = await stage.givenEventWith(["f1@filter.example", "f2@filter.example"], { capac: 1 });
    const one = `eventID=${id}&year=${year}&status=waitlist`;
    expect((await list(one, exec)).data).toMatchObject([{ email: "f2@filter.example" }]);
    const table = await list(`${one}&format=csv`, exec);
    expect([table.includes("f2@"), table.includes("f1@")]).toEqual([true, false]);
    const refused = await stage.api("GET", `/registrations?${one}ing`, { as: exec });
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining("waitlist") } });
  });

  test("show all people to admins, and other callers only their own registrations", async () => {
    const id = await stage.givenEvent();
    await stage.register(id, "x@list.example");
    await stage.register(id, "y@list.example");
    const emails = ({ data }: { data: { email: string }[] }) => data.map(({ email }) => email);
    expect(emails(await list(`eventID=${id}&year=${year}`, exec))).toEqual(["x@list.example", "y@list.example"]);
    expect(emails(await list(`eventID=${id}&year=${year}`, "x@list.example"))).toEqual(["x@list.example"]);
    expect(emails(await list("", "x@list.example"))).toEqual(["x@list.example"]);
    expect(await list("email=y@list.example", "x@list.example")).toEqual({ size: 0, data: [] });
    expect(emails(await list("email=y@list.example", exec))).toEqual(["y@list.example"]);
    expect(emails(await list(`eventID%3Byear=${id}%3B${year}`, exec))).toEqual(["x@list.example", "y@list.example"]);
    expect(emails(await list(`eventID=${id}`, exec))).toHaveLength(2);
    expect((await stage.api("GET", "/registrations?eventID%3Byear=nonsense", { as: exec })).status).toBe(400);
    expect(
      (await stage.api("GET", `/registrations?eventID%3Byear=${id}%3B${year}&year=1999`, { as: exec })).status,
    ).toBe(400);
  });

  test("of several people carry no ticket codes; those of one person do", async () => {
    const id = await stage.givenEvent();
    const email = "ticket@list.example";
    const { ticketCode } = (await stage.register(id, email)).body.registration;
    expect(ticketCode).toEqual(expect.any(String));
    const codes = ({ data }: { data: { ticketCode?: string }[] }) => data.map((row) => row.ticketCode);
    expect(codes(await list(`eventID=${id}&year=${year}`, exec))).toEqual([undefined]);
    expect(codes(await list(`eventID=${id}`, exec))).toEqual([undefined]);
    expect(codes(await list(`eventID=${id}&year=${year}&email=${email}`, exec))).toEqual([ticketCode]);
    expect(codes(await list(`email=${email}`, exec))).toEqual([ticketCode]);
    expect(codes(await list("", email))).toEqual([ticketCode]);
  });
});

describe("an event", () => {
  test("that was deleted by force and created again is empty", async () => {
    const id = await stage.givenEvent({ capac: 1 });
    await stage.register(id, "old@again.example");
    await stage.register(id, "older@again.example");
    const path = `/events/${id}/${year}`;
    expect(await stage.api("DELETE", path, { as: exec })).toMatchObject({
      status: 409,
      body: { code: "EVENT_HAS_REGISTRATIONS" },
    });
    expect((await stage.api("DELETE", `${path}?force=true`, { as: exec })).status).toBe(200);
    expect((await stage.api("GET", path, { as: exec })).status).toBe(404);
    expect((await stage.register(id, "late@again.example")).status).toBe(404);
    await stage.api("POST", "/events", { as: exec, body: { id, year, ename: "Again", isPublished: true, capac: 1 } });
    expect(await stage.countsOf(id)).toMatchObject({ registeredCount: 0, waitlistCount: 0, seatsTaken: 0 });
    const { body } = await stage.list(`/registrations?eventID=${id}&year=${year}`);
    expect(body.size).toBe(0);
    expect((await stage.register(id, "old@again.example")).body.registrationStatus).toBe("registered");
    expect((await stage.register(id, "older@again.example")).body.registration.waitlistPosition).toBe(1);
    await stage.leave(id, "old@again.example");
    expect(await stage.statusOf(id, "older@again.example")).toBe("registered");
  });
});
