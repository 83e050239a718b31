/** An event in numbers (`docs/contract.md`, "Routes"; the fields are in the reference). */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
import type { ListedRegistration } from "#domain/registrations/record/stored-form.ts";
import { registrationsReport } from "#domain/registrations/store/report.ts";

const zone = "America/Vancouver";
const gala = { startDate: "2026-05-03T02:00:00Z", endDate: "2026-05-03T06:00:00Z" };
const [start, end] = [Date.parse(gala.startDate), Date.parse(gala.endDate)];
const row = (status: string, more: object = {}) =>
  ({ status, isPartner: false, createdAt: start - 9e8, updatedAt: start - 9e8, ...more }) as ListedRegistration;

test("each person counts where they stand, and a cancellation is late in the last day", () => {
  const rows = [
    row("registered", { coming: 1 }),
    row("checkedIn", { coming: 1, checkedInAt: start + 299_999, isPartner: true }),
    row("checkedIn", { checkedInAt: start + 300_000 }),
    row("registered", { applicant: true }),
    row("waitlist"),
    row("rejected"),
    row("cancelled", { updatedAt: start, leftAt: start - 86_400_001 }),
    row("cancelled", { updatedAt: start - 86_400_000, left: "self/link", coming: 1 }),
    row("cancelled", { updatedAt: start - 1, left: "clock/hold" }),
  ];
  const deleted = [
    { left: "self/account", leftAt: start - 1 },
    { left: "event deleted/event", leftAt: start - 1 },
  ] as const;
  expect(registrationsReport(gala, rows, deleted, { promoted: 2 }, zone, end)).toEqual({
    ...{ registered: 3, partners: 1, came: 2, noShows: 1, promoted: 2, waiting: 1, applicants: 1, rejected: 1 },
    ...{
      cancelled: 3,
      cancelledLate: 2,
      cancelledByLink: 1,
      handedOn: 0,
      lapsed: 1,
      saidTheyCome: 2,
      saidTheyComeAndCame: 1,
    },
    answers: [],
    codes: [],
    registrationsByDay: [{ day: "2026-04-22", count: 9 }],
    checkIns: [
      { from: start, count: 1 },
      { from: start + 300_000, count: 1 },
    ],
  });
  expect(registrationsReport(gala, rows, deleted, { promoted: 2 }, zone, end - 1).noShows).toBeUndefined();
});

test("what people with a seat chose is counted by question; what they wrote is not repeated", () => {
  const question = (questionId: string, type: "SELECT" | "CHECKBOX" | "TEXT", choices?: readonly string[]) =>
    ({ questionId, label: questionId, type, required: false, ...(choices && { choices }) }) as const;
  const event = {
    ...gala,
    registrationQuestions: [question("meal", "SELECT", ["Rice", "Other"]), question("about", "TEXT")],
    partnerRegistrationQuestions: [question("tables", "CHECKBOX", ["A", "B"])],
  };
  const answering = (status: string, dynamicResponses: object, isPartner = false) =>
    row(status, { dynamicResponses, isPartner });
  const rows = [
    answering("registered", { meal: "Rice", about: "Ada" }),
    answering("checkedIn", { meal: "Rice" }),
    answering("registered", { meal: "My own" }),
    answering("registered", {}),
    answering("waitlist", { meal: "Rice" }),
    answering("cancelled", { meal: "Rice" }),
    answering("registered", { tables: ["A", "B"], meal: "Rice" }, true),
  ];
  const { answers } = registrationsReport(event, rows, [], {}, zone, end);
  expect(answers).toEqual([
    {
      ...{ questionId: "meal", label: "meal", other: 1, unanswered: 1 },
      choices: [
        { choice: "Rice", count: 2, came: 1 },
        { choice: "Other", count: 0, came: 0 },
      ],
    },
    {
      ...{ questionId: "tables", label: "tables", other: 0, unanswered: 0 },
      choices: [
        { choice: "A", count: 1, came: 0 },
        { choice: "B", count: 1, came: 0 },
      ],
    },
  ]);
  expect(JSON.stringify(answers)).not.toMatch(/Ada|My own/);
});

test("days are those of the zone, also by rules that are newer than Node's data", () => {
  // Half past midnight in Vancouver, which keeps daylight saving time from November 2026 on.
  const createdAt = Date.parse("2027-01-10T07:30:00Z");
  const { registrationsByDay } = registrationsReport(gala, [row("registered", { createdAt })], [], {}, zone, end);
  expect(registrationsByDay).toEqual([{ day: "2027-01-10", count: 1 }]);
});

test("whatever the rows are, everybody is counted once", () => {
  const rows = fc.array(
    fc.record({
      status: fc.constantFrom(...registrationStatuses),
      applicant: fc.boolean(),
      isPartner: fc.boolean(),
      createdAt: fc.integer({ min: 1, max: end }),
      updatedAt: fc.integer({ min: 1, max: end }),
      left: fc.constantFrom("self/account", "self/link", "clock/hold", undefined),
    }),
  );
  fc.assert(
    fc.property(rows, (some) => {
      const report = registrationsReport(gala, some as never, [], {}, zone, end);
      const { registered, waiting, applicants, rejected, cancelled, lapsed, came, noShows = 0 } = report;
      expect(registered + waiting + applicants + rejected + cancelled + lapsed).toBe(some.length);
      expect(came + noShows).toBe(registered);
      expect(report.registrationsByDay.reduce((total, { count }) => total + count, 0)).toBe(some.length);
    }),
  );
});
