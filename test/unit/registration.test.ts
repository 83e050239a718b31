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
  queueKey: "1800000000000#01",
  generation: "i1",
  version: 3,
  noticeVersion: 2,
  ticketId: "t1",
  calendarUid: "c1",
  createdAt: 1_800_000_000_000,
  updatedAt: 1_800_000_000_001,
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
  expect(placeOf(withStatus("waitlist", { studentId: "1234" }))).toEqual({
    email: "ada@unit.example",
    queueKey: "1800000000000#01",
    choices: { w: "Choir" },
    isPartner: false,
    fname: "Ada",
    generation: "i1",
    version: 3,
  });
});

describe("a tombstone", () => {
  const context = { now: 1_800_000_000_009 };
  const buried = (status: Status) => tombstoneOf(withStatus(status, { studentId: "1234", paidBy: "p" }), context);

  test("keeps version, ticket and calendar entry, and no personal data", () => {
    expect(buried("registered")).toEqual({
      email: "ada@unit.example",
      eventID: "gala",
      year: 2030,
      status: "deleted",
      fname: "",
      basicInformation: {},
      dynamicResponses: {},
      choices: {},
      isPartner: false,
      points: 0,
      queueKey: "1800000000000#01",
      generation: "i1",
      version: 4,
      noticeVersion: 4,
      ticketId: "t1",
      calendarUid: "c1",
      createdAt: 1_800_000_000_000,
      updatedAt: 1_800_000_000_009,
    });
  });

  test("is told with a notice, except after a cancellation and when the deletion is quiet", () => {
    const messageOf = (status: Status, quietly = false) =>
      deletionOf(withStatus(status), buried(status), quietly) as { type: string; data: object };
    expect(messageOf("waitlist")).toEqual({
      type: "registration.deleted",
      data: {
        eventID: "gala",
        year: 2030,
        generation: "i1",
        email: "ada@unit.example",
        fname: "Ada",
        registrationStatus: "deleted",
        previousStatus: "waitlist",
        version: 4,
        isPartner: false,
        notice: "cancelled",
      },
    });
    expect(messageOf("cancelled").data).not.toHaveProperty("notice");
    expect(messageOf("registered", true).data).not.toHaveProperty("notice");
  });

  test("supersedes earlier notices only when its deletion is told", () => {
    expect(buried("registered").noticeVersion).toBe(4);
    expect(buried("cancelled").noticeVersion).toBe(2);
    for (const status of ["rejected", "checkedIn", "registered"] as const) {
      expect(tombstoneOf(withStatus(status), context, true).noticeVersion).toBe(2);
    }
  });
});
