/** What people entered for past events goes after the days that the stage names (`docs/contract.md`, "A person's data"). */
import { expect, test } from "@jest/globals";
import { hasNoEntries, withoutEntries } from "#domain/registrations/record/entries.ts";
import "./environment.ts";
import { givenGala, start } from "./gala.ts";

const { removeOldEntries } = await import("#domain/registrations/reactions/remove-entries.ts");

const { emptyOldFeedback } = await import("#domain/feedback/forget.ts");
const { putSubmission } = await import("#domain/feedback/store.ts");
const { eventItem } = await import("#domain/events/store.ts");

const day = 86_400_000;
const workshop = {
  questionId: "w",
  type: "WORKSHOP_SELECTION",
  label: "Workshop",
  choices: "ai,bio",
  participantCap: 5,
};
const question = { questionId: "q", type: "TEXT", label: "Why?", choices: "" };
const form = {
  basicInformation: { fname: "Ada", diet: "vegan", phone: "604 555 0101" },
  studentId: "123",
  dynamicResponses: { w: "ai", q: "because" },
};

/** An event that began 20 days after the start of the test and ended 10 days later, with a person of each of these names. */
async function givenPast(names: string) {
  const [startDate, endDate] = [20, 30].map((days) => new Date(start + days * day).toISOString());
  const gala = givenGala({ startDate, endDate, registrationQuestions: [workshop, question] as never });
  // As the store writes it: in a list.
  gala.table.seed(eventItem(gala.event()));
  for (const name of names) await gala.register(name, form);
  return gala;
}

test("answers, diet, phone and student number go; name, state, seats and the counted choice stay", async () => {
  const gala = await givenPast("ab");
  await gala.become("a", "checkedIn", "admin");
  const seats = gala.seats();
  expect(await removeOldEntries(30, start + 60 * day)).toBe(2);
  expect(gala.registrationOf("a")).toMatchObject({
    ...{
      status: "checkedIn",
      fname: "Ada",
      basicInformation: { fname: "Ada" },
      dynamicResponses: { w: "ai" },
      choices: { w: "ai" },
    },
  });
  expect(gala.registrationOf("a")).not.toHaveProperty("studentId");
  expect(gala.seats()).toEqual(seats);
});

test("not a millisecond before; and once an event is done, it is not read again", async () => {
  const gala = await givenPast("a");
  expect(await removeOldEntries(30, start + 60 * day - 1)).toBe(0);
  expect(gala.registrationOf("a").basicInformation).toEqual(form.basicInformation);
  expect(await removeOldEntries(30, start + 60 * day)).toBe(1);
  gala.remember("a", { form: JSON.stringify(form) } as never);
  expect(await removeOldEntries(30, start + 61 * day)).toBe(0);
  // A later date of the event is another end.
  const later = new Date(start + 62 * day).toISOString();
  gala.table.seed(eventItem({ ...gala.event(), startDate: later, endDate: later }));
  expect(await removeOldEntries(30, start + 92 * day)).toBe(1);
});

test("what is left after a removal needs none", () => {
  const registration = { fname: "Ada", choices: { w: "ai" }, ...form };
  expect(hasNoEntries(registration)).toBe(false);
  expect(hasNoEntries(withoutEntries(registration))).toBe(true);
});

test("of signed feedback the points and choices stay, and unsigned feedback stays whole", async () => {
  const gala = await givenPast("");
  const { generation } = gala.event();
  const asked = { questionId: "best", label: "Best?", type: "MULTIPLE_CHOICE", required: false, choices: ["Food"] };
  gala.table.seed(eventItem({ ...gala.event(), attendeeFeedbackQuestions: [asked] } as never));
  const responses = { "overall-rating": 9, best: "Food", long: "Grace was there." };
  const given = (id: string, author: object) => {
    const arrival = `${start}#01PS0S8H00ZK7M2V9Q4D6T8XBE`;
    const form = { eventID: "gala", year: 2030, generation, formType: "attendee" } as const;
    const item = putSubmission({ ...form, id, submittedAt: start, arrival, responses, ...author }).Put?.Item;
    gala.table.seed(item as never);
  };
  given("signed", { respondentName: "Grace", respondentEmail: "grace@unit.example" });
  given("unsigned", {});
  const stored = (id: string) => gala.table.peek({ PK: "FB#gala#2030#attendee", SK: id });
  await emptyOldFeedback(30, start + 60 * day - 1);
  expect(stored("signed")).toMatchObject({ respondentName: "Grace" });
  await emptyOldFeedback(30, start + 60 * day);
  expect(stored("signed")).toMatchObject({ responses: { "overall-rating": 9, best: "Food" } });
  expect(JSON.stringify(stored("signed"))).not.toMatch(/grace/i);
  expect(stored("unsigned")?.responses).toEqual(responses);
  // Once an event is done, it is not read again.
  given("late", { respondentName: "Grace" });
  await emptyOldFeedback(30, start + 61 * day);
  expect(stored("late")).toMatchObject({ respondentName: "Grace" });
});
