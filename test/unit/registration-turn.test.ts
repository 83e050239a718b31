/** Whether it is a newcomer's turn to have a free seat. */
import { expect, test } from "@jest/globals";
import type { LineStart } from "#domain/registrations/line/store.ts";
import { placeOf, type RegistrationRecord } from "#domain/registrations/registration.ts";
import type { Choices, Seats } from "#domain/registrations/seats/seats.ts";
import "./environment.ts";

const { turnOf } = await import("#domain/registrations/turn.ts");

const person = (n: number, choices: Choices = {}) =>
  ({
    email: `p${n}@unit.example`,
    waitKey: `${n}#x`,
    choices,
    isPartner: false,
    incarnation: "i",
  }) as RegistrationRecord;
const newcomerWith = (choices: Choices) => person(9, choices);
const lineOf = (...choices: Choices[]): LineStart => ({
  places: choices.map((chosen, n) => placeOf(person(n, chosen))),
  isWhole: true,
});

/** One of the workshops is full, the other has room for one. */
const seats = { gate: "W", mode: "free", choiceCaps: { w: 2 }, taken: { w: { full: 2, last: 1 } } } as unknown as Seats;
const [full, last, none] = [{ w: "full" }, { w: "last" }, {}];
const direct = { kind: "direct" };
const wait = { kind: "wait" };
const choiceFull = { kind: "choiceFull", choice: "full" };
const noDemands = { kind: "next", passedOver: [], counted: {} };
const past = (...taken: number[]) => ({
  kind: "next",
  passedOver: taken.map((count) => ({ question: "w", choice: "full", taken: count })),
  counted: seats.taken,
});

test.each<[string, Partial<Seats>, Choices, LineStart | undefined, object]>([
  ["nobody has had to wait: directly", { gate: "O" }, none, undefined, direct],
  ["nobody has had to wait, and the workshop has room: directly", { gate: "O" }, last, undefined, direct],
  ["nobody has had to wait, but the workshop is full", { gate: "O" }, full, undefined, choiceFull],
  ["nobody has had to wait: the line is not looked at", { gate: "O" }, none, lineOf(none), direct],
  ["an admin decides, whoever waits", { mode: "application" }, none, lineOf(none), noDemands],
  [
    "an admin decides, whoever waits, whether or not anybody has",
    { mode: "application", gate: "O" },
    last,
    undefined,
    noDemands,
  ],
  ["an admin decides, but the workshop is full", { mode: "application" }, full, undefined, choiceFull],
  ["nobody is left in line: next", {}, none, lineOf(), past()],
  ["nobody is left in line, and the workshop has room: next", {}, last, lineOf(), past()],
  ["nobody is left in line, but the workshop is full", {}, full, lineOf(), choiceFull],
  ["somebody ahead can take the seat", {}, none, lineOf(none), wait],
  ["somebody ahead can take the seat, behind one who cannot", {}, none, lineOf(full, none), wait],
  ["somebody ahead can take the last place of the workshop", {}, last, lineOf(last), wait],
  ["nobody ahead can take the seat: past them", {}, none, lineOf(full), past(2)],
  ["nobody ahead can take the seat: past each of them", {}, last, lineOf(full, full, full), past(2, 2, 2)],
  ["neither they nor anybody ahead can take the seat", {}, full, lineOf(full, full), choiceFull],
  ["a full workshop, and somebody ahead who can take the seat", {}, full, lineOf(none), wait],
  ["a line that is too long to be looked through", {}, none, { places: [], isWhole: false }, wait],
  ["a line that has not been read", {}, none, undefined, wait],
  ["a workshop whose limit was lifted has room", { choiceCaps: {} }, full, lineOf(), past()],
  [
    "a choice that nobody has taken yet has room",
    { taken: { w: {} } },
    full,
    lineOf(),
    { ...past(), counted: { w: {} } },
  ],
  ["a workshop that counts for the first time has room", { taken: {} }, full, lineOf(), { ...past(), counted: {} }],
])("%s", (_, more, choices, line, expected) => {
  expect(turnOf(newcomerWith(choices), { ...seats, ...more }, line)).toEqual(expected);
});

test("the first of several full workshops is named", () => {
  const two = { ...seats, choiceCaps: { v: 1, w: 2 }, taken: { v: { also: 1 }, w: { full: 2 } } };
  expect(turnOf(newcomerWith({ x: "free", v: "also", w: "full" }), two, lineOf())).toEqual({
    kind: "choiceFull",
    choice: "also",
  });
});
