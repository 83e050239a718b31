/** Who changed what (`docs/contract.md`, "Audit"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, newEmail, user, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const audit = (query: string, as = exec) => stage.api("GET", `/audit?${query}`, { as });
type Row = {
  readonly action: string;
  readonly actor: string;
  readonly changes?: readonly object[];
  readonly at: number;
};

const from = new Date(Date.now() - 3_600_000).toISOString();

/** Follows the cursors to the end of the last hour. */
async function allRows(query: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const answer = await audit(`from=${from}&${query}${cursor && `&cursor=${cursor}`}`);
    expect(answer.status).toBe(200);
    rows.push(...answer.body.data);
    cursor = answer.headers.get("x-next-cursor");
  }
  return rows;
}

describe("the audit of a registration", () => {
  test("says who moved her to the waitlist, and that her seat came from the line; her own changes have no fields", async () => {
    const [id, ada, next] = [await stage.givenEvent({ capac: 1 }), newEmail(), newEmail()];
    await stage.register(id, ada, { basicInformation: { fname: "Ada", phone: "604 555 0177" } });
    await stage.register(id, next);
    await stage.changeRegistration(id, ada, { points: 3 });
    await stage.changeRegistration(id, ada, { basicInformation: { fname: "Ada", phone: "604 555 0178" } });
    await stage.moveTo(id, ada, "waitlist");
    await stage.settled();

    const { body } = await audit(`email=${ada}&limit=10`);
    const rows = body.data as Row[];
    expect(rows.map(({ actor, changes }) => [actor, changes])).toEqual([
      [exec, expect.arrayContaining([{ field: "status", before: "registered", after: "waitlist" }])],
      [exec, [{ field: "basicInformation" }]],
      [exec, [{ field: "points", before: 0, after: 3 }]],
      [ada, undefined],
    ]);
    expect(JSON.stringify(rows)).not.toContain("555 0178");
    const [moved] = (await audit(`email=${next}&limit=1`)).body.data as Row[];
    expect(moved).toMatchObject({ action: "registration.promoted", actor: "system" });
    expect(moved?.changes).toContainEqual({ field: "status", before: "waitlist", after: "registered" });
  });

  test("admins see the last change where they ask for one person, the person does not", async () => {
    const [id, ada] = [await stage.givenEvent(), newEmail()];
    await stage.register(id, ada);
    const last = async (query: string, as: string) =>
      (await stage.api("GET", `/registrations?${query}`, { as })).body.data[0].lastChange?.by;
    const one = `email=${ada}&eventID=${id}&year=${year}`;
    expect([await last(one, exec), await last(one, ada)]).toEqual([ada, undefined]);
    await stage.changeRegistration(id, ada, { points: 1 });
    expect([await last(one, exec), await last(`email=${ada}`, exec), await last(`email=${ada}`, ada)]).toEqual([
      exec,
      exec,
      undefined,
    ]);
  });
});

describe("the list", () => {
  test("has an event's changes, an actor's, and pages that lose and repeat nothing", async () => {
    const id = await stage.givenEvent();
    const people = Array.from({ length: 5 }, () => newEmail());
    for (const email of people) await stage.registerByAdmin(id, email);
    await stage.settled();
    const whole = await allRows(`eventID=${id}&year=${year}`);
    expect(whole.filter(({ action }) => action === "registration.registered")).toHaveLength(5);
    expect(whole.map(({ at }) => at)).toEqual(whole.map(({ at }) => at).sort((a, b) => b - a));
    expect(whole.at(-1)?.action).toBe("event.created");
    expect(await allRows(`eventID=${id}&year=${year}&limit=4`)).toEqual(whole);
    const [own] = (await audit(`actor=${people[0]}&limit=1`)).body.data;
    expect(own).toBeUndefined();
  });

  test("is for admins; refuses half an event, and a cursor of another filter", async () => {
    const id = await stage.givenEvent();
    await stage.registerByAdmin(id, newEmail());
    expect((await audit("", user)).status).toBe(403);
    expect((await audit(`eventID=${id}`)).status).toBe(400);
    const cursor = (await audit(`eventID=${id}&year=${year}&limit=1`)).headers.get("x-next-cursor");
    expect((await audit(`actor=${exec}&cursor=${cursor}`)).status).toBe(400);
  });
});

describe("downloads", () => {
  test.each([
    ["registrations", (id: string) => `/registrations?eventID=${id}&year=${year}&format=csv`],
    ["payments", (id: string) => `/payments?eventID=${id}&year=${year}&format=csv`],
    ["audit", (id: string) => `/audit?eventID=${id}&year=${year}&format=csv`],
  ])("of %s leave a row", async (list, path) => {
    const id = await stage.givenEvent();
    const answer = await stage.api("GET", path(id), { as: exec });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    const [row] = (await audit(`eventID=${id}&year=${year}&limit=1`)).body.data;
    expect(row).toMatchObject({ action: `${list}.downloaded`, actor: exec, eventID: id, year });
  });

  test("of the audit have the times of changed fields on the stage's clocks", async () => {
    const [id, email] = [await stage.givenEvent(), newEmail()];
    await stage.registerByAdmin(id, email);
    await stage.moveTo(id, email, "checkedIn");
    const { body: csv } = await audit(`eventID=${id}&year=${year}&format=csv`);
    expect(csv).toMatch(/checkedInAt: {2}-> ""\d{4}-\d\d-\d\d \d\d:\d\d:\d\d""/);
    expect(csv).not.toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);
  });

  test("of a person's data leave one, too", async () => {
    const email = await stage.givenUser();
    await stage.api("GET", `/users/${email}/export`, { as: exec });
    const [row] = (await audit(`email=${email}&limit=1`)).body.data;
    expect(row).toMatchObject({ action: "export.downloaded", actor: exec, email });
  });
});
