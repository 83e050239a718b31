/** Notices, from the request to the mailbox and the chat (`docs/contract.md`, "Notices"). */
import { setTimeout as pause } from "node:timers/promises";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import ICAL from "ical.js";
import type { Email } from "../../tools/laptop/mailbox/index.ts";
import { crowd } from "./crowd.ts";
import { ada, exec, people, user, year } from "./given.ts";
import { registerSurely } from "./rush.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await givenStage({ visibility: 60 });
});
afterAll(() => stage.close());

/** Makes an event with an end and a place. @returns its id */
const givenDinner = (fields: Record<string, unknown> = {}) =>
  stage.givenEvent({ ename: "Dinner", endDate: "2030-05-01T20:00:00Z", elocation: "Hall", ...fields });

/** Waits until all messages are handled. @returns the mails to a person, oldest first */
async function mailsTo(email: string): Promise<Email[]> {
  await stage.settled();
  return stage.mailsTo(email);
}
const subjects = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject);

/** @returns the calendar entry of a mail, or undefined */
function inviteOf(mail: Email | undefined) {
  const attachment = mail?.attachments.find(({ contentType }) => contentType.startsWith("text/calendar"));
  if (!attachment) return undefined;
  const calendar = new ICAL.Component(ICAL.parse(Buffer.from(attachment.content, "base64").toString("utf8")));
  const entry = calendar.getFirstSubcomponent("vevent");
  const value = (name: string) => String(entry?.getFirstPropertyValue(name));
  return {
    method: calendar.getFirstPropertyValue("method"),
    uid: value("uid"),
    status: value("status"),
    sequence: Number(value("sequence")),
    start: value("dtstart"),
  };
}

/** Waits until all messages are handled. @returns the chat messages that name an event */
async function chatOf(name: string): Promise<string[]> {
  await stage.settled();
  return (await stage.chatTexts()).filter((text) => text.includes(name));
}

describe("mails", () => {
  test("go out once for each move, with one calendar entry, and a code while there is a seat or a place", async () => {
    const email = "life@mail.example";
    const id = await givenDinner({ capac: 1 });
    await stage.registerByAdmin(id, "first@mail.example", ada);
    await stage.registerByAdmin(id, email, ada);
    await stage.settled();
    await stage.moveTo(id, "first@mail.example", "cancelled");
    await stage.settled();
    await stage.changeRegistration(id, email, { points: 3 });
    await stage.moveTo(id, email, "checkedIn");
    await stage.moveTo(id, email, "registered");
    await stage.moveTo(id, email, "cancelled");
    const mails = await mailsTo(email);
    expect(mails).toHaveLength(3);
    const [waitlist, registered, cancelled] = mails.map(inviteOf);
    expect(waitlist).toMatchObject({ method: "REQUEST", status: "TENTATIVE", start: "2030-05-01T18:00:00Z" });
    expect(registered).toMatchObject({ method: "REQUEST", status: "CONFIRMED", uid: waitlist?.uid });
    expect(cancelled).toMatchObject({ method: "CANCEL", status: "CANCELLED", uid: waitlist?.uid });
    expect(registered?.sequence).toBeGreaterThan(waitlist?.sequence ?? 0);
    expect(cancelled?.sequence).toBeGreaterThan(registered?.sequence ?? 0);
    const hasCode = ({ attachments }: Email) => attachments.some(({ contentType }) => contentType === "image/png");
    expect(mails.map(hasCode)).toEqual([true, true, false]);
    for (const { body } of mails) expect([body.text, body.html]).toEqual([expect.any(String), expect.any(String)]);
    expect(mails[0]?.body.text).toContain("Dinner");
  });

  test("about a moved event go to people with a seat, and the calendar entry moves too", async () => {
    const id = await givenDinner({ capac: 1 });
    const [holder, waiter] = ["holder@mail.example", "waiter@mail.example"];
    await stage.registerByAdmin(id, holder, ada);
    await stage.registerByAdmin(id, waiter, ada);
    const [before] = (await mailsTo(holder)).map(inviteOf);
    await stage.indexed();
    await stage.changeEvent(id, { startDate: "2030-05-01T19:00:00Z" });
    const [, moved] = (await mailsTo(holder)).map(inviteOf);
    expect(moved).toMatchObject({ uid: before?.uid, status: "CONFIRMED", start: "2030-05-01T19:00:00Z" });
    expect(moved?.sequence).toBeGreaterThan(before?.sequence ?? 0);
    expect(await mailsTo(waiter)).toHaveLength(1);
    await stage.changeEvent(id, { description: "Nobody needs to know" });
    expect(await mailsTo(holder)).toHaveLength(2);
  });

  test("about an event without a date have no calendar entry, also when the registration is cancelled", async () => {
    const email = "undated@mail.example";
    const id = await givenDinner({ startDate: undefined, endDate: undefined });
    await stage.registerByAdmin(id, email, ada);
    await stage.settled();
    await stage.moveTo(id, email, "cancelled");
    expect((await mailsTo(email)).map(inviteOf)).toEqual([undefined, undefined]);
  });

  test("with a ticket go out again when an admin asks", async () => {
    const email = "again@mail.example";
    const id = await givenDinner();
    await stage.registerByAdmin(id, email, ada);
    await stage.settled();
    await stage.api("POST", "/registrations/resend-ticket", { as: exec, body: { email, eventID: id, year } });
    const [first, second, ...more] = await mailsTo(email);
    expect(more).toEqual([]);
    expect(second?.subject).toBe(first?.subject);
    expect(second?.body.text).toBe(first?.body.text);
  });

  test("about a move that a later one has overtaken are not sent", async () => {
    const id = await givenDinner();
    const email = "quick@mail.example";
    await stage.registerByAdmin(id, email, ada);
    await stage.moveTo(id, email, "cancelled");
    const mails = await mailsTo(email);
    // The first mail may be sent before the second move happens. Then both mails go out, in any order.
    const subjects = mails.map(({ subject }) => subject.toLowerCase());
    expect(subjects.filter((subject) => subject.includes("cancel"))).toHaveLength(1);
    expect(subjects.filter((subject) => subject.includes("registered")).length).toBeLessThanOrEqual(1);
    expect(subjects.length).toBeLessThanOrEqual(2);
  });

  test("show names with markup, headers or commands in them as text", async () => {
    const email = "hostile@mail.example";
    const id = await givenDinner({ ename: "<b>Dinner</b> & <!channel> \\r\\nBcc: x@evil.example" });
    await stage.registerByAdmin(id, email, { fname: "<img src=x onerror=alert(1)>" });
    const [mail] = await mailsTo(email);
    expect(mail?.destination).toEqual({ to: [expect.stringContaining(email)], cc: [], bcc: [] });
    expect(mail?.body.html).not.toContain("<img src=x");
    expect(mail?.body.html).not.toContain("<b>Dinner");
    const [told] = await chatOf("Dinner&lt;/b");
    expect(told).not.toContain("<!channel>");
  });
});

