/** Notices, from the request to the mailbox and the chat (`docs/contract.md`, "Notices"). */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import ICAL from "ical.js";
import type { Email } from "../../tools/laptop/mailbox/index.ts";
import { ada, year } from "./given.ts";
import { endHold } from "./grants-uses.ts";
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
});

test("an event that is hidden leaves the calendars of people with a seat, and comes back", async () => {
  const id = await givenDinner();
  const [holder, late] = ["off@mail.example", "off-late@mail.example"];
  await stage.registerByAdmin(id, holder, ada);
  const [before] = (await mailsTo(holder)).map(inviteOf);
  await stage.indexed();
  const hide = (isPublished: boolean) => stage.changeEvent(id, { isPublished });
  expect((await hide(false)).status).toBe(200);
  const [, off] = await mailsTo(holder);
  expect(off).toMatchObject({ subject: "Off the program: Dinner" });
  expect(inviteOf(off)).toMatchObject({ method: "CANCEL", status: "CANCELLED", uid: before?.uid });
  await stage.registerByAdmin(id, late, ada);
  expect((await mailsTo(late)).map(inviteOf)).toEqual([undefined]);
  await stage.indexed();
  expect((await hide(true)).status).toBe(200);
  const [, , back] = await mailsTo(holder);
  expect(back).toMatchObject({ subject: "Back on the program: Dinner" });
  for (const mail of [back, (await mailsTo(late)).at(-1)]) {
    expect(inviteOf(mail)).toMatchObject({ method: "REQUEST", status: "CONFIRMED" });
  }
  const sequences = [before, inviteOf(off), inviteOf(back)].map((entry) => entry?.sequence ?? 0);
  expect(sequences).toEqual([...new Set(sequences)].sort((one, other) => one - other));
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
  test("ends the registration, and the next in line gets the seat with a new hold", async () => {
    const id = await givenDinner({ capac: 1, pricing: { member: 5, nonMember: 10 } });
    await stage.registerByAdmin(id, "unpaid@hold.example", ada);
    await stage.registerByAdmin(id, "next@hold.example", ada);
    await stage.invoke("Sweeper", {});
    expect(await stage.statusOf(id, "unpaid@hold.example")).toBe("incomplete");
    await endHold(stage, id, "unpaid@hold.example");
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
