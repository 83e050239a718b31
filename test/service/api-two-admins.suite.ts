/** Two admins edit the same record: `ETag` and `If-Match` over HTTP (`docs/contract.md`, "Conditional edits"). */

import { beforeAll, describe, expect, test } from "@jest/globals";
import { conditionalRoutes, editedRecords, editingRoutes, requestOf, saves } from "./edited-records.ts";
import { type Answer, exec, newEmail, newEventId, times, user } from "./given.ts";
import { partnersOf } from "./quick-run.ts";
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

describe.each(saves.map(([name, key], nth) => [name, key, nth] as const))("%s, saved by %s", (name, key, nth) => {
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

  test("keeps its tag when an edit changes nothing", async () => {
    const { id, tag, save, read } = await given(name, key);
    const before = await read();
    const saved = await save(id, "first", { "if-match": tag });
    expect([saved.status, etagOf(saved)]).toEqual([200, tag]);
    const after = await read();
    expect([after.body, etagOf(after)]).toEqual([before.body, tag]);
  });

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

  type Condition = readonly [name: string, header: (tag: string) => string, status: number];
  const conditions: readonly Condition[] = [
    ["any version", () => "*", 200],
    ["one of several versions", (tag) => `"other", ${tag}`, 200],
    ["other versions", () => '"other", "another"', 412],
    ["its version, weakly", (tag) => `W/${tag}`, 412],
    ["its version without quotes", (tag) => tag.slice(1, -1), 400],
    ["any version and one more", (tag) => `*, ${tag}`, 400],
    ["nothing", () => ",", 400],
  ];
  test.each(partnersOf(nth, conditions))("asked to be saved for %s", async (_, header, status) => {
    const { id, tag, save, valueNow } = await given(name, key);
    const saved = await save(id, "second", { "if-match": header(tag) });
    expect([saved.status, await valueNow()]).toEqual([status, status === 200 ? "second" : "first"]);
    if (status === 400) expect(saved.body.issues).toMatchObject([{ path: "/If-Match" }]);
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

  test("that is removed and made again has another tag", async () => {
    const { id, tag, path, create, save, valueNow } = await given(name, key);
    expect((await send("DELETE", path(id))).status).toBe(200);
    const again = await create(id, "first");
    expect(again.status).toBeLessThan(300);
    expect(etagOf(again)).not.toBe(tag);
    expect(await save(id, "second", { "if-match": tag })).toMatchObject(precondition);
    expect(await valueNow()).toBe("first");
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

  test("is not edited by a person who is no admin, whatever tag they send", async () => {
    const { id, tag, path, valueNow } = await given(name, key);
    const headers = { "if-match": tag };
    expect((await stage.api("DELETE", path(id), { as: user, headers })).status).toBe(403);
    expect(await valueNow()).toBe("first");
  });
});

// `edit-races.test.ts` has two admins at one moment, for each kind of record.
describe("an event, over HTTP", () => {
  test("is saved by one of ten admins who have read the same version and save at once", async () => {
    const { id, tag, save, read, valueNow } = await given("an event");
    const answers = await Promise.all(times(10, (n) => save(id, `by ${n}`, { "if-match": tag })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...times(9, () => 412)]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await valueNow()).toBe(`by ${winner}`);
    const now = etagOf(await read());
    expect(new Set(answers.map(etagOf))).toEqual(new Set([now]));
  });

  test("is saved by all of ten admins who name no version", async () => {
    const { id, save } = await given("an event");
    const answers = await Promise.all(times(10, (n) => save(id, `by ${n}`)));
    expect(answers.map(({ status }) => status)).toEqual(times(10, () => 200));
    expect(new Set(answers.map(etagOf)).size).toBe(10);
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

  test("which come in at once with it: all are registered, and each save for the right version is made", async () => {
    const { id, tag, path } = await given("an event");
    const edits = [{ capac: 40 }, { description: "Changed" }, { capac: 50, ename: "More" }, { pricing: { member: 0 } }];
    const registering = times(30, async () => (await stage.registerByAdmin(id, newEmail())).status);
    let now = tag;
    for (const edit of edits) {
      const saved = await send("PATCH", path(id), edit, { "if-match": now });
      expect(saved).toMatchObject({ status: 200, body: { item: edit } });
      now = etagOf(saved);
    }
    expect(await Promise.all(registering)).toEqual(times(30, () => 201));
    const after = await send("GET", `${path(id)}?count=true`);
    expect([etagOf(after), after.body.counts.seatsTaken, after.body.capac]).toEqual([now, 30, 50]);
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

  test("while people trade: all trades and the save are made", async () => {
    const { id, tag, save, read } = await given("a project");
    const trading = times(15, () => buy(id, newEmail()));
    const saved = await save(id, "second", { "if-match": tag });
    expect(saved.status).toBe(200);
    expect((await Promise.all(trading)).map(({ status }) => status)).toEqual(times(15, () => 200));
    const after = await read();
    expect([etagOf(after), after.body.data.name, after.body.data.totalTrades]).toEqual([etagOf(saved), "second", 15]);
  });

  test("and a project that another admin has taken out of the game is not brought back by accident", async () => {
    const { id, tag, path, save, read } = await given("a project");
    const removed = await send("DELETE", path(id), undefined, { "if-match": tag });
    expect(removed).toMatchObject({ status: 200, body: { data: { isActive: false } } });
    expect(await save(id, "first", { "if-match": tag })).toMatchObject(precondition);
    const twice = await send("DELETE", path(id), undefined, { "if-match": etagOf(removed) });
    expect([twice.status, etagOf(twice)]).toEqual([200, etagOf(removed)]);
    expect((await read()).body.data.isActive).toBe(false);
    const back = await save(id, "first", { "if-match": etagOf(removed) });
    expect(back).toMatchObject({ status: 200, body: { data: { isActive: true } } });
  });
});

test("lists and the active event have no tag", async () => {
  const { id } = await given("an event");
  for (const path of [
    "/events",
    `/events?id=${id}`,
    "/events/getActiveEvent",
    "/prizes",
    "/emails/templates",
    "/btx/projects",
  ]) {
    const { status, headers } = await stage.list(path);
    expect([path, status, headers.get("etag")]).toEqual([path, 200, null]);
  }
});

test("a header that is sent twice is one list", async () => {
  const { id, tag, path, valueNow } = await given("a prize");
  const headers = new Headers({ authorization: `Bearer ${await stage.tokenFor(exec)}` });
  for (const one of ['"other"', tag]) headers.append("if-match", one);
  const { status } = await stage.fetch(path(id), {
    method: "PATCH",
    headers,
    body: '{"name":"second"}',
  });
  expect([status, await valueNow()]).toEqual([200, "second"]);
});
