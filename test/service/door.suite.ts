/** The door: links, devices, the list and the scans that devices upload (`docs/contract.md`, "The door"). */
import { createHash, randomUUID } from "node:crypto";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, newEmail, user, year } from "./given.ts";
import { type ServiceStage, sharedStage, withoutNotices } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage(withoutNotices);
});

const hour = 3_600_000;
const minute = 60_000;
/** An event that is going on. */
const tonight = () => ({
  startDate: new Date(Date.now() - 2 * hour).toISOString(),
  endDate: new Date(Date.now() + 2 * hour).toISOString(),
  deadline: new Date(Date.now() + hour).toISOString(),
});

const pathOf = (id: string, rest: string) => `/events/${id}/${year}/${rest}`;

/** An admin makes a link. @returns its secret */
async function givenLink(id: string): Promise<string> {
  const { status, body } = await stage.api("POST", pathOf(id, "door-links"), { as: exec });
  expect({ status, body }).toMatchObject({ status: 201 });
  expect(body.link).toMatch(`http://localhost:4000/door/#${id}/${year}/${body.secret}/`);
  return body.secret;
}

const join = (id: string, secret: string, name = "door 1") =>
  stage.api("POST", pathOf(id, "door/devices"), { body: { secret, name } });

type Row = Readonly<Record<string, unknown>>;

/** A device of an event. */
async function givenDevice(id: string, name = "door 1", secret?: string) {
  const { status, body } = await join(id, secret ?? (await givenLink(id)), name);
  expect({ status, body }).toMatchObject({ status: 201 });
  const headers = { authorization: `Door ${body.token}` };
  const upload = (scans: readonly Row[], sentAt = Date.now()) =>
    stage.api("POST", "/registrations/check-in/scans", { headers, body: { sentAt, scans } });
  return {
    id: body.device.id as string,
    token: body.token as string,
    list: (etag?: string) =>
      stage.api("GET", pathOf(id, "door"), { headers: { ...headers, ...(etag && { "if-none-match": etag }) } }),
    recent: () => stage.api("GET", pathOf(id, "door?recent=true"), { headers }),
    search: (q: string, of = id) => stage.api("GET", pathOf(of, `door/search?q=${encodeURIComponent(q)}`), { headers }),
    upload,
    /** Uploads one scan. @returns its result */
    scan: async (row: Row) => {
      const whole = { nonce: randomUUID(), scannedAt: Date.now(), ...row };
      const { status, body: answer } = await upload([whole]);
      expect({ status, answer }).toMatchObject({ status: 200 });
      return answer.results[0];
    },
  };
}

const codeOf = async (id: string, email: string): Promise<string> => (await stage.registrationOf(id, email)).ticketCode;
const markOf = (code: string): string =>
  createHash("sha256").update(code).digest().subarray(0, 12).toString("base64url");

describe("a link", () => {
  test("makes ten devices, not eleven, and its secret is stored nowhere", async () => {
    const id = await stage.givenEvent(tonight());
    const secret = await givenLink(id);
    const joined = await Promise.all(Array.from({ length: 12 }, (_, n) => join(id, secret, `door ${n}`)));
    const refused = joined.filter(({ status }) => status !== 201);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(2).fill([409, "TOO_MANY_DEVICES"]));
    const stored = JSON.stringify(await stage.stored(`DOOR#${id}#${year}`));
    expect(stored).not.toContain(secret);
    for (const { body } of joined) if (body.token) expect(stored).not.toContain(body.token.split(".")[3]);
    const { body } = await stage.api("GET", pathOf(id, "door-links"), { as: exec });
    expect(body.devices).toHaveLength(10);
    expect(Object.keys(body.devices[0]).sort()).toEqual(["id", "joinedAt", "lastSyncAt", "name"]);
  });

  test("of another event, a wrong one, and one of a deleted event are unknown", async () => {
    const [id, other] = [await stage.givenEvent(tonight()), await stage.givenEvent(tonight())];
    const secret = await givenLink(id);
    expect(await join(other, secret)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    for (const wrong of [`${secret.slice(0, -2)}__`, "", ".", "x.y", `${secret}.z`]) {
      expect((await join(id, wrong as string)).status).toBe(404);
    }
    const device = await givenDevice(id, "door 1", secret);
    await stage.deleteEvent(id);
    expect((await join(id, secret)).status).toBe(404);
    await stage.createEvent({ id, ...tonight() });
    expect((await join(id, secret)).status).toBe(404);
    expect((await device.list()).status).toBe(401);
  });

  test("is replaced by a new one, and its devices remain", async () => {
    const id = await stage.givenEvent(tonight());
    const former = await givenLink(id);
    const device = await givenDevice(id, "door 1", former);
    const secret = await givenLink(id);
    expect((await join(id, former)).status).toBe(404);
    expect((await join(id, secret)).status).toBe(201);
    expect((await device.list()).status).toBe(200);
  });
});

