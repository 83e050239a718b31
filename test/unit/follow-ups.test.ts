/**
 * Which changes of a registration free a place or change the line, so that the line is looked at. That the place goes to
 * a person in line also when the process ends right after its commit is proven by the model (`test/model/capacity.test.ts`).
 */
import { expect, test } from "@jest/globals";
import { followUpsOf } from "#domain/registrations/record/follow-ups.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationRecord } from "./given.ts";

const registration = (more: Partial<RegistrationRecord> = {}) =>
  registrationRecord({ queueKey: "1#01", generation: "i1", ...more });

const [choir, chess] = [{ w: "Choir" }, { w: "Chess" }];
const yes = ["promote"];

test.each<[string, Partial<RegistrationRecord> | undefined, Partial<RegistrationRecord>, string[]]>([
  ["a seat is cancelled", {}, { status: "cancelled" }, yes],
  ["a seat is exchanged for the line", {}, { status: "waitlist" }, yes],
  ["a workshop is exchanged", { choices: choir }, { choices: chess }, yes],
  ["a workshop is given up by paying", { status: "incomplete", choices: choir }, { status: "registered" }, yes],
  ["a person joins the line", undefined, { status: "waitlist" }, yes],
  ["another place in line", { status: "waitlist" }, { status: "waitlist", queueKey: "1#02" }, yes],
  [
    "a person in line wants another workshop",
    { status: "waitlist", choices: choir },
    { status: "waitlist", choices: chess },
    yes,
  ],
  [
    "a person in line wants the same workshop",
    { status: "waitlist", choices: choir },
    { status: "waitlist", choices: { ...choir } },
    [],
  ],
  [
    "a person joins the line of an event that was created again",
    { status: "waitlist", generation: "i0" },
    { status: "waitlist" },
    yes,
  ],
  ["a seat of an event that was created again", { generation: "i0", choices: choir }, {}, []],
  ["other answers", { choices: choir }, { choices: { ...choir }, dynamicResponses: { c: "x" } }, []],
  ["a check-in", { choices: choir }, { status: "checkedIn", choices: choir }, []],
  ["a person leaves the line", { status: "waitlist" }, { status: "cancelled" }, []],
  ["an application is withdrawn", { applicant: true, choices: choir }, { status: "cancelled" }, []],
  ["an applicant's other workshop", { applicant: true, choices: choir }, { applicant: true, choices: chess }, []],
])("asks for a promotion, or not: %s", (_, before, after, expected) => {
  expect(followUpsOf(before && registration(before), registration(after))).toEqual(expected);
});
