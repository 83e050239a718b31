/**
 * A registration in each of its states (`docs/contract.md`, "Moves of a registration"; `docs/design.md`,
 * "Registration states and holds").
 */
import { describe, expect, test } from "@jest/globals";
import {
  deletionOf,
  holderOf,
  placeOf,
  type RegistrationRecord,
  tombstoneOf,
} from "#domain/registrations/record/registration.ts";
import { registrationRecord } from "./given.ts";

type Status = RegistrationRecord["status"];

const record = registrationRecord({
  basicInformation: { lname: "L" },
  dynamicResponses: { w: "Choir", c: ["x", "y"] },
  choices: { w: "Choir" },
  points: 7,
  version: 3,
  noticeVersion: 2,
});

const withStatus = (status: Status, more: Partial<RegistrationRecord> = {}): RegistrationRecord => ({
  ...record,
  ...more,
  status,
});

test("a seat holder is counted with the chosen workshops", () => {
  expect(holderOf({ ...record, isPartner: true })).toEqual({
    choices: { w: "Choir" },
    counters: { seats: 1, registered: 1, partners: 1 },
  });
  expect(holderOf(withStatus("waitlist")).choices).toEqual({});
  expect(holderOf({ ...record, applicant: true }).choices).toEqual({});
});

test("a place in line holds only what a promotion needs", () => {
  const { email, queueKey, choices, isPartner, fname, generation, version } = record;
  const place = { email, queueKey, choices, isPartner, fname, generation, version };
  expect(placeOf(withStatus("waitlist", { studentId: "1234" }))).toEqual(place);
});

describe("a tombstone", () => {
  const context = { now: 1_800_000_000_009 };
  const buried = (status: Status) => tombstoneOf(withStatus(status, { studentId: "1234", paidBy: "p" }), context);

  test("keeps version, ticket and calendar entry, and no personal data", () => {
    const { email, eventID, year, isPartner, queueKey, generation, ticketId, calendarUid, createdAt } = record;
    expect(buried("registered")).toEqual({
      ...{ email, eventID, year, isPartner, queueKey, generation, ticketId, calendarUid, createdAt },
      ...{ status: "deleted", fname: "", basicInformation: {}, dynamicResponses: {}, choices: {}, points: 0 },
      ...{ version: 4, noticeVersion: 4, updatedAt: context.now },
    });
  });

  test("is told with a notice, except after a cancellation and when the deletion is quiet", () => {
    const messageOf = (status: Status, quietly = false) =>
      deletionOf(withStatus(status), buried(status), "admin/desk", quietly) as { type: string; data: object };
    const { eventID, year, generation, email, fname, isPartner } = record;
    const told = { registrationStatus: "deleted", previousStatus: "waitlist", version: 4, notice: "cancelled" };
    expect(messageOf("waitlist")).toEqual({
      type: "registration.deleted",
      data: { eventID, year, generation, email, fname, isPartner, origin: "admin/desk", ...told },
    });
    expect(messageOf("cancelled").data).not.toHaveProperty("notice");
    expect(messageOf("registered", true).data).not.toHaveProperty("notice");
  });

  test("supersedes earlier notices only when its deletion is told", () => {
    expect(buried("registered").noticeVersion).toBe(4);
    expect(buried("cancelled").noticeVersion).toBe(2);
    for (const status of ["rejected", "checkedIn", "registered"] as const) {
      expect(tombstoneOf(withStatus(status), context, { quietly: true }).noticeVersion).toBe(2);
    }
  });
});