describe("a device", () => {
  test("that was revoked may read and upload nothing any more; its link makes no other one, and the rest stay", async () => {
    const id = await stage.givenEvent(tonight());
    const secret = await givenLink(id);
    const [lost, kept] = [await givenDevice(id, "lost", secret), await givenDevice(id, "kept", secret)];
    const revoke = (query = "") => stage.api("DELETE", pathOf(id, `door-links${query}`), { as: exec });
    expect(await revoke(`?device=${lost.id}`)).toMatchObject({ status: 200, body: { revoked: 1 } });
    expect(await revoke(`?device=${lost.id}`)).toMatchObject({ status: 404 });
    expect(await lost.list()).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
    const scan = { nonce: randomUUID(), scannedAt: Date.now(), code: "V2.ABC" };
    expect((await lost.upload([scan])).status).toBe(401);
    expect((await join(id, secret)).status).toBe(404);
    expect((await kept.list()).status).toBe(200);
    const another = await givenDevice(id);
    expect(await revoke()).toMatchObject({ status: 200, body: { revoked: 2 } });
    for (const device of [kept, another]) expect((await device.list()).status).toBe(401);
    expect(await stage.stored(`DOOR#${id}#${year}`)).toEqual([]);
  });

  test("has a token for one event, and for these two routes", async () => {
    const [id, other] = [await stage.givenEvent(tonight()), await stage.givenEvent(tonight())];
    const { token } = await givenDevice(id);
    const headers = { authorization: `Door ${token}` };
    expect((await stage.api("GET", pathOf(other, "door"), { headers })).status).toBe(401);
    // A scheme has no case (RFC 9110, 11.1).
    const shouted = { authorization: `DOOR ${token}` };
    expect((await stage.api("GET", pathOf(id, "door"), { headers: shouted })).status).toBe(200);
    const borrowed = { authorization: `Door ${token.replace(`${id}.`, `${other}.`)}` };
    expect((await stage.api("GET", pathOf(other, "door"), { headers: borrowed })).status).toBe(401);
    for (const path of [`/events/${id}/${year}`, "/registrations", pathOf(id, "door-links"), "/users/self"]) {
      expect((await stage.api("GET", path, { headers })).status).toBe(401);
    }
    for (const wrong of [undefined, "Door", `Bearer ${token}`, `Door ${token}x`, `Door ${token.slice(0, -1)}`, token]) {
      const answer = await stage.api("GET", pathOf(id, "door"), {
        headers: { ...(wrong && { authorization: wrong }) },
      });
      expect(answer).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
    }
  });

  test("reads until three hours after the event, and uploads scans for 14 days", async () => {
    const id = await stage.givenEventWith([user], tonight());
    const device = await givenDevice(id);
    const secret = await givenLink(id);
    const code = await codeOf(id, user);
    const endsAgo = (ago: number) =>
      stage.changeEvent(id, {
        startDate: new Date(Date.now() - ago - hour).toISOString(),
        endDate: new Date(Date.now() - ago).toISOString(),
        deadline: null,
      });
    await endsAgo(3 * hour + minute);
    for (const closed of [await device.list(), await join(id, secret)]) {
      expect(closed).toMatchObject({ status: 403, body: { code: "DOOR_CLOSED" } });
    }
    expect(await stage.api("POST", pathOf(id, "door-links"), { as: exec })).toMatchObject({ status: 403 });
    await endsAgo(14 * 24 * hour - minute);
    const at = Date.now() - 14 * 24 * hour;
    expect(await device.scan({ code, scannedAt: at, admitted: true })).toMatchObject({ outcome: "checkedIn" });
    expect((await stage.registrationOf(id, user)).checkedInAt).toBeLessThan(Date.now() - 13 * 24 * hour);
    await endsAgo(14 * 24 * hour + minute);
    const scan = { nonce: randomUUID(), scannedAt: at, code };
    expect(await device.upload([scan])).toMatchObject({ status: 403, body: { code: "DOOR_CLOSED" } });
  });
});

