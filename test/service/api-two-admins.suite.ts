/** Two admins edit the same record: `ETag` and `If-Match` over HTTP (`docs/contract.md`, "Conditional edits"). */

import { beforeAll, describe, expect, test } from "@jest/globals";
import { conditionalRoutes, editedRecords, editingRoutes, kinds, requestOf, saves } from "./edited-records.ts";
import { type Answer, exec, newEmail, newEventId } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

type Headers = Readonly<Record<string, string>>;
const send = (method: string, path: string, body?: unknown, headers: Headers = {}): Promise<Answer> =>
  stage.api(method, path, { as: exec, body, headers });
const etagOf = ({ headers }: Answer): string => headers.get("etag") as string;

/** Makes a record with the text `first`. */
async function given(name: string, save = editedRecords[name]?.save[0] as string) {
  const of = recordOf(name, save);
  const id = newEventId();
  const created = await of.create(id, "first");
  expect({ name, status: created.status < 300 }).toEqual({ name, status: true });
  const read = () => send("GET", of.path(id));
  return { ...of, id, read, tag: etagOf(created), valueNow: async () => of.shown((await read()).body) };
}

/** The requests about records of one kind, saved by one of its routes. */
function recordOf(name: string, saveKey: string) {
  const { create, remove, body, shown } = editedRecords[name] as (typeof editedRecords)[string];
  return {
    create: (id: string, value: string) => send(...requestOf(create, id), body(id, value)),
    path: (id: string) => requestOf(remove, id)[1],
    save: (id: string, value: string, headers?: Headers) => send(...requestOf(saveKey, id), body(id, value), headers),
    shown: shown as (body: unknown) => string,
  };
}

const precondition = {
  status: 412,
  body: { code: "PRECONDITION_FAILED", message: expect.stringContaining("changed") },
};

test("every route with If-Match is here; add its record to `edited-records.ts`", () => {
  expect(editingRoutes.toSorted()).toEqual(conditionalRoutes.toSorted());
});

describe.each(saves)("%s, saved by %s", (name, key) => {
  test("is saved only for the version that the admin has read", async () => {
    const { id, tag, save, valueNow } = await given(name, key);
    const saved = await save(id, "second", { "if-match": tag });
    expect([saved.status, await valueNow()]).toEqual([200, "second"]);
    const now = etagOf(saved);
    const late = await save(id, "third", { "if-match": tag });
    expect(late).toMatchObject(precondition);
    expect([etagOf(late), await valueNow()]).toEqual([now, "second"]);
    expect((await save(id, "third", { "if-match": etagOf(late) })).status).toBe(200);
    expect(await valueNow()).toBe("third");
  });
});

describe.each(kinds)("%s", (name, key) => {
  test("has one strong tag in all answers, which moves with each edit", async () => {
    const { id, tag, save, read } = await given(name, key);
    expect(tag).toMatch(/^"[!#-~]+"$/);
    expect(etagOf(await read())).toBe(tag);
    const tags = [tag];
    for (const value of ["second", "first"]) {
      tags.push(etagOf(await save(id, value)));
      expect(etagOf(await read())).toBe(tags.at(-1));
    }
    expect(new Set(tags).size).toBe(3);
  });

  test("is removed only in the version that the admin has read", async () => {
    const { id, tag, path, save, read } = await given(name, key);
    const now = etagOf(await save(id, "second"));
    const late = await send("DELETE", path(id), undefined, { "if-match": tag });
    expect(late).toMatchObject(precondition);
    expect([etagOf(late), etagOf(await read())]).toEqual([now, now]);
    expect((await send("DELETE", path(id), undefined, { "if-match": "a" })).status).toBe(400);
    expect((await send("DELETE", path(id), undefined, { "if-match": now })).status).toBe(200);
  });

  test("that does not exist is not saved, and not made by a save for a version", async () => {
    const { save, path } = recordOf(name, key);
    const none = newEventId();
    for (const header of ["*", '"other"']) {
      const { status, headers } = await save(none, "second", { "if-match": header });
      expect([status, headers.get("etag")]).toEqual([name === "a project" ? 412 : 404, null]);
    }
    for (const method of ["GET", "DELETE"]) expect((await send(method, path(none))).status).toBe(404);
  });
});

describe("an admin's save of an event meets registrations", () => {
  test("which come in between and never move the tag", async () => {
    const { id, tag, path, read, save } = await given("an event");
    const [first, second] = [newEmail(), newEmail()];
    for (const email of [first, second]) expect((await stage.registerByAdmin(id, email)).status).toBe(201);
    expect((await stage.moveTo(id, first, "checkedIn")).status).toBe(200);
    expect((await stage.leave(id, second)).status).toBe(200);
    const counted = await send("GET", `${path(id)}?count=true&users=true`);
    expect([counted.body.checkedInCount, etagOf(counted), etagOf(await read())]).toEqual([1, tag, tag]);
    expect((await save(id, "second", { "if-match": tag })).status).toBe(200);
  });

  test("and a deletion for an old version is refused before the registrations are looked at", async () => {
    const { id, tag, path, save } = await given("an event");
    await stage.registerByAdmin(id, newEmail());
    expect((await send("DELETE", path(id), undefined, { "if-match": tag })).status).toBe(409);
    const now = etagOf(await save(id, "second"));
    for (const query of ["", "?force=true"]) {
      expect((await send("DELETE", path(id) + query, undefined, { "if-match": tag })).status).toBe(412);
    }
    expect((await send("DELETE", `${path(id)}?force=true`, undefined, { "if-match": now })).status).toBe(200);
  });
});

describe("an admin's save of a project meets the market", () => {
  const buy = (projectId: string, as: string) =>
    stage.api("POST", "/btx/market/buy", { as, body: { projectId, shares: 1 } });

  test("which moves the price in between and never the tag", async () => {
    const { id, tag, read, save } = await given("a project");
    expect((await buy(id, newEmail())).status).toBe(200);
    for (const [path, body] of [
      ["seed", { projectId: id, seedDelta: 1 }],
      ["phase-bump", { projectId: id, bumpType: "MVP_SHIPPED" }],
      ["investment-impact", { teamId: id, amountDelta: 5 }],
      ["reset", { eventId: "kickstart" }],
    ] as const) {
      expect((await send("POST", `/btx/admin/${path}`, body)).status).toBe(200);
    }
    expect((await buy(id, newEmail())).status).toBe(200);
    const before = await read();
    expect(etagOf(before)).toBe(tag);
    const saved = await save(id, "second", { "if-match": tag });
    expect([saved.status, saved.body.data.currentPrice]).toEqual([200, before.body.data.currentPrice]);
  });
});
