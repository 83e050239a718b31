/** Changing and deleting events (`docs/contract.md`, "Events"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, member, people, user, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const get = (id: string) => stage.api("GET", `/events/${id}/${year}?count=true`, { as: exec });
describe("a change of an event", () => {
  test("keeps absent fields, removes fields that are null, and answers the whole event", async () => {
    const id = await stage.givenEvent({
      description: "Old",
      elocation: "Hall",
      capac: 5,
      startDate: "2030-05-01T10:00:00Z",
    });
    const before = (await get(id)).body;
    const { status, body } = await stage.changeEvent(id, { description: "New", elocation: null, capac: null });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(["item", "message"]);
    const { description, elocation, capac, updatedAt, ...rest } = body.item;
    expect({ description, elocation, capac }).toEqual({ description: "New", elocation: undefined, capac: undefined });
    expect(updatedAt).toBeGreaterThanOrEqual(before.updatedAt);
    expect(before).toMatchObject(rest);
    expect((await get(id)).body).toMatchObject(body.item);
    expect((await get(id)).body.counts.remaining).toBeNull();
  });

  test("ignores its own id and year, counters and internal fields", async () => {
    const id = await stage.givenEventWith(people(1, "change"), { capac: 3 });
    const hostile = { id, year, registeredCount: 0, counts: {}, generation: "x", version: 99, termsVersion: 99 };
    const { status, body } = await stage.changeEvent(id, { ...hostile, createdAt: 1, ename: "Renamed" });
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
    const id = await stage.givenEvent({ startDate: "2030-05-01", endDate: "2030-06-01", description: "Stays" });
    const before = (await get(id)).body;
    expect(await stage.changeEvent(id, { description: "Gone", ...body })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION", issues: [{ path }] },
    });
    expect((await get(id)).body).toEqual(before);
  });

  test("of an unknown event is a 404; with the same values it is a 200 and writes nothing", async () => {
    expect(await stage.changeEvent("nothing", { ename: "x" })).toMatchObject({
      status: 404,
      body: { code: "NOT_FOUND" },
    });
    const id = await stage.givenEvent({ description: "Same" });
    const [before] = await stage.stored(`EVENT#${id}#${year}`);
    expect((await stage.changeEvent(id, { description: "Same" })).status).toBe(200);
    expect((await stage.stored(`EVENT#${id}#${year}`))[0]).toEqual(before);
  });

  test("moves the event in the list, and between hidden and published events", async () => {
    const ids = async (as: string) =>
      (await stage.list(`/events?year=${year}`, as)).body.map((event: { id: string }) => event.id) as string[];
    const [first, second] = [
      await stage.givenEvent({ startDate: "2031-01-02" }),
      await stage.givenEvent({ startDate: "2031-01-01" }),
    ];
    const ours = async (as = user) => (await ids(as)).filter((id) => id === first || id === second);
    expect(await ours()).toEqual([first, second]);
    await stage.changeEvent(second, { startDate: "2031-01-03" });
    expect(await ours()).toEqual([second, first]);
    await stage.changeEvent(second, { isPublished: false });
    expect(await ours()).toEqual([first]);
    expect(await ours(exec)).toEqual([second, first]);
    expect((await stage.api("GET", `/events/${second}/${year}`, { as: user })).status).toBe(404);
    await stage.changeEvent(second, { isPublished: true, startDate: null });
    expect(await ours()).toEqual([first, second]);
  });

  test("is not lost when twenty changes come at once", async () => {
    const id = await stage.givenEvent();
    const fields = ["elocation", "description", "partnerDescription", "latitude", "longitude"];
    const bodies = fields.map((name, n) => ({ [name]: n < 3 ? `${n}` : n }));
    const answers = await Promise.all(
      [...bodies, ...bodies, ...bodies, ...bodies].map((body) => stage.changeEvent(id, body)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await get(id)).body).toMatchObject(Object.assign({}, ...bodies));
  });
});

describe("the capacity", () => {
  test("that is raised gives seats to the line in order; without a limit all get one", async () => {
    const emails = people(7, "change");
    const id = await stage.givenEventWith(emails, { capac: 1 });
    expect((await stage.changeEvent(id, { capac: 3 })).body).not.toHaveProperty("overCapacityBy");
    const statuses = () => Promise.all(emails.map((email) => stage.statusOf(id, email)));
    expect(await statuses()).toEqual(emails.map((_, n) => (n < 3 ? "registered" : "waitlist")));
    await stage.changeEvent(id, { capac: null });
    expect(await statuses()).toEqual(emails.map(() => "registered"));
    expect((await get(id)).body.counts).toMatchObject({ registeredCount: 7, waitlistCount: 0, remaining: null });
  });

  test("that is lowered below the seats taken evicts and seats no person; overCapacityBy is the excess", async () => {
    const emails = people(4, "change");
    const id = await stage.givenEventWith(emails, { capac: 3 });
    expect((await stage.changeEvent(id, { capac: 1 })).body).toMatchObject({ overCapacityBy: 2, item: { capac: 1 } });
    expect((await get(id)).body.counts).toMatchObject({ registeredCount: 3, waitlistCount: 1, remaining: 0 });
    for (const leaver of emails.slice(0, 2)) {
      await stage.api("DELETE", `/registrations/${leaver}?eventID=${id}&year=${year}`, { as: exec });
      expect(await stage.statusOf(id, emails[3] as string)).toBe("waitlist");
    }
    await stage.api("DELETE", `/registrations/${emails[2]}?eventID=${id}&year=${year}`, { as: exec });
    expect(await stage.statusOf(id, emails[3] as string)).toBe("registered");
  });

  test("that is raised while people register never seats one too many, and leaves no seat free", async () => {
    const id = await stage.givenEvent({ capac: 5 });
    const emails = people(30, "change");
    const [eight, twelve, meanwhile, ...registrations] = await Promise.all([
      stage.changeEvent(id, { capac: 8 }),
      stage.changeEvent(id, { capac: 12 }),
      stage.changeEvent(id, { description: "Meanwhile" }),
      ...emails.map((email) => stage.registerByAdmin(id, email)),
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
    const id = await stage.givenEvent({ capac: 1 });
    expect((await stage.changeEvent(id, { isApplicationBased: true })).status).toBe(200);
    expect((await stage.changeEvent(id, { isApplicationBased: false })).status).toBe(200);
    await stage.registerByAdmin(id, user);
    const refused = { status: 409, body: { code: "EVENT_HAS_REGISTRATIONS" } };
    expect(await stage.changeEvent(id, { isApplicationBased: true, description: "x" })).toMatchObject(refused);
    expect((await get(id)).body).not.toHaveProperty("description");
    await stage.api("DELETE", `/registrations/${user}?eventID=${id}&year=${year}`, { as: exec });
    expect((await stage.changeEvent(id, { isApplicationBased: true })).status).toBe(200);
  });

  test("may be sent as false when it was absent, also with live registrations", async () => {
    const id = await stage.givenEvent({ capac: 1 });
    await stage.registerByAdmin(id, user);
    await stage.registerByAdmin(id, exec);
    const saved = { isApplicationBased: false, description: "Saved from the form" };
    expect(await stage.changeEvent(id, saved)).toMatchObject({ status: 200, body: { item: saved } });
    expect((await get(id)).body.counts).toMatchObject({ registeredCount: 1, waitlistCount: 1 });
  });
});

test("a question whose id is null gets an id", async () => {
  const id = await stage.givenEvent();
  const question = { questionId: null, label: "Why?", type: "TEXT", required: false };
  const { status, body } = await stage.changeEvent(id, { registrationQuestions: [question] });
  expect(status).toBe(200);
  expect(body.item.registrationQuestions).toEqual([{ ...question, questionId: expect.any(String) }]);
});

describe("the deletion of an event", () => {
  test("makes it a 404 in every route, and a second deletion too", async () => {
    const id = await stage.givenEvent({ startDate: "2030-01-01" });
    expect(await stage.deleteEvent(id)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect((await get(id)).status).toBe(404);
    expect(await stage.deleteEvent(id)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect(await stage.registerByAdmin(id, user)).toMatchObject({ status: 404 });
    expect((await stage.list(`/events?id=${id}`)).body).toEqual([]);
  });

  test("ten times at once happens once", async () => {
    const id = await stage.givenEvent();
    const statuses = (await Promise.all(Array.from({ length: 10 }, () => stage.deleteEvent(id)))).map(
      ({ status }) => status,
    );
    // A request that finds the event deleted by another one while it runs is a 200. A later request is a 404.
    expect(statuses.filter((status) => status !== 404)).toEqual(expect.arrayContaining([200]));
    expect([200, 404]).toEqual(expect.arrayContaining(statuses));
    const deletions = (await outbox(id)).filter((type) => type === "event.deleted");
    expect(deletions).toHaveLength(1);
  });

  test.each([1, 2])("is refused while %d people are registered or wait, and done with force=true", async (count) => {
    const id = await stage.givenEventWith(people(count, "change"), { capac: 1 });
    for (const query of ["", "?force=false"]) {
      expect(await stage.deleteEvent(id, query)).toMatchObject({
        status: 409,
        body: { code: "EVENT_HAS_REGISTRATIONS" },
      });
    }
    expect((await get(id)).body.counts.registeredCount).toBe(1);
    expect((await stage.deleteEvent(id, "?force=true")).status).toBe(200);
    expect((await get(id)).status).toBe(404);
  });

  test("by force while people register is done, and every answer is sound", async () => {
    const id = await stage.givenEvent({ capac: 50 });
    const answers = await Promise.all([
      ...people(20, "change").map((email) => stage.registerByAdmin(id, email)),
      stage.deleteEvent(id, "?force=true"),
    ]);
    expect(answers.every(({ status }) => [200, 201, 404, 409].includes(status))).toBe(true);
    expect((await stage.registerByAdmin(id, member)).status).toBe(404);
  });
});

/** @returns the types of the messages about the event itself, in the order in which they were written */
async function outbox(id: string): Promise<string[]> {
  const rows = (await stage.outboxRows()).filter(({ detail }) => detail.data.id === id);
  return rows.map(({ detailType }) => detailType);
}

test("creation, each move, each change of the capacity and deletion write one message of their type", async () => {
  const id = await stage.givenEvent({ startDate: "2030-05-01", endDate: "2030-05-02", elocation: "Hall", capac: 3 });
  await stage.changeEvent(id, { description: "New" });
  await stage.changeEvent(id, { description: "New" });
  await stage.changeEvent(id, { startDate: "2030-04-30" });
  await stage.changeEvent(id, { elocation: "Garden" });
  await stage.changeEvent(id, { capac: 4 });
  await stage.deleteEvent(id);
  const told = await outbox(id);
  expect(told.filter((type) => type === "event.rescheduled")).toHaveLength(2);
  expect(told.filter((type) => type === "event.capacityChanged")).toHaveLength(1);
  expect([told[0], told.at(-1)]).toEqual(["event.created", "event.deleted"]);
});