describe("the list", () => {
  test("shows tickets with state, first name and initial, and nothing else of the people", async () => {
    const id = await stage.givenEvent({ ...tonight(), capac: 3 });
    const person = {
      fname: "Ada King",
      studentId: "12345678",
      basicInformation: { fname: "Ada King", lname: "Lovelace", diet: "Vegetarian" },
    };
    const [seated, cancelled, waiting] = [newEmail(), newEmail(), newEmail()];
    await stage.registerByAdmin(id, seated, person);
    await stage.registerByAdmin(id, cancelled);
    const codes = [await codeOf(id, seated), await codeOf(id, cancelled)];
    await stage.moveTo(id, cancelled, "cancelled");
    await stage.registerByAdmin(id, newEmail());
    await stage.registerByAdmin(id, newEmail());
    await stage.registerByAdmin(id, waiting);
    const device = await givenDevice(id);
    await stage.indexed();
    const { body, headers } = await device.list();
    expect(body.tickets.map(([mark, state, name]: string[]) => [mark?.length, state, name])).toEqual([
      [16, "registered", "Ada L."],
      [16, "cancelled", ""],
      [16, "registered", ""],
      [16, "registered", ""],
      [16, "waitlist", ""],
    ]);
    expect(body.tickets.slice(0, 2).map(([mark]: string[]) => mark)).toEqual(codes.map(markOf));
    const text = JSON.stringify(body);
    for (const secret of [seated, "Lovelace", "King", "12345678", "Vegetarian", ...codes]) {
      expect(text).not.toContain(secret);
    }
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("is a 304 while nothing changed, and has workshops and who is in", async () => {
    const questions = [
      {
        questionId: "w",
        type: "WORKSHOP_SELECTION",
        label: "W",
        required: false,
        choices: ["Rust", "Go"],
        participantCap: 9,
      },
    ];
    const id = await stage.givenEvent({ ...tonight(), registrationQuestions: questions });
    const [one, two] = [newEmail(), newEmail()];
    await stage.registerByAdmin(id, one, { dynamicResponses: { w: "Rust" } });
    await stage.registerByAdmin(id, two, { dynamicResponses: { w: "Go" } });
    const device = await givenDevice(id, "door 2");
    await stage.indexed();
    const first = await device.list();
    const etag = first.headers.get("etag") as string;
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    const same = await device.list(etag);
    expect({ status: same.status, body: same.body, etag: same.headers.get("etag") }).toEqual({
      status: 304,
      body: undefined,
      etag,
    });
    expect(first.body.choices).toEqual(["Go", "Rust"]);
    expect(first.body.tickets.map((ticket: unknown[]) => ticket.slice(3))).toEqual([[[1]], [[0]]]);
    await device.scan({ code: await codeOf(id, one), admitted: true });
    await stage.api("POST", "/registrations/check-in", { as: exec, body: { eventID: id, year, email: two } });
    await stage.indexed();
    const then = await device.list(etag);
    expect(then.status).toBe(200);
    expect(then.body.devices).toEqual(["an executive", "door 2"]);
    expect(then.body.tickets.map((ticket: unknown[]) => [ticket[1], ticket[5]])).toEqual([
      ["checkedIn", 1],
      ["checkedIn", 0],
    ]);
  });
});

describe("a scan", () => {
  test("checks in once, however often it is uploaded, and is stored", async () => {
    const id = await stage.givenEventWith([user], { ...tonight() });
    const device = await givenDevice(id);
    const code = await codeOf(id, user);
    const scan = { nonce: randomUUID(), scannedAt: Date.now() - 5 * minute, code, admitted: true };
    const [first, second] = [await device.upload([scan]), await device.upload([scan, scan])];
    expect(first.body.results).toEqual([
      expect.objectContaining({ nonce: scan.nonce, outcome: "checkedIn", state: "checkedIn", mark: markOf(code) }),
    ]);
    expect(second.body.results).toEqual([first.body.results[0], first.body.results[0]]);
    const { version, checkedInAt, checkedInBy } = (await stage.storedRegistration(id, user)) as Row;
    expect({ version, checkedInBy }).toEqual({ version: 2, checkedInBy: { device: "door 1", nonce: scan.nonce } });
    expect(Math.abs((checkedInAt as number) - scan.scannedAt)).toBeLessThan(minute);
    expect(await stage.countsOf(id)).toMatchObject({ registeredCount: 0, checkedInCount: 1 });
    const { body } = await stage.api("GET", `/registrations/check-in/scans?eventID=${id}&year=${year}`, { as: exec });
    expect(body).toMatchObject({ count: 1, tickets: [{ email: user, scans: [{ outcome: "checkedIn" }] }] });
    const [row] = (await stage.api("GET", `/audit?eventID=${id}&year=${year}&limit=1`, { as: exec })).body.data;
    expect(row).toMatchObject({ action: "registration.checkedIn", email: user, actor: `device ${device.id}` });
  });

  test("that is uploaded later but was earlier becomes the check-in, and both devices are named", async () => {
    const id = await stage.givenEventWith([user], tonight());
    const code = await codeOf(id, user);
    const [late, early] = [await givenDevice(id, "door 1"), await givenDevice(id, "door 2")];
    const at = Date.now() - 20 * minute;
    await late.scan({ code, scannedAt: at + 10 * minute, admitted: true });
    const wrongClock = -3 * 24 * hour;
    const { body } = await early.upload(
      [{ nonce: randomUUID(), code, scannedAt: at + wrongClock, admitted: true }],
      Date.now() + wrongClock,
    );
    expect(body.results[0]).toMatchObject({
      outcome: "checkedIn",
      first: { device: "door 2" },
      again: { device: "door 1" },
    });
    expect(Math.abs(body.results[0].first.at - at)).toBeLessThan(minute);
    expect((await stage.registrationOf(id, user)).checkedInAt).toBe(body.results[0].first.at);
    const third = await late.scan({ code, admitted: true, device: "back door" });
    expect(third).toMatchObject({ outcome: "again", first: { device: "door 2" }, again: { device: "back door" } });
    expect(await stage.countsOf(id)).toMatchObject({ checkedInCount: 1 });
  });

  test("is undone by its name, and the next earliest is the check-in then", async () => {
    const id = await stage.givenEventWith([user], tonight());
    const code = await codeOf(id, user);
    const device = await givenDevice(id);
    const [first, second] = [randomUUID(), randomUUID()];
    await device.scan({ nonce: first, code, scannedAt: Date.now() - 9 * minute });
    await device.scan({ nonce: second, code, scannedAt: Date.now() - 5 * minute, device: "door 9" });
    expect(await device.scan({ code, undoes: first })).toMatchObject({
      outcome: "undone",
      first: { device: "door 9" },
    });
    expect(await device.scan({ mark: markOf(code), undoes: second })).toMatchObject({ state: "registered" });
    expect(await stage.countsOf(id)).toMatchObject({ registeredCount: 1, checkedInCount: 0 });
    const { cameFrom, checkedInAt, checkedInBy } = (await stage.storedRegistration(id, user)) as Row;
    expect({ cameFrom, checkedInAt, checkedInBy }).toEqual({});
  });

  test("of a ticket that was cancelled meanwhile is admitted, the seat stays another's, and executives see it", async () => {
    const id = await stage.givenEvent({ ...tonight(), capac: 1 });
    const [gone, heir] = [newEmail(), newEmail()];
    await stage.registerByAdmin(id, gone);
    const code = await codeOf(id, gone);
    await stage.registerByAdmin(id, heir);
    await stage.moveTo(id, gone, "cancelled");
    const device = await givenDevice(id);
    const result = await device.scan({ code, admitted: true });
    expect(result).toMatchObject({ outcome: "admitted", reason: "cancelled", state: "cancelled" });
    expect(result).not.toHaveProperty("first");
    expect((await stage.registrationOf(id, gone)).registrationStatus).toBe("cancelled");
    await device.scan({ code });
    const path = `/registrations/check-in/scans?eventID=${id}&year=${year}`;
    const seen = await stage.api("GET", path, { as: exec });
    expect(seen.body.tickets).toMatchObject([
      { email: gone, scans: [{ outcome: "admitted" }, { outcome: "refused" }] },
    ]);
  });

  test("of a seat whose whole payment went back is refused, until somebody lets the person in", async () => {
    const { id, email, session } = await stage.givenPaid(tonight());
    const code = await codeOf(id, email);
    const device = await givenDevice(id);
    const states = async () => (await device.list()).body.tickets.map(([, state]: string[]) => state);
    await stage.indexed();
    expect(await states()).toEqual(["registered"]);
    const refund = { as: exec, body: { reason: "Sorry!" } };
    expect((await stage.api("POST", `/payments/${session}/refunds`, refund)).status).toBe(202);
    await stage.settled();
    await stage.indexed();
    expect(await states()).toEqual(["refunded"]);
    expect(await device.scan({ code })).toMatchObject({ outcome: "refused", reason: "refunded", state: "registered" });
    expect(await device.scan({ code, admitted: true })).toMatchObject({ outcome: "checkedIn", state: "checkedIn" });
    await stage.indexed();
    expect(await states()).toEqual(["checkedIn"]);
  });

  test("of another event's ticket, and of a replaced one, is refused", async () => {
    const [id, other] = [await stage.givenEventWith([user], tonight()), await stage.givenEventWith([user], tonight())];
    const device = await givenDevice(id);
    expect(await device.scan({ code: await codeOf(other, user) })).toMatchObject({
      outcome: "refused",
      reason: "other event",
    });
    const old = await codeOf(id, user);
    await stage.moveTo(id, user, "cancelled");
    await stage.registerByAdmin(id, user);
    expect(await device.scan({ code: old })).toMatchObject({ outcome: "refused", reason: "replaced" });
    expect(await device.scan({ code: await codeOf(id, user) })).toMatchObject({ outcome: "checkedIn" });
  });

  test("by mark finds a person who registered after the device was last heard of", async () => {
    const id = await stage.givenEvent(tonight());
    const device = await givenDevice(id);
    await device.list();
    await stage.registerByAdmin(id, user);
    await stage.indexed();
    expect(await device.scan({ mark: markOf(await codeOf(id, user)) })).toMatchObject({ outcome: "checkedIn" });
    expect(await device.scan({ mark: "0123456789abcdef" })).toMatchObject({ outcome: "refused", reason: "unknown" });
  });

  test("of a mark of another event, and of a code of an earlier generation, names nobody", async () => {
    const [id, other] = [await stage.givenEvent(tonight()), await stage.givenEventWith([user], tonight())];
    const [device, neighbour] = [await givenDevice(id), await givenDevice(other)];
    await stage.indexed();
    await neighbour.list();
    const code = await codeOf(other, user);
    const unknownPerson = { nonce: expect.any(String), outcome: "admitted", reason: "unknown", mark: markOf(code) };
    expect(await device.scan({ mark: markOf(code), admitted: true })).toEqual(unknownPerson);
    await neighbour.scan({ code });
    await stage.deleteEvent(other, "?force=true");
    await stage.createEvent({ id: other, ...tonight() });
    const anew = await givenDevice(other);
    expect(await anew.scan({ code, admitted: true })).toEqual(unknownPerson);
  });
});

test("a device stores its first hundred marks of no ticket, says so of others, and tickets still enter", async () => {
  const id = await stage.givenEventWith([user], tonight());
  const [device, other] = [await givenDevice(id), await givenDevice(id, "door 2")];
  const strange = (n: number) => ({
    nonce: randomUUID(),
    scannedAt: Date.now(),
    mark: `stranger-mark${String(n).padStart(3, "0")}`,
  });
  const rows = Array.from({ length: 110 }, (_, n) => strange(n));
  const parts = [rows.slice(0, 50), rows.slice(50, 100), rows.slice(100)];
  // At once, and a part twice, as a phone repeats it; and what a busy machine did not store, again.
  const stores = async (part: readonly Row[]): Promise<void> => {
    const { results } = (await device.upload(part)).body;
    if (results?.every(({ outcome }: Row) => outcome !== "failed") !== true) await stores(part);
  };
  await Promise.all([...parts, rows.slice(100)].map(stores));
  const stored = async () =>
    (await stage.storedItems()).filter(({ PK }) => String(PK).startsWith(`SCAN#${id}#`)).length;
  expect(await stored()).toBe(100);
  expect(await device.scan(strange(200))).toMatchObject({ outcome: "refused", reason: "too many unknown" });
  expect(await device.scan({ code: await codeOf(id, user), admitted: true })).toMatchObject({ outcome: "checkedIn" });
  expect(await other.scan(strange(300))).toMatchObject({ outcome: "refused", reason: "unknown" });
  expect(await stored()).toBe(102);
});

test("the recent part of a list has the tickets that changed in the last two minutes, an undo too", async () => {
  const [long, now] = [newEmail(), newEmail()];
  const id = await stage.givenEventWith([long, now], tonight());
  const device = await givenDevice(id);
  const age = (email: string) =>
    stage.table.send(
      new UpdateCommand({
        TableName: stage.outputs.tableName,
        Key: { PK: `USER#${email}`, SK: `REG#${id}#${year}` },
        UpdateExpression: "SET updatedAt = :at",
        ExpressionAttributeValues: { ":at": Date.now() - 3 * minute },
        ConditionExpression: "attribute_exists(PK)",
      }),
    );
  const marks = async () => {
    await stage.indexed();
    return (await device.recent()).body.tickets.map(([mark, state]: string[]) => [mark, state]);
  };
  await age(long);
  const mark = markOf(await codeOf(id, now));
  expect(await marks()).toEqual([[mark, "registered"]]);
  await age(now);
  expect(await marks()).toEqual([]);
  expect((await device.list()).body.tickets).toHaveLength(2);
  await device.scan({ code: await codeOf(id, now), admitted: true });
  expect(await marks()).toEqual([[mark, "checkedIn"]]);
  await age(now);
  await stage.moveTo(id, now, "registered");
  expect(await marks()).toEqual([[mark, "registered"]]);
});

describe("a search", () => {
  test("finds a person of the device's event by last name or email, and answers no more of them than was typed", async () => {
    const [id, other] = [await stage.givenEvent(tonight()), await stage.givenEvent(tonight())];
    const [ada, grace] = [newEmail(), newEmail()];
    await stage.registerByAdmin(id, ada, { fname: "Ada", basicInformation: { lname: "Lovelace" } });
    await stage.registerByAdmin(other, grace, { fname: "Grace", basicInformation: { lname: "Lovett" } });
    const device = await givenDevice(id);
    const { status, body } = await device.search("love");
    const email = `${ada[0]}…@${ada.split("@")[1]}`;
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        people: [{ mark: markOf(await codeOf(id, ada)), name: "Ada Love…", email }],
        hasMore: false,
      },
    });
    expect((await device.search(ada)).body.people).toHaveLength(1);
    expect((await device.search(grace)).body.people).toEqual([]);
    expect(await device.search("love", other)).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
    expect((await device.search("l")).status).toBe(400);
    await stage.changeEvent(id, {
      startDate: new Date(Date.now() - 6 * hour).toISOString(),
      endDate: new Date(Date.now() - 4 * hour).toISOString(),
      deadline: null,
    });
    expect(await device.search("love")).toMatchObject({ status: 403, body: { code: "DOOR_CLOSED" } });
  });

  test("is one of 300 an hour of its device, also beside others at once; other devices go on", async () => {
    const id = await stage.givenEventWith([user], tonight());
    const secret = await givenLink(id);
    const [device, other] = [await givenDevice(id, "one", secret), await givenDevice(id, "two", secret)];
    expect((await device.search("ada")).status).toBe(200);
    const [stored] = (await stage.stored(`DOOR#${id}#${year}`)).filter(({ SK }) => SK === `DEVICE#${device.id}`);
    expect(stored).toMatchObject({ searches: { count: 1 } });
    const since = Date.now();
    const setSearches = (searches: object) =>
      stage.table.send(
        new UpdateCommand({
          TableName: stage.outputs.tableName,
          Key: { PK: `DOOR#${id}#${year}`, SK: `DEVICE#${device.id}` },
          UpdateExpression: "SET searches = :searches",
          ExpressionAttributeValues: { ":searches": searches },
        }),
      );
    await setSearches({ since, count: 298 });
    const answers = await Promise.all(Array.from({ length: 5 }, () => device.search("ada")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429]);
    const refused = await device.search("ada");
    expect(refused).toMatchObject({ status: 429, body: { code: "TOO_OFTEN" } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000);
    expect((await other.search("ada")).status).toBe(200);
    // The control: an hour later the device may search again.
    await setSearches({ since: since - hour, count: 300 });
    expect((await device.search("ada")).status).toBe(200);
  });
});

