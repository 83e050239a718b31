/** An event in numbers, and how often people came before (`docs/contract.md`, "Report", "Registrations"). */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { exec, newEmail, people, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const reportOf = (id: string) => stage.api("GET", `/events/${id}/${year}/report`, { as: exec });
const listed = (query: string, as = exec) => stage.api("GET", `/registrations?${query}`, { as });
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** An event that began a day ago. */
async function givenPast(come: readonly string[], stayAway: readonly string[]): Promise<string> {
  const id = await stage.givenEvent();
  for (const email of [...come, ...stayAway]) await stage.registerByAdmin(id, email);
  for (const email of come) await stage.moveTo(id, email, "checkedIn");
  await stage.changeEvent(id, { startDate: daysAgo(1), endDate: daysAgo(1) });
  return id;
}

describe("attendance", () => {
  test("admins see how often applicants came, in a list, a person's list and one registration", async () => {
    const [faithful, absent, unknown] = people(3, "applicant") as [string, string, string];
    for (let one = 0; one < 2; one += 1) await givenPast([faithful], [absent]);
    const id = await stage.givenEvent({ isApplicationBased: true });
    for (const email of [faithful, absent, unknown]) await stage.register(id, email);
    await stage.indexed();

    const { body } = await listed(`eventID=${id}&year=${year}&attendance=true`);
    const rows = body.data as { email: string; attendance: object }[];
    expect(Object.fromEntries(rows.map((row) => [row.email, row.attendance]))).toEqual({
      [faithful]: { events: 2, came: 2 },
      [absent]: { events: 2, came: 0 },
      [unknown]: { events: 0, came: 0 },
    });
    const one = await listed(`email=${faithful}&eventID=${id}&year=${year}&attendance=true`);
    expect(one.body.data).toMatchObject([{ attendance: { events: 2, came: 2 } }]);
    const own = await listed(`email=${absent}&attendance=true`);
    expect(own.body.data.map(({ attendance }: { attendance: object }) => attendance)).toEqual(
      Array(3).fill({ events: 2, came: 0 }),
    );
    const page = await listed(`eventID=${id}&year=${year}&attendance=true&limit=2`);
    expect([page.body.size, page.headers.get("x-next-cursor")]).toEqual([2, expect.any(String)]);
  });

  test("is for admins, not asked for by default, and not in tables", async () => {
    const [id, email] = [await stage.givenEvent(), newEmail()];
    await stage.register(id, email);
    expect((await listed(`email=${email}&attendance=true`, email)).status).toBe(403);
    expect((await listed(`email=${email}`)).body.data[0]).not.toHaveProperty("attendance");
    const table = await listed(`eventID=${id}&year=${year}&attendance=true&format=csv`);
    expect([table.status, table.body.message]).toEqual([400, expect.stringContaining("attendance")]);
  });
});

describe("the report of a past event", () => {
  test("is counted anew for 30 days, and kept then", async () => {
    const [came, absent, late] = people(3, "guest") as [string, string, string];
    const id = await givenPast([came], [absent]);
    await stage.indexed();
    expect((await reportOf(id)).body).toMatchObject({ registered: 2, came: 1, noShows: 1 });
    await stage.moveTo(id, absent, "checkedIn");
    await stage.indexed();
    expect((await reportOf(id)).body).toMatchObject({ registered: 2, came: 2, noShows: 0 });

    await stage.changeEvent(id, { startDate: daysAgo(31), endDate: daysAgo(31) });
    const kept = (await reportOf(id)).body;
    await stage.registerByAdmin(id, late);
    await stage.indexed();
    expect((await reportOf(id)).body).toEqual(kept);
    // An event that is moved is not past.
    await stage.changeEvent(id, { startDate: daysAgo(2), endDate: daysAgo(2) });
    expect((await reportOf(id)).body).toMatchObject({ registered: 3 });
  });
});

test("an event that is created again does not inherit the money of the one before", async () => {
  const { id, session } = await stage.givenPaid();
  stage.payments.dispute(session);
  await stage.settled();
  await stage.indexed();
  const money = {
    ...{ payments: 1, came: 1_000, wentBack: 0, open: 0, frozen: 1_000, lost: 0, fee: 0, net: 0, owes: 0 },
    ...{ deposits: 0, depositsReturned: 0, depositsKept: 0 },
  };
  expect((await reportOf(id)).body.money).toEqual(money);
  await stage.deleteEvent(id, "?force=true&refund=none");
  await stage.settled();
  await stage.givenEvent({ id });
  await stage.indexed();
  expect((await reportOf(id)).body.money).toEqual({ ...money, payments: 0, came: 0, frozen: 0 });
});
