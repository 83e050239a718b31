/**
 * A registration in each of its states (`docs/contract.md`, "Moves of a registration"; `docs/design.md`,
 * "Registration states and holds").
 */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { registrationAnswer } from "#api/records/registration-answer.ts";
import {
  countersOf,
  deletionOf,
  holderOf,
  holdsSeat,
  isLive,
  placeOf,
  type RegistrationRecord,
  tombstoneOf,
} from "#domain/registrations/record/registration.ts";
import { registrationStatuses } from "#domain/registrations/record/statuses.ts";
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

/**
 * Columns: the status, whether it is live, its part in the counters, and the applicationStatus on an application-based
 * event.
 */
const states: [Status, boolean, Record<string, number>, string][] = [
  ["registered", true, { seats: 1, registered: 1 }, "reviewing"],
  ["waitlist", true, {}, "waitlist"],
  ["checkedIn", true, { seats: 1, checkedIn: 1 }, "accepted"],
  ["incomplete", true, { seats: 1, incomplete: 1 }, ""],
  ["cancelled", false, {}, ""],
  ["accepted", true, { seats: 1, accepted: 1 }, "accepted"],
  ["acceptedPending", true, { seats: 1, accepted: 1 }, "accepted"],
  ["acceptedComplete", true, { seats: 1, accepted: 1 }, "accepted"],
  ["rejected", true, {}, "rejected"],
  ["deleted", false, {}, ""],
];

test("the table has every status", () => {
  expect(states.map(([status]) => status)).toEqual([...registrationStatuses, "deleted"]);
});

describe.each(states)("a registration with status %s", (status, live, counters, application) => {
  test(`${live ? "prevents" : "allows"} registering again`, () => {
    expect(isLive(withStatus(status), "i1")).toBe(live);
  });

  test("never prevents registering for a later generation of the event", () => {
    expect(isLive(withStatus(status), "i2")).toBe(false);
  });

  test(`holds ${counters.seats ? "a" : "no"} seat, and is counted once`, () => {
    expect(holdsSeat({ status })).toBe(counters.seats === 1);
    expect(countersOf({ status, isPartner: false })).toEqual(counters);
  });

  test("is counted as a partner exactly if a partner has the seat", () => {
    const partner = counters.seats ? { ...counters, partners: 1 } : {};
    expect(countersOf({ status, isPartner: true })).toEqual(partner);
  });

  test(`is answered with applicationStatus "${application}" on an application-based event, and "" on others`, () => {
    expect(registrationAnswer(withStatus(status, { applicationBased: true })).applicationStatus).toBe(application);
    expect(registrationAnswer(withStatus(status)).applicationStatus).toBe("");
    expect(registrationAnswer(withStatus(status)).registrationStatus).toBe(status);
  });
});

describe("an applicant", () => {
  const applicant = { status: "registered", applicant: true } as const;

  test("has no seat, and is counted as an applicant only", () => {
    expect(holdsSeat(applicant)).toBe(false);
    expect(countersOf({ ...applicant, isPartner: false })).toEqual({ applicants: 1 });
    expect(countersOf({ ...applicant, isPartner: true })).toEqual({ applicants: 1 });
  });

  test("prevents applying again", () => {
    expect(isLive(withStatus("registered", { applicant: true }), "i1")).toBe(true);
  });

  test.each<[Status, string]>([
    ["accepted", "accepted"],
    ["acceptedPending", "accepted"],
    ["acceptedComplete", "accepted"],
    ["checkedIn", "checkedIn"],
  ])("has a seat once the status is %s", (status, counter) => {
    expect(countersOf({ status, applicant: false, isPartner: false })).toEqual({ seats: 1, [counter]: 1 });
  });
});

test("only status and `applicant` decide whether a registration holds a seat, never a clock", () => {
  const anything = fc.record({
    points: fc.integer(),
    year: fc.integer(),
    createdAt: fc.nat(),
    updatedAt: fc.nat(),
    isPartner: fc.boolean(),
    applicationBased: fc.boolean(),
    version: fc.nat(),
  });
  fc.assert(
    fc.property(fc.constantFrom(...states), anything, ([status, , counters], more) => {
      expect(holdsSeat(withStatus(status, more))).toBe(counters.seats === 1);
    }),
  );
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

describe("the answer of a registration", () => {
  const answer = {
    id: "ada@unit.example",
    email: "ada@unit.example",
    eventID: "gala",
    year: 2030,
    "eventID;year": "gala;2030",
    registrationStatus: "registered",
    applicationStatus: "",
    fname: "Ada",
    basicInformation: { lname: "L" },
    dynamicResponses: { w: "Choir", c: ["x", "y"] },
    isPartner: false,
    points: 7,
    createdAt: 1_800_000_000_000,
    updatedAt: 1_800_000_000_001,
  };

  test("has the person's fields, and none that only the service needs", () => {
    const stored = {
      ...record,
      paidBy: "p",
      PK: "USER#ada",
      SK: "REG#",
      GSI1PK: "REG#gala",
      GSI1SK: "2030#1",
    };
    expect(registrationAnswer(stored)).toEqual(answer);
  });

  test("has student number and place in line where they exist", () => {
    expect(registrationAnswer({ ...record, studentId: "" })).toEqual({ ...answer, studentId: "" });
    for (const place of [{ waitlistPosition: 3 }, { waitlistAhead: 100 }]) {
      expect(registrationAnswer(record, { place })).toEqual({ ...answer, ...place });
    }
    expect(registrationAnswer(record, { place: undefined })).toEqual(answer);
    expect(registrationAnswer(record)).not.toHaveProperty("studentId");
  });
});
