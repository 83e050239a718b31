/** Changing and deleting events (`docs/contract.md`, "Events"). */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { exec, givenStage, member, type ServiceStage, user } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await givenStage();
}, 60_000);
afterAll(() => stage.close());

const year = 2030;
let events = 0;
async function given(fields: Record<string, unknown> = {}): Promise<string> {
  events += 1;
  const id = `event-${events}`;
  const body = { id, year, ename: "An event", ...fields };
  expect((await stage.api("POST", "/events", { as: exec, body })).status).toBe(201);
  return id;
}

const get = (id: string) => stage.api("GET", `/events/${id}/${year}?count=true`, { as: exec });
const change = (id: string, body: unknown, as = exec) => stage.api("PATCH", `/events/${id}/${year}`, { as, body });
const remove = (id: string, query = "") => stage.api("DELETE", `/events/${id}/${year}${query}`, { as: exec });
const register = async (eventID: string, email: string, more: Record<string, unknown> = {}) =>
  stage.api("POST", "/registrations", { as: exec, body: { eventID, year, email, ...more } });
const statusOf = async (eventID: string, email: string): Promise<string> => {
  const { body } = await stage.api("GET", `/registrations?eventID=${eventID}&year=${year}&email=${email}`, {
    as: exec,
  });
  return body.data[0]?.registrationStatus ?? "none";
};
const people = (count: number): string[] => Array.from({ length: count }, (_, n) => `p${n}@change.example`);

/** Makes an event with this many seats, and registers the people in this order. */
async function givenLine(capac: number, emails: readonly string[]): Promise<string> {
  const id = await given({ capac });
  for (const email of emails) expect((await register(id, email)).status).toBe(201);
  return id;
}

describe("a change of an event", () => {
  test("keeps absent fields, removes fields that are null, and answers the whole event", async () => {
    const id = await given({ description: "Old", elocation: "Hall", capac: 5, startDate: "2030-05-01T10:00:00Z" });
    const before = (await get(id)).body;
    const { status, body } = await change(id, { description: "New", elocation: null, capac: null });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["item", "message"]);
    const { description, elocation, capac, updatedAt, ...rest } = body.item;
    expect({ description, elocation, capac }).toEqual({ description: "New", elocation: undefined, capac: undefined });
    expect(updatedAt).toBeGreaterThanOrEqual(before.updatedAt);
    expect(before).toMatchObject(rest);
    expect((await get(id)).body).toMatchObject(body.item);
    expect((await get(id)).body.counts.remaining).toBeNull();
  });

  test("ignores id, year, counters and internal fields", async () => {
    const id = await givenLine(3, people(1));
    const hostile = { id: "other", year: 1999, registeredCount: 0, counts: {}, incarnation: "x", version: 99, cfg: 99 };
    const { status, body } = await change(id, { ...hostile, createdAt: 1, ename: "Renamed" });
    expect(status).toBe(200);
    expect(body.item).toMatchObject({ id, year, ename: "Renamed" });
    expect(body.item.createdAt).toBeGreaterThan(1);
    expect((await get(id)).body.counts.registeredCount).toBe(1);
    expect((await stage.api("GET", "/events/other/1999", { as: exec })).status).toBe(404);
  });

  test.each<[string, object, string]>([
    ["a capacity of none", { capac: 0 }, "/capac"],
    ["an end before the start that stays", { endDate: "2030-04-01" }, "/endDate"],
    ["a start after the end that stays", { startDate: "2030-07-01" }, "/endDate"],
    ["no name", { ename: null }, "/ename"],
    ["a blank name", { ename: " " }, "/ename"],
    ["a price in words", { pricing: { member: "1" } }, "/pricing/member"],
    ["null for a truth", { isPublished: null }, "/isPublished"],
  ])("to %s is refused, and changes nothing", async (_, body, path) => {
    const id = await given({ startDate: "2030-05-01", endDate: "2030-06-01", description: "Stays" });
    const before = (await get(id)).body;
    expect(await change(id, { description: "Gone", ...body })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION", issues: [{ path }] },
    });
    expect((await get(id)).body).toEqual(before);
  });

  test("of an unknown event is a 404; with the same values it is a 200 and writes nothing", async () => {
    expect(await change("nothing", { ename: "x" })).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    const id = await given({ description: "Same" });
    const [before] = await stage.stored(`EVENT#${id}#${year}`);
    expect((await change(id, { description: "Same" })).status).toBe(200);
    expect((await change(id, {})).status).toBe(200);
    expect((await stage.stored(`EVENT#${id}#${year}`))[0]).toEqual(before);
  });

  test("moves the event in the list, and between hidden and published events", async () => {
    const ids = async (as: string) =>
      (await stage.api("GET", "/events", { as })).body.map((event: { id: string }) => event.id) as string[];
    const [first, second] = [await given({ startDate: "2031-01-02" }), await given({ startDate: "2031-01-01" })];
    const ours = async (as = user) => (await ids(as)).filter((id) => id === first || id === second);
    expect(await ours()).toEqual([first, second]);
    await change(second, { startDate: "2031-01-03" });
    expect(await ours()).toEqual([second, first]);
    await change(second, { isPublished: false });
    expect(await ours()).toEqual([first]);
    expect(await ours(exec)).toEqual([second, first]);
    expect((await stage.api("GET", `/events/${second}/${year}`, { as: user })).status).toBe(404);
    await change(second, { isPublished: true, startDate: null });
    expect(await ours()).toEqual([first, second]);
  });

  test("is not lost when twenty changes come at once", async () => {
    const id = await given();
    const fields = ["elocation", "description", "partnerDescription", "latitude", "longitude"];
    const bodies = fields.map((name, n) => ({ [name]: n < 3 ? `${n}` : n }));
    const answers = await Promise.all([...bodies, ...bodies, ...bodies, ...bodies].map((body) => change(id, body)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await get(id)).body).toMatchObject(Object.assign({}, ...bodies));
  });
});

