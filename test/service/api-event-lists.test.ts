/** The list of events with its pages, and the active event (`docs/contract.md`, "Events" and "Lists and pages"). */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { exec, user } from "./given.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await givenStage();
});
afterAll(() => stage.close());

const create = async (fields: Record<string, unknown>) => {
  const { status } = await stage.createEvent(fields);
  expect(status).toBe(201);
};

const idsOf = (list: { id: string; year: number }[]): string[] => list.map(({ id, year }) => `${id}/${year}`);

describe("the active event", () => {
  const active = async (call = {}) => {
    await stage.indexed();
    return stage.api("GET", "/events/getActiveEvent", call);
  };
  const inMinutes = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();

  test("is the visible one with the nearest start in the future, also for a caller without a token", async () => {
    stage.usedByOthers("the next of all events");
    expect(await active()).toMatchObject({ status: 404, body: { code: "NOT_FOUND", message: expect.any(String) } });

    await create({ id: "undated" });
    await create({ id: "past", startDate: inMinutes(-1), endDate: inMinutes(600) });
    await create({ id: "draft", startDate: inMinutes(10), isPublished: false });
    expect((await active({ as: exec })).status).toBe(404);

    await create({ id: "later", startDate: inMinutes(1_000_000), pricing: { member: 1, nonMember: 2 } });
    expect((await active()).body).toMatchObject({
      id: "later",
      isCompleted: false,
      pricing: { member: 1, members: 1, nonMember: 2, nonMembers: 2 },
    });
    await create({ id: "soon", startDate: inMinutes(20) });
    for (const call of [
      {},
      { as: user },
      { as: exec },
      { token: "garbage" },
      { headers: { authorization: "Basic eDp5" } },
    ]) {
      const { status, body } = await active(call);
      expect(status).toBe(200);
      expect(body.id).toBe("soon");
      expect(Object.keys(body)).not.toEqual(
        expect.arrayContaining(["PK", "GSI1PK", "generation", "version", "termsVersion"]),
      );
    }

    const change = (id: string, body: object) => stage.api("PATCH", `/events/${id}/2030`, { as: exec, body });
    expect((await change("draft", { isPublished: true })).status).toBe(200);
    expect((await active()).body.id).toBe("draft");
    expect((await change("draft", { startDate: inMinutes(30) })).status).toBe(200);
    expect((await active()).body.id).toBe("soon");
    expect((await stage.api("DELETE", "/events/soon/2030", { as: exec })).status).toBe(200);
    expect((await active()).body.id).toBe("draft");
    expect((await change("draft", { startDate: null })).status).toBe(200);
    expect((await active()).body.id).toBe("later");
    for (const id of ["undated", "past", "draft", "later"]) expect((await stage.deleteEvent(id)).status).toBe(200);
  });
});

describe("the list of events", () => {
  beforeAll(async () => {
    for (const fields of [
      { id: "middle", startDate: "2030-03-01" },
      { id: "none-a" },
      { id: "draft", startDate: "2030-04-01", isPublished: false },
      { id: "newest", startDate: "2031-01-01", year: 2031 },
      { id: "none-draft", isPublished: false },
      { id: "middle", startDate: "2029-03-01", year: 2029 },
      { id: "same-a", startDate: "2030-02-01" },
      { id: "same-b", startDate: "2030-02-01" },
      { id: "none-b", year: 2029 },
    ]) {
      await create(fields);
    }
    await stage.indexed();
  });

  const list = (query: string, as = user) => stage.api("GET", `/events${query}`, { as });

  const whole = "the list of all events";
  const visible = [
    "newest/2031",
    "middle/2030",
    "same-b/2030",
    "same-a/2030",
    "middle/2029",
    "none-b/2029",
    "none-a/2030",
  ];
  const all = [
    "newest/2031",
    "draft/2030",
    "middle/2030",
    "same-b/2030",
    "same-a/2030",
    "middle/2029",
    "none-draft/2030",
    "none-b/2029",
    "none-a/2030",
  ];

  test("is a bare array, newest start first, without a start last; hidden events are for admins", async () => {
    stage.usedByOthers(whole);
    const asUser = await list("");
    expect(asUser.status).toBe(200);
    expect(idsOf(asUser.body)).toEqual(visible);
    expect(asUser.headers.get("x-next-cursor")).toBeNull();
    expect(asUser.body.every(({ isCompleted }: { isCompleted: unknown }) => isCompleted === false)).toBe(true);
    expect(JSON.stringify(asUser.body)).not.toMatch(/"(PK|SK|GSI1PK|GSI1SK|generation|version|termsVersion)":/);
    expect(idsOf((await list("", exec)).body)).toEqual(all);
  });

  test.each([
    ["?year=2029", ["middle/2029", "none-b/2029"]],
    ["?id=middle", ["middle/2030", "middle/2029"]],
    ["?id=draft", []],
    ["?unknown=1&year=2031", ["newest/2031"]],
  ])("is filtered by %s", async (query, expected) => {
    if (/year=/.test(query) && !query.includes("id=")) stage.usedByOthers("the events of a year");
    expect(idsOf((await list(query)).body)).toEqual(expected);
  });

  test("an admin's cursor and a forged one show no hidden event", async () => {
    stage.usedByOthers(whole);
    const admins = (await list("?limit=1", exec)).headers.get("x-next-cursor");
    expect(idsOf((await list(`?cursor=${admins}`)).body)).toEqual(visible.slice(1));
    const behind = (key: string) => list(`?cursor=${Buffer.from(key).toString("base64url")}`);
    const ofHidden = await behind("2030-04-01T08:00:00.000Z#draft#2030");
    expect(ofHidden.status).toBe(200);
    expect(visible).toEqual(expect.arrayContaining(idsOf(ofHidden.body)));
    for (const key of ["2031~", "~", "EVENTS#H", "USERS#0", "9"]) {
      expect(await behind(key)).toMatchObject({ status: 400, body: { issues: [{ path: "/cursor" }] } });
    }
  });
});
