/** Changing and deleting events (`docs/contract.md`, "Events"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, people, user, year } from "./given.ts";
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

  test.each<[string, object, string]>([
    ["a capacity of none", { capac: 0 }, "/capac"],
    ["an end before the start that stays", { endDate: "2030-04-01" }, "/endDate"],
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
});

describe("the deletion of an event", () => {
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