test("the chat gets one message for each move, with the person's name instead of the email", async () => {
  const id = await givenDinner({ capac: 1, ename: "Chatty" });
  await stage.registerByAdmin(id, "chat@mail.example", { fname: "Grace" });
  await stage.settled();
  await stage.moveTo(id, "chat@mail.example", "checkedIn");
  await stage.settled();
  const messages = await chatOf("Chatty");
  expect(messages).toHaveLength(2);
  expect(messages.every((text) => text.includes("Grace") && !text.includes("chat@mail.example"))).toBe(true);
});

describe("an event that is deleted by force", () => {
  test("ends all registrations, and mails people with a seat or a place in line", async () => {
    const id = await givenDinner({ capac: 2 });
    const [seat, door, waits] = ["seat@gone.example", "door@gone.example", "waits@gone.example"];
    for (const email of [seat, door, waits]) await stage.registerByAdmin(id, email, ada);
    await stage.moveTo(id, door, "checkedIn");
    await stage.settled();
    await stage.deleteEvent(id, "?force=true");
    await stage.settled();
    const stored = async (email: string) => (await stage.storedRegistration(id, email))?.status;
    expect([await stored(seat), await stored(door), await stored(waits)]).toEqual([
      "cancelled",
      "deleted",
      "cancelled",
    ]);
    expect(await stage.stored(`WAIT#${id}#${year}`)).toEqual([]);
    expect(inviteOf((await mailsTo(seat)).at(-1))?.method).toBe("CANCEL");
    expect(await subjects(waits)).toHaveLength(2);
    expect(await subjects(door)).toHaveLength(1);
  });

  test("after its start sends no mail", async () => {
    const id = await givenDinner({ startDate: "2030-05-01T18:00:00Z" });
    await stage.registerByAdmin(id, "late@gone.example", ada);
    await stage.changeEvent(id, { startDate: "2020-05-01T18:00:00Z", endDate: null });
    const before = (await subjects("late@gone.example")).length;
    await stage.deleteEvent(id, "?force=true");
    expect(await subjects("late@gone.example")).toHaveLength(before);
  });
});

