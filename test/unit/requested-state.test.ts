/**
 * Which state a request means by `registrationStatus` and `applicationStatus` (`docs/contract.md`, "Registrations").
 */
import { describe, expect, test } from "@jest/globals";
import { type RequestedStatus, requestedState } from "#domain/registrations/form/requested-state.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { ValidationFailed } from "#kit/errors.ts";

const record = (more: Partial<RegistrationRecord>): RegistrationRecord =>
  ({ status: "registered", applicationBased: true, ...more }) as RegistrationRecord;
const applicant = record({ applicant: true });
const free = { priced: false, application: true };
const priced = { priced: true, application: true };

test.each<[string, string, string]>([
  ["registered", "registered", "waitlist"],
  ["CheckedIn", "checkedIn", "registered"],
])("%j means %s", (registrationStatus, state, status) => {
  const current = record({ status: status as "registered" });
  expect(requestedState({ registrationStatus }, current, free)).toBe(state);
});

test.each([
  ["an unknown status", { registrationStatus: "here" }, "/registrationStatus"],
  ["an applicant", { registrationStatus: "applicant" }, "/registrationStatus"],
  ["an unknown decision", { applicationStatus: "maybe" }, "/applicationStatus"],
])("%s is refused", (_, request, path) => {
  expect.assertions(2);
  try {
    requestedState(request, applicant, free);
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationFailed);
    expect((error as ValidationFailed).details.issues[0]?.path).toBe(path);
  }
});

test.each([{}, { registrationStatus: "" }, { registrationStatus: "", applicationStatus: "" }])(
  "%j asks for no move",
  (request) => {
    expect(requestedState(request, applicant, free)).toBeUndefined();
  },
);

test.each<[string, RegistrationRecord, typeof free, string]>([
  ["accepted", applicant, free, "accepted"],
  ["accepted", applicant, priced, "acceptedPending"],
  ["accepted", record({ status: "rejected" }), priced, "acceptedPending"],
  ["accepted", record({ status: "acceptedComplete" }), priced, "acceptedComplete"],
  ["accepted", record({ status: "checkedIn" }), free, "checkedIn"],
  ["rejected", applicant, free, "rejected"],
  ["waitlist", applicant, free, "waitlist"],
  ["waitlisted", applicant, free, "waitlist"],
  ["reviewing", applicant, free, "applicant"],
])("the decision %s means the right state", (applicationStatus, current, terms, state) => {
  expect(requestedState({ applicationStatus }, current, terms)).toBe(state);
});

test("an applicant who is asked to be registered stays an applicant, and an undone check-in restores the earlier state", () => {
  expect(requestedState({ registrationStatus: "registered" }, applicant, free)).toBe("applicant");
  const checkedIn = record({ status: "checkedIn", cameFrom: "acceptedComplete" });
  expect(requestedState({ registrationStatus: "registered" }, checkedIn, free)).toBe("acceptedComplete");
});

test.each([
  ["accepted", "accepted", true],
  ["acceptedPending", "accepted", true],
  ["rejected", "rejected", true],
  ["waitlist", "waitlist", true],
  ["registered", "reviewing", true],
  ["rejected", "accepted", false],
  ["accepted", "rejected", false],
  ["registered", "accepted", false],
])("%s and %s together agree: %p", (registrationStatus, applicationStatus, agree) => {
  const both = () => requestedState({ registrationStatus, applicationStatus }, applicant, free);
  if (agree) expect(both()).toBeDefined();
  else expect(both).toThrow(ValidationFailed);
});

describe("a registration status that is sent as applicationStatus", () => {
  const current = record({ applicationBased: false, status: "accepted" });
  test.each<[RequestedStatus, string]>([
    [{ applicationStatus: "checkedIn" }, "checkedIn"],
    [{ applicationStatus: " CheckedIn " }, "checkedIn"],
    [{ applicationStatus: "registered", registrationStatus: "" }, "registered"],
    [{ applicationStatus: "cancelled", registrationStatus: "Cancelled" }, "cancelled"],
    [{ applicationStatus: "", registrationStatus: "checkedIn" }, "checkedIn"],
  ])("%j asks for %s", (request, state) => expect(requestedState(request, current, free)).toBe(state));

  test.each(["registered", "accepted"])("and %s contradict each other", (registrationStatus) => {
    const request = { applicationStatus: "checkedIn", registrationStatus };
    expect(() => requestedState(request, current, free)).toThrow("applicationStatus contradicts registrationStatus.");
  });

  test.each(["incomplete", "acceptedPending"])("%s is refused", (applicationStatus) => {
    expect(() => requestedState({ applicationStatus }, current, free)).toThrow(ValidationFailed);
  });
});