describe("the capacity", () => {
  test("that is raised gives seats to the line in order; without a limit all get one", async () => {
    const emails = people(7);
    const id = await givenLine(1, emails);
    expect((await change(id, { capac: 3 })).body).not.toHaveProperty("overCapacityBy");
    const statuses = () => Promise.all(emails.map((email) => statusOf(id, email)));
    expect(await statuses()).toEqual(emails.map((_, n) => (n < 3 ? "registered" : "waitlist")));
    await change(id, { capac: null });
    expect(await statuses()).toEqual(emails.map(() => "registered"));
    expect((await get(id)).body.counts).toMatchObject({ registeredCount: 7, waitlistCount: 0, remaining: null });
  });

  test("that is lowered below the seats taken evicts and seats no person; overCapacityBy is the excess", async () => {
    const emails = people(4);
    const id = await givenLine(3, emails);
    expect((await change(id, { capac: 1 })).body).toMatchObject({ overCapacityBy: 2, item: { capac: 1 } });
    expect((await get(id)).body.counts).toMatchObject({ registeredCount: 3, waitlistCount: 1, remaining: 0 });
    for (const leaver of emails.slice(0, 2)) {
      await stage.api("DELETE", `/registrations/${leaver}?eventID=${id}&year=${year}`, { as: exec });
      expect(await statusOf(id, emails[3] as string)).toBe("waitlist");
    }
    await stage.api("DELETE", `/registrations/${emails[2]}?eventID=${id}&year=${year}`, { as: exec });
    expect(await statusOf(id, emails[3] as string)).toBe("registered");
  });

  test("that is raised while people register never seats one too many, and leaves no seat free", async () => {
    const id = await given({ capac: 5 });
    const emails = people(30);
    const [eight, twelve, meanwhile, ...registrations] = await Promise.all([
      change(id, { capac: 8 }),
      change(id, { capac: 12 }),
      change(id, { description: "Meanwhile" }),
      ...emails.map((email) => register(id, email)),
    ]);
    expect([eight, twelve, meanwhile].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(registrations.map(({ status }) => status)).toEqual(emails.map(() => 201));
    const { capac, counts, description } = (await get(id)).body;
    expect([8, 12]).toContain(capac);
    expect(description).toBe("Meanwhile");
    // When the change to 12 came before the change to 8, up to 12 people keep their seats.
    expect(counts.registeredCount).toBeGreaterThanOrEqual(capac);
    expect(counts.registeredCount).toBeLessThanOrEqual(12);
    expect(counts).toMatchObject({ waitlistCount: 30 - counts.registeredCount, remaining: 0 });
  });
});

describe("isApplicationBased", () => {
  test("may change on an event without live registrations only", async () => {
    const id = await given({ capac: 1 });
    expect((await change(id, { isApplicationBased: true })).status).toBe(200);
    expect((await change(id, { isApplicationBased: false })).status).toBe(200);
    await register(id, user);
    const refused = { status: 409, body: { code: "EVENT_HAS_REGISTRATIONS" } };
    expect(await change(id, { isApplicationBased: true, description: "x" })).toMatchObject(refused);
    expect((await get(id)).body).not.toHaveProperty("description");
    await stage.api("DELETE", `/registrations/${user}?eventID=${id}&year=${year}`, { as: exec });
    expect((await change(id, { isApplicationBased: true })).status).toBe(200);
  });

  test("may be sent as false when it was absent, also with live registrations", async () => {
    const id = await given({ capac: 1 });
    await register(id, user);
    await register(id, exec);
    const saved = { isApplicationBased: false, description: "Saved from the form" };
    expect(await change(id, saved)).toMatchObject({ status: 200, body: { item: saved } });
    expect((await get(id)).body.counts).toMatchObject({ registeredCount: 1, waitlistCount: 1 });
  });
});

test("a question whose id is null gets an id", async () => {
  const id = await given();
  const question = { questionId: null, label: "Why?", type: "TEXT", required: false };
  const { status, body } = await change(id, { registrationQuestions: [question] });
  expect(status).toBe(200);
  expect(body.item.registrationQuestions).toEqual([{ ...question, questionId: expect.any(String) }]);
});

describe("the deletion of an event", () => {
  test("makes it a 404 in every route, and a second deletion too", async () => {
    const id = await given({ startDate: "2030-01-01" });
    expect(await remove(id)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect((await get(id)).status).toBe(404);
    expect(await remove(id)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect(await register(id, user)).toMatchObject({ status: 404 });
    expect((await stage.api("GET", `/events?id=${id}`, { as: exec })).body).toEqual([]);
  });

  test("ten times at once happens once", async () => {
    const id = await given();
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => remove(id)))).map(({ status }) => status);
    // A request that finds the event deleted by another one while it runs is a 200. A later request is a 404.
    expect(statuses.filter((status) => status !== 404)).toEqual(expect.arrayContaining([200]));
    expect([200, 404]).toEqual(expect.arrayContaining(statuses));
    const deletions = (await outbox(id)).filter((type) => type === "event.deleted");
    expect(deletions).toHaveLength(1);
  });

  test.each([1, 2])("is refused while %d people are registered or wait, and done with force=true", async (count) => {
    const id = await givenLine(1, people(count));
    for (const query of ["", "?force=false"]) {
      expect(await remove(id, query)).toMatchObject({ status: 409, body: { code: "EVENT_HAS_REGISTRATIONS" } });
    }
    expect((await get(id)).body.counts.registeredCount).toBe(1);
    expect((await remove(id, "?force=true")).status).toBe(200);
    expect((await get(id)).status).toBe(404);
  });

  test("by force while people register is done, and every answer is sound", async () => {
    const id = await given({ capac: 50 });
    const answers = await Promise.all([...people(20).map((email) => register(id, email)), remove(id, "?force=true")]);
    expect(answers.every(({ status }) => [200, 201, 404, 409].includes(status))).toBe(true);
    expect((await register(id, member)).status).toBe(404);
  });
});

