/** Reminders before an event and invitations to give feedback after it (`docs/contract.md`, "Notices"). */
import { beforeAll, expect, test } from "@jest/globals";
import { newEmail, year } from "./given.ts";
import { type ServiceStage, sharedStage } from "./stage.ts";

let stage: ServiceStage;
beforeAll(async () => {
  stage = await sharedStage();
});

const hour = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * hour).toISOString();
async function sweep(): Promise<void> {
  await stage.settled();
  await stage.invoke("Sweeper", {});
  await stage.settled();
}
const mailed = (email: string, subject: string) =>
  stage.mailsTo(email).filter((mail) => mail.subject.startsWith(subject));
const linkIn = (email: string, subject: string, end: string): string => {
  const [mail] = mailed(email, subject);
  return new RegExp(`registration/#(L1\\.[A-Z2-7]+)/${end}`).exec(mail?.body.text ?? "")?.[1] ?? "";
};

test("each who holds a seat is reminded once, and a seat that is given back goes to the next in line", async () => {
  const [coming, leaving, next, checkedIn] = [newEmail(), newEmail(), newEmail(), newEmail()];
  const id = await stage.givenEvent({ capac: 3, startDate: inHours(5) });
  for (const email of [checkedIn, coming, leaving, next]) await stage.register(id, email);
  await stage.moveTo(id, checkedIn, "checkedIn");
  await stage.indexed();
  await sweep();
  const reminded = () => [coming, leaving, next, checkedIn].map((email) => mailed(email, "Reminder: ").length);
  expect(reminded()).toEqual([1, 1, 0, 0]);
  const [mail] = mailed(coming, "Reminder: ");
  expect(mail?.attachments.some(({ contentType }) => contentType === "image/png")).toBe(true);
  const ask = (email: string, end: string, body: object) =>
    stage.api("PUT", "/links/registration", {
      headers: { authorization: `Link ${linkIn(email, "Reminder: ", end)}` },
      body,
    });
  expect(await ask(coming, "come", { coming: true })).toMatchObject({ status: 200 });
  expect(await ask(leaving, "cancel", { registrationStatus: "cancelled" })).toMatchObject({ status: 200 });
  expect(await stage.statusOf(id, next)).toBe("registered");
  expect(await stage.storedRegistration(id, leaving)).toMatchObject({ endedBecause: "asked", endedByLink: true });
  // Neither a later seat nor another date is a reason to remind again.
  await stage.changeEvent(id, { startDate: inHours(4) });
  await sweep();
  expect(reminded()).toEqual([1, 1, 0, 0]);
});

test("who came is asked for feedback once, where the form is on", async () => {
  const [guest, partner, absent] = [newEmail(), newEmail(), newEmail()];
  const id = await stage.givenEvent({ attendeeFeedbackEnabled: true, startDate: inHours(300) });
  await stage.registerByAdmin(id, guest);
  await stage.registerByAdmin(id, partner, { isPartner: true });
  await stage.registerByAdmin(id, absent);
  for (const email of [guest, partner]) await stage.moveTo(id, email, "checkedIn");
  await stage.changeEvent(id, { startDate: inHours(-40) });
  await stage.indexed();
  await sweep();
  await sweep();
  expect([guest, partner, absent].map((email) => mailed(email, "How was it?").length)).toEqual([1, 0, 0]);
  const headers = { authorization: `Link ${linkIn(guest, "How was it?", "feedback")}` };
  const given = await stage.api("POST", "/links/feedback", { headers, body: { responses: { "overall-rating": 9 } } });
  expect(given.status).toBe(201);
  const { body } = await stage.api("GET", `/events/${id}/${year}/feedback/attendee/submissions`, {
    as: "exec@club.example",
  });
  expect(body.count).toBe(1);
});
