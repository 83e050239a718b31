/** Check-in, bulk routes and the CSV list (`docs/contract.md`, "Check-in" and "Registrations"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import pMap from "p-map";
import { exec, people, user, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const checkIn = (eventID: string, whom: Record<string, unknown>, as = exec) =>
  stage.api("POST", "/registrations/check-in", { as, body: { eventID, year, ...whom } });
const codeOf = async (eventID: string, email: string): Promise<string> =>
  (await stage.registrationOf(eventID, email)).ticketCode;

describe("a check-in", () => {
  test("by the ticket's code happens once; a second scan says when the first one was", async () => {
    const id = await stage.givenEventWith([user]);
    const code = await codeOf(id, user);
    expect(code).toMatch(/^V2\.[A-Z2-7]+$/);
    const before = Date.now();
    const first = await checkIn(id, { code });
    expect(first).toMatchObject({
      status: 200,
      body: { alreadyCheckedIn: false, registration: { email: user, registrationStatus: "checkedIn" } },
    });
    expect(first.body.checkedInAt).toBeGreaterThanOrEqual(before);
    // A scanner ends what it reads with a line break.
    const again = await checkIn(id, { code: `${code}\r\n` });
    expect(again.body).toMatchObject({ alreadyCheckedIn: true, checkedInAt: first.body.checkedInAt });
    expect((await checkIn(id, { email: user })).body.alreadyCheckedIn).toBe(true);
    expect(await stage.countsOf(id)).toMatchObject({ registeredCount: 0, checkedInCount: 1 });
  });

  test("with a ticket of another event, a forged or malformed code, or no person is refused", async () => {
    const [id, other] = [await stage.givenEventWith([user]), await stage.givenEventWith([user])];
    const code = await codeOf(other, user);
    expect(await checkIn(id, { code })).toMatchObject({ status: 409, body: { code: "WRONG_EVENT" } });
    expect(await checkIn(id, { code: "V2.AAAA" })).toMatchObject({ status: 400, body: { code: "VALIDATION" } });
    expect(await checkIn(id, {})).toMatchObject({ status: 400 });
    expect(await checkIn(id, { email: "nobody@door.example" })).toMatchObject({ status: 404 });
    expect(await checkIn(id, { code: await codeOf(id, user) }, user)).toMatchObject({ status: 403 });
    expect(await stage.countsOf(id)).toMatchObject({ registeredCount: 1, checkedInCount: 0 });
  });

  test("without a confirmed seat is refused, and the answer names the state", async () => {
    const id = await stage.givenEvent({ capac: 1 });
    await stage.registerByAdmin(id, "a@door.example");
    await stage.registerByAdmin(id, user);
    const waiting = await checkIn(id, { code: await codeOf(id, user) });
    expect(waiting).toMatchObject({ status: 409, body: { code: "ILLEGAL_TRANSITION" } });
    expect(waiting.body.message).toContain("waitlist");
    const code = await codeOf(id, "a@door.example");
    await stage.moveTo(id, "a@door.example", "cancelled");
    const cancelled = await checkIn(id, { code });
    expect(cancelled).toMatchObject({ status: 409, body: { message: expect.stringContaining("cancelled") } });
    // A person who registers again gets another ticket. The old one stays invalid.
    await stage.changeEvent(id, { capac: 3 });
    await stage.registerByAdmin(id, "a@door.example");
    expect(await checkIn(id, { code })).toMatchObject({
      status: 409,
      body: { code: "ILLEGAL_TRANSITION", message: expect.stringContaining("replaced") },
    });
    expect(await stage.countsOf(id)).toMatchObject({ checkedInCount: 0 });
    // The control: the ticket of today is another one, and lets in.
    const present = await codeOf(id, "a@door.example");
    expect(present).not.toBe(code);
    expect((await checkIn(id, { code: present })).status).toBe(200);
    const deleted = await codeOf(id, user);
    await stage.api("DELETE", `/registrations/${user}?eventID=${id}&year=${year}`, { as: exec });
    expect((await checkIn(id, { code: deleted })).status).toBe(404);
  });
});

describe("resend-ticket", () => {
  const resend = (eventID: string, email: string, as = exec) =>
    stage.api("POST", "/registrations/resend-ticket", { as, body: { eventID, year, email } });

  test("is for admins, and needs a registration that has not ended", async () => {
    const id = await stage.givenEventWith([user]);
    expect(await resend(id, user)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect(await resend(id, user, user)).toMatchObject({ status: 403 });
    expect(await resend(id, "nobody@door.example")).toMatchObject({ status: 404 });
    await stage.moveTo(id, user, "cancelled");
    expect(await resend(id, user)).toMatchObject({ status: 409, body: { code: "ILLEGAL_TRANSITION" } });
  });
});

describe("a bulk request", () => {
  test("with three bad rows does the others, and says why each of the three failed", async () => {
    const emails = people(10, "door");
    const id = await stage.givenEvent({ capac: emails.length });
    await pMap(emails, (email) => stage.registerByAdmin(id, email), { concurrency: 4 });
    const bad = new Map([
      [7, { email: "nobody@door.example", registrationStatus: "checkedIn" }],
      [8, { email: emails[8], registrationStatus: "accepted" }],
      [9, { email: emails[9], registrationStatus: "nonsense" }],
    ]);
    const updates = emails.map((email, n) => bad.get(n) ?? { email, registrationStatus: "checkedIn" });
    const { status, body } = await stage.api("PUT", "/registrations/massUpdate", {
      as: exec,
      body: { eventID: id, eventYear: year, updates },
    });
    expect(status).toBe(200);
    expect(body.results).toHaveLength(emails.length);
    const failed = body.results.filter(({ success }: { success: boolean }) => !success);
    expect(failed).toEqual([
      { email: "nobody@door.example", success: false, message: expect.any(String) },
      { email: emails[8], success: false, message: expect.stringContaining("registered") },
      { email: emails[9], success: false, message: expect.stringContaining("registrationStatus") },
    ]);
    expect(body.results[0]).toEqual({ email: emails[0], success: true, registrationStatus: "checkedIn" });
    expect(await stage.countsOf(id)).toMatchObject({ checkedInCount: emails.length - 3, registeredCount: 3 });
  });

  test("by massUpdate's alias sets points, and refuses no rows and more than 500", async () => {
    const id = await stage.givenEventWith(people(2, "door"));
    const update = (updates: unknown, more = {}) =>
      stage.api("PUT", "/registrations/", { as: exec, body: { eventID: id, year, updates, ...more } });
    const rows = people(2, "door").map((email, n) => ({ email, points: n + 1 }));
    expect((await update(rows)).body.results.every(({ success }: { success: boolean }) => success)).toBe(true);
    const wrong = [{ email: "nobody" }, { email: user, points: -1 }, { email: user, points: 0.5 }, ...rows];
    expect((await update(wrong)).body.results.map(({ success }: { success: boolean }) => success)).toEqual([
      ...[false, false, false],
      ...[true, true],
    ]);
    expect((await update([])).status).toBe(400);
    expect((await update(Array.from({ length: 501 }, () => rows[0]))).status).toBe(400);
    expect((await update(rows, { year: undefined })).status).toBe(400);
    expect(
      (await stage.api("PUT", "/registrations/massUpdate", { as: user, body: { eventID: id, year, updates: rows } }))
        .status,
    ).toBe(403);
  });

  test("to delete registrations answers the result of each row", async () => {
    const id = await stage.givenEventWith(people(3, "door"), { capac: 3 });
    await stage.registerByAdmin(id, user);
    const { status, body } = await stage.api("DELETE", "/registrations", {
      as: exec,
      body: { ids: [...people(2, "door"), "nobody@door.example", "no address"], eventID: id, year },
    });
    expect(status).toBe(200);
    expect(body.results).toEqual([
      { email: "p0@door.example", success: true },
      { email: "p1@door.example", success: true },
      { email: "nobody@door.example", success: false, message: "Registration not found." },
      { email: "no address", success: false, message: "email must be an email address, without accents and / ? # %." },
    ]);
    expect(await stage.countsOf(id)).toMatchObject({ registeredCount: 2, waitlistCount: 0 });
    const asUser = await stage.api("DELETE", "/registrations", { as: user, body: { ids: [user], eventID: id, year } });
    expect(asUser).toMatchObject({ status: 403, body: { message: "Unauthorized" } });
  });
});

test("an admin gets the registrations of an event as CSV, and no cell is a formula", async () => {
  const id = await stage.givenEvent({
    registrationQuestions: [{ questionId: "q", label: "Why?", type: "TEXT", required: false }],
  });
  await stage.registerByAdmin(id, user, { fname: "=1+1", dynamicResponses: { q: "line one\nline two" } });
  const get = (query: string, as = exec) => stage.list(`/registrations?format=csv&${query}`, as);
  const response = await get(`eventID=${id}&year=${year}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("content-disposition")).toContain(`${id}-${year}`);
  const [row] = parse(response.body, { bom: true, columns: true, record_delimiter: "\r\n" }) as Record<
    string,
    string
  >[];
  expect(row).toMatchObject({ Email: user, Status: "registered", "First name": "'=1+1", "Why?": "line one\nline two" });
  expect((await get(`eventID=${id}`)).status).toBe(400);
  expect(await get(`eventID=nowhere&year=${year}`)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  expect(await get(`eventID=${id}&year=${year}`, user)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
});
