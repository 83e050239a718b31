/** Changing and deleting events (`docs/contract.md`, "Events"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, people, user, year } from "./given.ts";
import { type ServiceStage, sharedStage, withoutNotices } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage(withoutNotices);
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
  test("that is lowered evicts no person and says overCapacityBy; that is raised gives seats to the line in order", async () => {
    const emails = people(4, "change");
    const id = await stage.givenEventWith(emails, { capac: 2 });
    const statuses = () => Promise.all(emails.map((email) => stage.statusOf(id, email)));
    expect((await stage.changeEvent(id, { capac: 1 })).body).toMatchObject({ overCapacityBy: 1, item: { capac: 1 } });
    expect((await get(id)).body.counts).toMatchObject({ registeredCount: 2, waitlistCount: 2, remaining: 0 });
    expect((await stage.changeEvent(id, { capac: 3 })).body).not.toHaveProperty("overCapacityBy");
    expect(await statuses()).toEqual(["registered", "registered", "registered", "waitlist"]);
    await stage.changeEvent(id, { capac: null });
    expect(await statuses()).toEqual(emails.map(() => "registered"));
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
