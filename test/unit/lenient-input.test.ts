/** Values that older clients send in another form, where nothing is lost by it (`docs/contract.md`, "Conventions"). */
import { expect, test } from "@jest/globals";
import * as events from "#api/events/schemas.ts";
import { MemberChanges, NewMember } from "#api/members/schemas.ts";
import { RegistrationForm } from "#api/registrations/schemas.ts";
import { NewUser, UserChanges } from "#api/users/schemas.ts";
import type { TSchema } from "#kit/schema/schema.ts";
import { bodyReader } from "./request-reader.ts";

const which = { eventID: "gala", year: 2030 };
const form = { ...which, email: "ada@x.example" };
const event = { id: "gala", year: 2030, ename: "Gala" };
const member = { email: "ada@x.example" };

test.each<[string, TSchema, object, object]>([
  ["numbers of a new user", NewUser, { studentId: 12345678, year: 3 }, { studentId: "12345678", year: "3" }],
  ["0 for no number", NewUser, { studentId: 0 }, { studentId: "" }],
  ["numbers of a user", UserChanges, { studentId: 1, year: null }, { studentId: "1", year: null }],
  ["the number of a registration", RegistrationForm, { ...form, studentId: 7 }, { ...form, studentId: "7" }],
  [
    "numbers of a registration's questions",
    RegistrationForm,
    { ...form, basicInformation: { year: 2, studentId: null } },
    { ...form, basicInformation: { year: "2", studentId: null } },
  ],
  ["a member's number", MemberChanges, { student_number: 9, year: 4 }, { student_number: "9", year: "4" }],
  ["Yes", NewMember, { ...member, prev_member: "Yes" }, { ...member, prev_member: true }],
  ["no", MemberChanges, { international: " no " }, { international: false }],
  ["no flag", NewMember, { ...member, prev_member: "" }, { ...member, prev_member: null }],
  ["no date", events.NewEvent, { ...event, endDate: "" }, { ...event, endDate: null }],
  ["a date that is taken away", events.EventChanges, { deadline: " " }, { deadline: null }],
])("%s", (_, schema, sent, seen) => expect(bodyReader(schema)(sent)).toEqual({ issues: [], body: seen }));

test.each<[string, TSchema, object, string, string]>([
  ["a fraction", NewUser, { studentId: 1.5 }, "/studentId", "must be text or a whole number"],
  ["a negative number", NewUser, { year: -1 }, "/year", "must be text or a whole number from 0"],
  ["a number without all its digits", NewUser, { studentId: 2 ** 53 }, "/studentId", "must be text or a whole number"],
  ["a word", NewMember, { prev_member: "perhaps" }, "/prev_member", "must be true or false, or Yes or No"],
  ["a date of a form", events.EventChanges, { startDate: "soon" }, "/startDate", "must be a date such as"],
])("%s is refused, because something would be lost", (_, schema, sent, path, message) => {
  expect(bodyReader(schema)(sent).issues).toEqual([{ path, message: expect.stringContaining(message) }]);
});
