/** Mails that the clock or a change of the event causes (`docs/contract.md`, "Notices"). */
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

test("each who holds a seat is reminded once for a day, and a seat that is given back goes to the next in line", async () => {
  const [coming, leaving, next, checkedIn] = [newEmail(), newEmail(), newEmail(), newEmail()];
  const id = await stage.givenEvent({ capac: 3, startDate: inHours(20), reminders: [168, 48, 24] });
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
  expect(await ask(coming, "come", { coming: true, seenStatus: "registered" })).toMatchObject({ status: 200 });
  expect(await ask(leaving, "cancel", { registrationStatus: "cancelled", seenStatus: "registered" })).toMatchObject({
    status: 200,
  });
  expect(await stage.statusOf(id, next)).toBe("registered");
  expect(await stage.storedRegistration(id, leaving)).toMatchObject({ left: "self/link" });
  // Neither a later seat, nor another place, nor the end of registration is a reason to remind again.
  await stage.changeEvent(id, { elocation: "Great Hall", isCompleted: true });
  await sweep();
  expect(reminded()).toEqual([1, 1, 0, 0]);
  await stage.changeEvent(id, { startDate: inHours(20 + 72) });
  await sweep();
  expect(reminded()).toEqual([2, 1, 1, 0]);
});

test("who came and has not answered is asked for feedback once, also when the form is switched on later", async () => {
  const [guest, partner, absent, answered] = [newEmail(), newEmail(), newEmail(), newEmail()];
  const id = await stage.givenEvent({ attendeeFeedbackEnabled: true, startDate: inHours(300) });
  await stage.registerByAdmin(id, guest);
  await stage.registerByAdmin(id, partner, { isPartner: true });
  for (const email of [absent, answered]) await stage.registerByAdmin(id, email);
  for (const email of [guest, partner, answered]) await stage.moveTo(id, email, "checkedIn");
  await stage.changeEvent(id, { startDate: inHours(-5 * 24) });
  const path = `/events/${id}/${year}/feedback/attendee`;
  const early = await stage.api("POST", path, { as: answered, body: { responses: { "overall-rating": 3 } } });
  expect(early.status).toBe(201);
  await stage.indexed();
  const invited = () => [guest, partner, absent, answered].map((email) => mailed(email, "How was it?").length);
  await sweep();
  await sweep();
  expect(invited()).toEqual([1, 0, 0, 0]);
  await stage.changeEvent(id, { partnerFeedbackEnabled: true });
  await sweep();
  await sweep();
  expect(invited()).toEqual([1, 1, 0, 0]);
  const headers = { authorization: `Link ${linkIn(guest, "How was it?", "feedback")}` };
  const given = await stage.api("POST", "/links/feedback", { headers, body: { responses: { "overall-rating": 9 } } });
  expect(given.status).toBe(201);
  const { body } = await stage.api("GET", `${path}/submissions`, { as: "exec@club.example" });
  expect(body.count).toBe(2);
});

test("a price that falls to 0 confirms unpaid seats, with a mail, and ends their pages", async () => {
  const id = await stage.givenEvent({ pricing: { member: 0, nonMember: 10 } });
  const email = newEmail();
  await stage.register(id, email);
  const { id: session } = await stage.eventCheckout(id, email);
  await stage.changeEvent(id, { pricing: { member: 0, nonMember: 5 } });
  await stage.settled();
  expect(await stage.statusOf(id, email)).toBe("incomplete");
  await stage.changeEvent(id, { pricing: { member: 0, nonMember: 0 } });
  await stage.settled();
  expect(await stage.statusOf(id, email)).toBe("registered");
  expect(mailed(email, "You're registered: ")).toHaveLength(1);
  expect(await stage.countsOf(id)).toMatchObject({ registeredCount: 1, incompleteCount: 0 });
  expect(stage.payments.sessions().find((one) => one.id === session)?.status).toBe("expired");
  expect((await stage.storedRegistration(id, email))?.changedBy).toBe("system");
});

test("a mail after the event says that it is over", async () => {
  const [id, email] = [await stage.givenEvent({ startDate: "2025-05-01", guests: "everyone" }), newEmail()];
  await stage.registerByAdmin(id, email);
  await stage.settled();
  const [mail] = mailed(email, "About your registration: ");
  expect(mail?.body.text).toContain("Thursday, May 1, 2025");
  expect(mail?.body.text).not.toContain("See you there");
});
