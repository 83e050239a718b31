/** Whether a newcomer may take a free seat, and what the transaction that gives a seat demands of the turn. */
import { expect, test } from "@jest/globals";
import type { Line } from "#domain/capacity/allocate.ts";
import type { Choices, Seats } from "#domain/capacity/seats.ts";
import { placeOf, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import "./environment.ts";

const { allocate } = await import("#domain/capacity/allocate.ts");

const person = (n: number, choices: Choices = {}) =>
  ({
    email: `p${n}@unit.example`,
    queueKey: `${n}#x`,
    choices,
    isPartner: false,
    generation: "i",
  }) as RegistrationRecord;
const newcomerWith = (choices: Choices) => placeOf(person(9, choices));
const lineOf = (...choices: Choices[]): Line => ({
  places: choices.map((chosen, n) => placeOf(person(n, chosen))),
  isWhole: true,
});

/** One workshop is full, the other one has room for one person. */
const seats = {
  seats: 1,
  capacity: 5,
  gate: "queued",
  mode: "free",
  choiceLimits: { w: 2 },
  choiceHolders: { w: { full: 2, last: 1 } },
} as unknown as Seats;
const [full, last, none] = [{ w: "full" }, { w: "last" }, {}];
const turn = (is: object) => ({ kind: "seated", turn: is });
const direct = turn({ kind: "direct" });
const wait = { kind: "waits" };
const choiceFull = { kind: "choiceFull", choice: "full" };
const noDemands = turn({ kind: "next", passedOver: [], counted: {} });
const pastBy = (counted: object, ...choiceHolders: number[]) =>
  turn({
    kind: "next",
    passedOver: choiceHolders.map((count) => ({ question: "w", choice: "full", holders: count })),
    counted,
  });
const past = (...choiceHolders: number[]) => pastBy(seats.choiceHolders, ...choiceHolders);

test.each<[string, Partial<Seats>, Choices, Line | undefined, object]>([
  ["direct gate: directly", { gate: "direct" }, none, undefined, direct],
  ["direct gate, but the workshop is full", { gate: "direct" }, full, undefined, choiceFull],
  ["direct gate: the line does not count", { gate: "direct" }, none, lineOf(none), direct],
  ["an admin decides, with people in line", { mode: "application" }, none, lineOf(none), noDemands],
  ["an admin decides, but the workshop is full", { mode: "application" }, full, undefined, choiceFull],
  ["no seat is free", { seats: 5 }, none, lineOf(), { kind: "full" }],
  ["an empty line: next", {}, none, lineOf(), past()],
  ["an empty line, but the workshop is full", {}, full, lineOf(), choiceFull],
  ["a person ahead can take the seat", {}, none, lineOf(none), wait],
  ["a person ahead can take the last place of the workshop", {}, last, lineOf(last), wait],
  ["no person ahead can take the seat: next, past each of them", {}, last, lineOf(full, full, full), past(2, 2, 2)],
  ["a line that is too long to be read", {}, none, { places: [], isWhole: false }, wait],
  ["a workshop whose limit was lifted has room", { choiceLimits: {} }, full, lineOf(), past()],
  ["a workshop that counts for the first time has room", { choiceHolders: {} }, full, lineOf(), pastBy({})],
])("%s", (_, more, choices, line, expected) => {
  const newcomer = { kind: "newcomer", person: newcomerWith(choices) } as const;
  expect(allocate({ ...seats, ...more }, line, newcomer, 0)).toMatchObject(expected);
});