describe("a hold that is over", () => {
  /** Moves the end of a hold into the past. */
  async function endHold(id: string, email: string): Promise<void> {
    const key = { PK: `USER#${email}`, SK: `REG#${id}#${year}` };
    const registration = await stage.storedRegistration(id, email);
    const [was, is] = [Number(registration?.holdExpiresAt), Date.now() - 1_000];
    const hold = (await stage.stored("HOLD")).find((one) => one.email === email);
    const TableName = stage.outputs.tableName;
    await stage.table.send(
      new UpdateCommand({
        TableName,
        Key: key,
        UpdateExpression: "SET holdExpiresAt = :is",
        ExpressionAttributeValues: { ":is": is },
      }),
    );
    const { PutCommand, DeleteCommand } = await import("@aws-sdk/lib-dynamodb");
    await stage.table.send(new DeleteCommand({ TableName, Key: { PK: "HOLD", SK: hold?.SK } }));
    const SK = String(hold?.SK).replace(String(was), String(is));
    await stage.table.send(new PutCommand({ TableName, Item: { ...hold, SK, expiresAt: is } }));
  }

  test("ends the registration, and the next in line gets the seat with a new hold", async () => {
    const id = await givenDinner({ capac: 1, pricing: { member: 5, nonMember: 10 } });
    await stage.registerByAdmin(id, "unpaid@hold.example", ada);
    await stage.registerByAdmin(id, "next@hold.example", ada);
    await stage.invoke("Sweeper", {});
    expect(await stage.statusOf(id, "unpaid@hold.example")).toBe("incomplete");
    await endHold(id, "unpaid@hold.example");
    await stage.invoke("Sweeper", {});
    expect(await stage.statusOf(id, "unpaid@hold.example")).toBe("cancelled");
    const next = await stage.registrationOf(id, "next@hold.example");
    expect(next).toMatchObject({ registrationStatus: "incomplete", holdExpiresAt: expect.any(Number) });
    expect((await subjects("unpaid@hold.example")).at(-1)?.toLowerCase()).toContain("cancel");
    expect(await mailsTo("next@hold.example")).toHaveLength(2);
    // Another run of the sweeper changes nothing.
    const before = await stage.stored("USER#next@hold.example");
    await stage.invoke("Sweeper", {});
    expect(await stage.stored("USER#next@hold.example")).toEqual(before);
  });
});

test("a seat that a crash left free goes to the first in line, not to the next newcomer", async () => {
  const id = await givenDinner({ capac: 1 });
  await stage.registerByAdmin(id, user, ada);
  await stage.registerByAdmin(id, "waits@repair.example", ada);
  // The state after a function died between the release of a seat and the promotion: a free seat and a line.
  await stage.settled();
  const TableName = stage.outputs.tableName;
  const Key = { PK: `SEAT#${id}#${year}#00`, SK: "POOL" };
  await stage.table.send(
    new UpdateCommand({
      TableName,
      Key,
      UpdateExpression: "SET #capacity = :two",
      ExpressionAttributeNames: { "#capacity": "capacity" },
      ExpressionAttributeValues: { ":two": 2 },
    }),
  );
  await stage.registerByAdmin(id, "another@repair.example", ada);
  await stage.settled();
  const rows = (await stage.list(`/registrations?eventID=${id}&year=${year}`)).body.data;
  const statuses = rows.map(({ registrationStatus }: { registrationStatus: string }) => registrationStatus);
  expect(statuses).toEqual(["registered", "registered", "waitlist"]);
});

test("of a crowd that registers at once each person gets one mail, and no dead letter is left", async () => {
  const id = await givenDinner({ capac: crowd(6) });
  const newcomers = people(crowd(36), "crowd");
  await Promise.all(newcomers.map((email) => stage.tokenFor(email)));
  const answers = await Promise.all(newcomers.map((email) => registerSurely(stage, id, email)));
  expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
  await stage.settled();
  const counts = () => newcomers.map((email) => stage.mailsTo(email).length);
  // On a busy machine a function may run out of its time. Then the message comes again after its visibility timeout.
  for (const end = Date.now() + 150_000; counts().includes(0) && Date.now() < end; ) {
    await pause(500);
    await stage.settled();
  }
  expect(counts()).toEqual(newcomers.map(() => 1));
  expect(stage.deadLetters()).toEqual([]);
}, 240_000);
