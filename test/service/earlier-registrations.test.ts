/** Registrations that an earlier build has stored: each operation reads them, and their next write gives them the present form. */
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { exec, year } from "./given.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await givenStage();
}, 60_000);
afterAll(() => stage.close());

/** The item as it is in the table. */
const itemOf = async (id: string, email: string) =>
  (await stage.stored(`USER#${email}`)).find(({ SK }) => SK === `REG#${id}#${year}`) as Record<string, unknown>;

/** Stores the registration as an earlier build did. */
async function asBefore(id: string, email: string): Promise<void> {
  const registration = (await stage.storedRegistration(id, email)) as Record<string, unknown>;
  const indexes = { GSI1PK: `REG#${id}`, GSI1SK: `${year}#${registration.createdAt}#${email}` };
  await stage.table.send(new PutCommand({ TableName: stage.outputs.tableName, Item: { ...registration, ...indexes } }));
  expect(await itemOf(id, email)).not.toHaveProperty("form");
}

const list = async (id: string, more = "") => {
  await stage.indexed();
  return (await stage.api("GET", `/registrations?eventID=${id}&year=${year}${more}`, { as: exec })).body;
};

test("people whom an earlier build has registered are in lists and tables, and every change finds them", async () => {
  const id = await stage.givenEvent({ capac: 3 });
  const people = await Promise.all(["a", "b", "c", "d", "e"].map(() => stage.givenUser({ fname: "Ada" })));
  const [leaver, guest, gone, waiter, next] = people as [string, string, string, string, string];
  const form = { basicInformation: { fname: "Ada", lname: "L", diet: "Vegan" }, studentId: "12345678" };
  for (const email of people) await stage.registerByAdmin(id, email, form);
  const present = await list(id);
  for (const email of people) await asBefore(id, email);

  expect(await list(id)).toEqual(present);
  expect(present.data.map(({ email }: { email: string }) => email).sort()).toEqual([...people].sort());
  const own = await stage.api("GET", `/registrations?email=${encodeURIComponent(guest)}`, { as: guest });
  expect(own.body.data).toMatchObject([{ email: guest, basicInformation: form.basicInformation }]);
  const withUsers = await stage.api("GET", `/events/${id}/${year}?users=true`, { as: exec });
  expect(withUsers.body.registrations).toHaveLength(5);

  // A person amends answers, one leaves, and the first in line moves up by an update of the old item.
  const put = (email: string, body: object, as = exec) =>
    stage.api("PUT", `/registrations/${encodeURIComponent(email)}/x`, { as, body: { eventID: id, year, ...body } });
  expect((await put(guest, { basicInformation: { diet: "Halal" } }, guest)).status).toBe(200);
  expect((await put(leaver, { registrationStatus: "cancelled" })).status).toBe(200);
  expect(await stage.statusOf(id, waiter)).toBe("registered");
  expect(await itemOf(id, waiter)).not.toHaveProperty("form");
  const removed = await stage.api("DELETE", `/registrations/${encodeURIComponent(gone)}`, {
    as: exec,
    body: { eventID: id, year },
  });
  expect(removed.status).toBe(200);
  expect(await stage.statusOf(id, next)).toBe("registered");
  expect((await put(waiter, { registrationStatus: "checkedIn" })).status).toBe(200);
  expect((await put(waiter, { points: 4 })).status).toBe(200);
  await stage.registerByAdmin(id, gone, form);

  for (const email of [leaver, guest, gone, waiter]) {
    const item = await itemOf(id, email);
    expect(item).toHaveProperty("form");
    for (const name of ["GSI1PK", "GSI1SK", "email", "basicInformation"]) expect(item).not.toHaveProperty(name);
  }
  const rows = (await list(id)).data as { email: string; basicInformation: object; registrationStatus: string }[];
  expect(Object.fromEntries(rows.map((row) => [row.email, row.registrationStatus]))).toEqual({
    [leaver]: "cancelled",
    [guest]: "registered",
    [gone]: "waitlist",
    [waiter]: "checkedIn",
    [next]: "registered",
  });
  expect(rows.find(({ email }) => email === guest)?.basicInformation).toMatchObject({ lname: "L", diet: "Halal" });
}, 60_000);
