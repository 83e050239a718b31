/** Deleting an account, and what follows (`docs/contract.md`, "Users"). */
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { ada, exec, type OutboxRow, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const remove = (email: string, as = email) => stage.api("DELETE", `/users/${email}`, { as });
const kindsOf = async (email: string) => (await stage.stored(`USER#${email}`)).map(({ SK }) => SK);

/** A person registers, and gets a seat or a place in line. */
const givenRegistration = async (eventID: string, email: string) =>
  expect((await stage.register(eventID, email, ada)).status).toBe(201);
const storedStatus = async (eventID: string, email: string) => (await stage.storedRegistration(eventID, email))?.status;

/** @returns the messages of a type about a person */
async function messageOf(type: string, email: string): Promise<OutboxRow["detail"][]> {
  const rows = await stage.outboxRows();
  return rows
    .filter(({ detailType, detail }) => detailType === type && detail.data.email === email)
    .map(({ detail }) => detail);
}

describe("the deletion of an account", () => {
  test("removes account, membership, profile and profile id once, with one message", async () => {
    const email = await stage.givenUser({ fname: "Ada", isMember: true });
    const grant = { email, firstName: "Ada", lastName: "Lovelace" };
    expect((await stage.api("POST", "/members/grant", { as: exec, body: grant })).status).toBeLessThan(300);
    const { profileID } = (await stage.api("GET", `/members/${email}`, { as: exec })).body;
    expect(await kindsOf(email)).toEqual(["MEMBER", "PROFILE", "USER"]);
    expect(await stage.stored(`PID#${profileID}`)).toHaveLength(1);
    expect(await remove(email)).toMatchObject({ status: 200, body: { message: expect.any(String) } });
    expect([await stage.stored(`USER#${email}`), await stage.stored(`PID#${profileID}`)]).toEqual([[], []]);
    expect((await stage.api("GET", "/users/self", { as: email })).status).toBe(404);
    expect((await stage.api("GET", `/users/isMember/${email}`, { as: email })).body).toBe(false);
    expect(await remove(email)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect(await messageOf("user.deleted", email)).toMatchObject([
      { metadata: { actor: email }, data: { email, origin: "self/account" } },
    ]);
    // A person who comes back has a new account.
    const { body } = await stage.api("POST", "/users", { as: email, body: {} });
    expect(body.user).toMatchObject({ isMember: false, favEvents: [] });
  });
});

test("who deletes and creates the account over and over is refused after three times an hour, and nobody else is", async () => {
  const email = await stage.givenUser();
  for (let times = 0; times < 3; times += 1) {
    expect((await remove(email)).status).toBe(200);
    expect((await stage.api("POST", "/users", { as: email, body: {} })).status).toBe(201);
  }
  const refused = await remove(email);
  expect(refused).toMatchObject({ status: 429, body: { code: "TOO_OFTEN" } });
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_400);
  expect((await remove(email, exec)).status).toBe(429);
  await stage.settled();
  expect(stage.subjectsTo(email).filter((subject) => subject.endsWith("is deleted"))).toHaveLength(3);
  expect((await remove(await stage.givenUser())).status).toBe(200);
});

describe("the registrations of a person who deletes the account", () => {
  test("are cancelled where the person could cancel, the next in line get the seats, and mails go out", async () => {
    const [email, next, second] = [await stage.givenUser(), await stage.givenUser(), await stage.givenUser()];
    const pricing = { member: 0, nonMember: 10 };
    const [full, priced, door, past, applied, declined] = [
      await stage.givenEvent({ capac: 1 }),
      await stage.givenEvent({ capac: 1, pricing }),
      await stage.givenEvent(),
      await stage.givenEvent(),
      await stage.givenEvent({ isApplicationBased: true, capac: 5 }),
      await stage.givenEvent({ isApplicationBased: true, capac: 5 }),
    ];
    for (const id of [full, priced]) {
      for (const who of [email, next, second]) await givenRegistration(id, who);
    }
    expect([await storedStatus(priced, email), await storedStatus(priced, next)]).toEqual(["incomplete", "waitlist"]);
    for (const id of [door, past, applied, declined]) await givenRegistration(id, email);
    await stage.changeRegistration(door, email, { registrationStatus: "checkedIn", points: 0 });
    await stage.changeRegistration(door, email, { points: 7 });
    await stage.changeRegistration(full, email, { points: 4 });
    await stage.moveTo(declined, email, "rejected");
    await stage.changeEvent(past, { startDate: "2020-01-01T00:00:00Z" });
    // Marks the registration as paid.
    const paid = await stage.givenEvent();
    await givenRegistration(paid, email);
    await stage.table.send(
      new UpdateCommand({
        TableName: stage.outputs.tableName,
        Key: { PK: `USER#${email}`, SK: `REG#${paid}#${year}` },
        UpdateExpression: "SET paidBy = :payment",
        ExpressionAttributeValues: { ":payment": "pay-1" },
      }),
    );
    await stage.settled();
    const left = [await stage.storedRegistration(door, email), await stage.storedRegistration(past, email)];

    expect((await remove(email)).status).toBe(200);
    await stage.settled();

    for (const id of [full, priced, applied, paid])
      expect([id, await storedStatus(id, email)]).toEqual([id, "cancelled"]);
    expect(await storedStatus(declined, email)).toBe("rejected");
    const kept = left.map((one) => ({ status: one?.status, points: one?.points, ofDeletedAccount: true }));
    expect([await stage.storedRegistration(door, email), await stage.storedRegistration(past, email)]).toMatchObject(
      kept,
    );
    expect([await storedStatus(full, next), await storedStatus(full, second)]).toEqual(["registered", "waitlist"]);
    expect([await storedStatus(priced, next), await storedStatus(priced, second)]).toEqual(["incomplete", "waitlist"]);
    for (const id of [full, priced])
      expect(await stage.countsOf(id)).toMatchObject({ seatsTaken: 1, waitlistCount: 1 });
    expect(await stage.countsOf(applied)).toMatchObject({ applicantCount: 0 });
    expect(await messageOf("payment.refundRequired", email)).toMatchObject([{ data: { paymentId: "pay-1" } }]);
    const cancelled = stage.subjectsTo(email).filter((subject) => /cancel/i.test(subject));
    expect(cancelled).toHaveLength(4);
    expect(stage.subjectsTo(next)).toHaveLength(4);
    expect(await kindsOf(email)).not.toContain("POINTS");
    expect(await messageOf("registration.cancelled", email)).toHaveLength(4);
  });
});
