/** What people entered for past events goes after the days that the stage names (`docs/contract.md`, "A person's data"). */
import { expect, test } from "@jest/globals";
import { hasNoEntries, withoutEntries } from "#domain/registrations/record/entries.ts";
import "./environment.ts";
import { givenGala, start } from "./gala.ts";

const { removeOldEntries } = await import("#domain/registrations/reactions/remove-entries.ts");

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

/** An event that ended 30 days after the start of the test, with a person of each of these names. */
async function givenPast(names: string) {
  const end = new Date(start + 30 * day).toISOString();
  const gala = givenGala({ startDate: end, endDate: end, registrationQuestions: [workshop, question] as never });
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
});

test("what is left after a removal needs none", () => {
  const registration = { fname: "Ada", choices: { w: "ai" }, ...form };
  expect(hasNoEntries(registration)).toBe(false);
  expect(hasNoEntries(withoutEntries(registration))).toBe(true);
});