test("who comes along is in the list, and in and out by scans of their own ticket", async () => {
  const id = await stage.givenEvent({ ...tonight(), plusOnes: 1, capac: 2 });
  await stage.register(id, user, { fname: "Ada", plusOnes: [{ fname: "Grace" }] });
  const { plusOnes, ticketCode } = await stage.registrationOf(id, user);
  const device = await givenDevice(id);
  await stage.indexed();
  const mark = markOf(plusOnes[0].ticketCode);
  const listed = async () => (await device.list()).body.tickets.map(([, state, name]: string[]) => [name, state]);
  expect(await listed()).toEqual([
    ["Ada", "registered"],
    ["Grace", "registered"],
  ]);
  const nonce = randomUUID();
  expect(await device.scan({ mark, nonce })).toMatchObject({ outcome: "checkedIn", name: "Grace", state: "checkedIn" });
  expect(await device.scan({ code: plusOnes[0].ticketCode })).toMatchObject({ outcome: "again" });
  expect(await stage.countsOf(id)).toMatchObject({ registeredCount: 1, checkedInCount: 1 });
  expect(await device.scan({ code: ticketCode })).toMatchObject({ outcome: "checkedIn", name: "Ada" });
  const scans = await stage.api("GET", `/registrations/check-in/scans?eventID=${id}&year=${year}`, { as: exec });
  expect(JSON.stringify(scans.body)).not.toContain("ticketId");
  const [row] = scans.body.tickets.filter(({ mark: of }: Row) => of === mark);
  expect(row.scans.map(({ outcome }: Row) => outcome)).toEqual(["checkedIn", "again"]);
  for (const { nonce: undoes } of row.scans) await device.scan({ mark, undoes });
  expect(await stage.countsOf(id)).toMatchObject({ registeredCount: 1, checkedInCount: 1 });
  await stage.indexed();
  expect(await listed()).toEqual([
    ["Ada", "checkedIn"],
    ["Grace", "registered"],
  ]);
});
