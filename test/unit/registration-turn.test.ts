/** Whether a newcomer may take a free seat. */
import { expect, test } from "@jest/globals";
import type { LineStart } from "#domain/capacity/line.ts";
import { placeOf, type RegistrationRecord } from "#domain/registrations/registration.ts";
import type { Choices, Seats } from "#domain/capacity/seats.ts";
import "./environment.ts";

const { turnOf } = await import("#domain/capacity/allocate.ts");

const person = (n: number, choices: Choices = {}) =>
  ({
    email: `p${n}@unit.example`,
    queueKey: `${n}#x`,
    choices,
    isPartner: false,
    generation: "i",
  }) as RegistrationRecord;
const newcomerWith = (choices: Choices) => person(9, choices);
const lineOf = (...choices: Choices[]): LineStart => ({
  places: choices.map((chosen, n) => placeOf(person(n, chosen))),
  isWhole: true,
});

/** One workshop is full, the other one has room for one person. */
const seats = {
  gate: "queued",
  mode: "free",
  choiceLimits: { w: 2 },
  choiceHolders: { w: { full: 2, last: 1 } },
} as unknown as Seats;
const [full, last, none] = [{ w: "full" }, { w: "last" }, {}];
const direct = { kind: "direct" };
const wait = { kind: "wait" };
const choiceFull = { kind: "choiceFull", choice: "full" };
const noDemands = { kind: "next", passedOver: [], counted: {} };
const past = (...choiceHolders: number[]) => ({
  kind: "next",
  passedOver: choiceHolders.map((count) => ({ question: "w", choice: "full", holders: count })),
  counted: seats.choiceHolders,
});

test.each<[string, Partial<Seats>, Choices, LineStart | undefined, object]>([
  ["direct gate: directly", { gate: "direct" }, none, undefined, direct],
  ["direct gate, and the workshop has room: directly", { gate: "direct" }, last, undefined, direct],
  ["direct gate, but the workshop is full", { gate: "direct" }, full, undefined, choiceFull],
  ["direct gate: the line does not count", { gate: "direct" }, none, lineOf(none), direct],
  ["an admin decides, with people in line", { mode: "application" }, none, lineOf(none), noDemands],
  ["an admin decides, with the direct gate", { mode: "application", gate: "direct" }, last, undefined, noDemands],
  ["an admin decides, but the workshop is full", { mode: "application" }, full, undefined, choiceFull],
  ["an empty line: next", {}, none, lineOf(), past()],
  ["an empty line, and the workshop has room: next", {}, last, lineOf(), past()],
  ["an empty line, but the workshop is full", {}, full, lineOf(), choiceFull],
  ["a person ahead can take the seat", {}, none, lineOf(none), wait],
  ["a person ahead can take the seat, behind one who cannot", {}, none, lineOf(full, none), wait],
  ["a person ahead can take the last place of the workshop", {}, last, lineOf(last), wait],
  ["the person ahead cannot take the seat: next", {}, none, lineOf(full), past(2)],
  ["no person ahead can take the seat: next, past each of them", {}, last, lineOf(full, full, full), past(2, 2, 2)],
  ["neither the newcomer nor a person ahead can take the seat", {}, full, lineOf(full, full), choiceFull],
  ["a full workshop, and a person ahead who can take the seat", {}, full, lineOf(none), wait],
  ["a line that is too long to be read", {}, none, { places: [], isWhole: false }, wait],
  ["a line that has not been read", {}, none, undefined, wait],
  ["a workshop whose limit was lifted has room", { choiceLimits: {} }, full, lineOf(), past()],
  [
    "a choice without a counter has room",
    { choiceHolders: { w: {} } },
    full,
    lineOf(),
    { ...past(), counted: { w: {} } },
  ],
  [
    "a workshop that counts for the first time has room",
    { choiceHolders: {} },
    full,
    lineOf(),
    { ...past(), counted: {} },
  ],
])("%s", (_, more, choices, line, expected) => {
  expect(turnOf(newcomerWith(choices), { ...seats, ...more }, line)).toEqual(expected);
});

test("of several full workshops the first one is named", () => {
  const two = { ...seats, choiceLimits: { v: 1, w: 2 }, choiceHolders: { v: { also: 1 }, w: { full: 2 } } };
  expect(turnOf(newcomerWith({ x: "free", v: "also", w: "full" }), two, lineOf())).toEqual({
    kind: "choiceFull",
    choice: "also",
  });
});
