/** Registrations that an earlier build has stored: each operation reads them, and their next write gives them the present form. */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ops } from "../../lib/ops/command.ts";
import { targetIn } from "../../lib/ops/target.ts";
import { givenSettings } from "../settings.ts";
import { exec, newEmail, year } from "./given.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

let stage: ServiceStage;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "earlier-"));
  stage = await givenStage();
}, 60_000);
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

/** What `npm run ops -- check` says of the stage. */
async function checked(): Promise<string> {
  const file = join(folder, "outputs.json");
  await writeFile(file, JSON.stringify(stage.outputs));
  givenSettings((await targetIn(file)).environment);
  const lines: string[] = [];
  const terminal = { print: (line: string) => void lines.push(line), note: () => undefined };
  await ops(["check", "--stage-outputs", file, "--index-lag", "250"], terminal);
  return lines.join("\n");
}

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

test("a person whom an earlier build has given an unpaid seat pays for it", async () => {
  const email = newEmail();
  const id = await stage.givenEvent({ capac: 1, pricing: { member: 5, nonMember: 10 } });
  expect((await stage.register(id, email)).body).toMatchObject({ registrationStatus: "incomplete" });
  await asBefore(id, email);
  stage.payments.pay((await stage.eventCheckout(id, email)).id);
  await stage.settled();
  expect(await stage.statusOf(id, email)).toBe("registered");
  expect(await itemOf(id, email)).toHaveProperty("form");
}, 60_000);

test("an operator's check finds nothing wrong with them", async () => {
  const [email, unpaid] = [newEmail(), newEmail()];
  const free = await stage.givenEvent({ capac: 1 });
  const priced = await stage.givenEvent({ capac: 1, pricing: { member: 5, nonMember: 10 } });
  await stage.registerByAdmin(free, email);
  await stage.register(priced, unpaid);
  await stage.settled();
  await asBefore(free, email);
  await asBefore(priced, unpaid);
  expect(await checked()).toContain("Nothing is wrong.");
  // The check reads them: a wrong one is found.
  const item = { ...(await itemOf(free, email)), status: "cancelled" };
  await stage.table.send(new PutCommand({ TableName: stage.outputs.tableName, Item: item }));
  expect(await checked()).not.toContain("Nothing is wrong.");
}, 60_000);