/** @returns the types of the messages about the event itself, in the order in which they were written */
async function outbox(id: string): Promise<string[]> {
  const hour = new Date().toISOString().slice(0, 13).replace(/\D/g, "");
  const previous = new Date(Date.now() - 3_600_000).toISOString().slice(0, 13).replace(/\D/g, "");
  const partitions = [previous, hour].flatMap((at) => Array.from({ length: 8 }, (_, shard) => `OUT#${at}#${shard}`));
  const rows = (await Promise.all(partitions.map((partition) => stage.stored(partition)))).flat() as {
    SK: string;
    detailType: string;
    detail: { data: { id?: string } };
  }[];
  return rows
    .filter(({ detail }) => detail.data.id === id)
    .sort((a, b) => (a.SK < b.SK ? -1 : 1))
    .map(({ detailType }) => detailType);
}

test("creation, each move, each change of the capacity and deletion write one message of their type", async () => {
  const id = await given({ startDate: "2030-05-01", endDate: "2030-05-02", elocation: "Hall", capac: 3 });
  await change(id, { description: "New" });
  await change(id, { description: "New" });
  await change(id, { startDate: "2030-04-30" });
  await change(id, { elocation: "Garden" });
  await change(id, { capac: 4 });
  await remove(id);
  const told = await outbox(id);
  expect(told.filter((type) => type === "event.rescheduled")).toHaveLength(2);
  expect(told.filter((type) => type === "event.capacityChanged")).toHaveLength(1);
  expect([told[0], told.at(-1)]).toEqual(["event.created", "event.deleted"]);
});
