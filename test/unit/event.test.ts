/** How an event is made and changed by a request, and how it is answered (`docs/contract.md`, "Events"). */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { eventAnswer } from "#api/events/event-answer.ts";
import { updateEvent } from "#api/events/routes.ts";
import {
  changeEvent,
  type EventRecord,
  isHidden,
  isOffProgram,
  newEvent,
  registrationEnd,
  withQuestionIds,
} from "#domain/events/event.ts";
import type { EventChanges, NewEvent } from "#domain/events/event-input.ts";
import { priceFor } from "#domain/events/pricing.ts";
import { issuesOf } from "#kit/schema/validation.ts";

const now = 1_000;
const settings = { timeZone: "America/Vancouver", currency: "CAD" };
const later = { now: 2_000, ...settings };
const question = { questionId: "q", label: "Why?", type: "TEXT", required: true } as const;
const dateIssue = { path: "/endDate", message: "must not be before startDate" };

const givenEvent = (more: Partial<NewEvent> = {}): EventRecord =>
  newEvent({ id: "gala", year: 2030, ename: "Gala", ...more }, { now: 1_000, generation: "i", ...settings });

/** The issues that a caller reads. */
function issuesIn(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return (error as { details: { issues: unknown } }).details.issues;
  }
  return [];
}

describe("a new event", () => {
  test("has version 1, is not completed, and has only the fields that were sent", () => {
    const counted = { version: 1, scheduleVersion: 0, termsVersion: 1, createdAt: 1_000, updatedAt: 1_000 };
    const made = { id: "gala", year: 2030, ename: "Gala", isCompleted: false, generation: "i", ...counted };
    expect(givenEvent({ capac: null, elocation: undefined })).toStrictEqual(made);
    const place = { latitude: 5e-324, longitude: 49.260_604_56 };
    expect(givenEvent(place)).toMatchObject({ latitude: 0, longitude: 49.260_604_6 });
  });

  test("has its dates in UTC, and prices and questions in the stored form", () => {
    const dates = { startDate: "2030-07-15", endDate: "2030-07-15T12:00", deadline: "2030-07-14T00:00:00Z" };
    const partnerFeedbackQuestions = [{ ...question, type: "CHECKBOXES", choices: "c, d" } as const];
    expect(givenEvent({ ...dates, pricing: { members: 5, nonMembers: 9 }, partnerFeedbackQuestions })).toMatchObject({
      startDate: "2030-07-15T07:00:00.000Z",
      endDate: "2030-07-15T19:00:00.000Z",
      deadline: "2030-07-14T00:00:00.000Z",
      pricing: { member: 5, nonMember: 9 },
      partnerFeedbackQuestions: [{ choices: ["c", "d"] }],
    });
  });

  test.each([
    ["2030-05-01T20:00Z", "2030-05-01T20:00Z", []],
    ["2030-05-01T23:00-02:00", "2030-05-02T00:30Z", [dateIssue]],
    ["2030-05-01T20:00", "2030-05-02T02:59Z", [dateIssue]],
  ])("from %s to %s has the issues %j", (startDate, endDate, issues) => {
    expect(issuesIn(() => givenEvent({ startDate, endDate }))).toEqual(issues);
  });

  test("is refused with all issues of questions and prices, each with its place", () => {
    const choiceless = [{ label: "Which?", required: true, choices: [], type: "CHECKBOXES" } as const];
    const partnerRegistrationQuestions = [question, question];
    const asked = { partnerRegistrationQuestions, partnerFeedbackQuestions: choiceless };
    const issues = issuesIn(() => givenEvent({ ...asked, pricing: { member: 0.001 } })) as { path: string }[];
    expect(issues.map(({ path }) => path)).toEqual([
      "/partnerRegistrationQuestions/1/questionId",
      "/partnerFeedbackQuestions/0/choices",
      "/pricing/member",
    ]);
  });
});

test("an answer leaves out fields that only the service needs, and does not change the record", () => {
  const event = givenEvent({ pricing: { member: 5 }, description: "d" });
  const { generation, version, termsVersion, scheduleVersion, ...rest } = event;
  const none = { partnerRegistrationQuestions: [], attendeeFeedbackQuestions: [], partnerFeedbackQuestions: [] };
  expect(eventAnswer(event, now)).toStrictEqual({
    ...{ ...rest, ...none, registrationQuestions: [], isPublished: false },
    pricing: { member: 5, members: 5, nonMember: 0, nonMembers: 0 },
    nonBizTechAllowed: true,
  });
  expect(event).toMatchObject({ generation, version, termsVersion, pricing: { member: 5, nonMember: 0 } });
});

describe("an answer that is saved as it came", () => {
  const price = fc.constantFrom(0, 5, 9.5);
  const choices = fc.constantFrom(undefined, null, "", "a, b", ["a", "b"]);
  const label = fc.constantFrom("Why?", "How?");
  const asked = fc.uniqueArray(
    fc.record({ questionId: fc.constantFrom("q1", "q2", "q3", "q4"), label, choices, required: fc.boolean() }),
    { selector: ({ questionId }) => questionId, maxLength: 4 },
  );
  const listOf = (type: string, prefix: string) =>
    fc.option(
      asked.map((list) => list.map((one) => ({ ...one, questionId: prefix + one.questionId, type }))),
      { nil: undefined },
    );
  const fields = fc.record(
    {
      pricing: fc.option(fc.record({ member: price, nonMember: price }, { requiredKeys: [] }), { nil: undefined }),
      nonBizTechAllowed: fc.boolean(),
      isPublished: fc.boolean(),
      isApplicationBased: fc.boolean(),
      attendeeFeedbackEnabled: fc.boolean(),
      capac: fc.option(fc.integer({ min: 1, max: 9 })),
      startDate: fc.constantFrom("2030-05-01", "2030-05-01T18:00", null),
      endDate: fc.constantFrom("2030-05-01", "2030-05-02T02:00", null),
      deadline: fc.constantFrom("2030-04-30", "2030-05-01", null),
      registrationQuestions: listOf("TEXT", "r"),
      partnerRegistrationQuestions: listOf("SKILLS", "p"),
      attendeeFeedbackQuestions: listOf("SHORT_TEXT", "a"),
      partnerFeedbackQuestions: listOf("LONG_TEXT", "b"),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<Partial<NewEvent>>;
  /** The body of a PATCH as the handler gets it, with or without the ids of the questions. */
  const saved = (event: EventRecord, withIds: boolean): EventChanges => {
    const text = JSON.stringify(eventAnswer(event, now));
    const body = JSON.parse(withIds ? text : text.replaceAll(/"questionId":"[^"]*"/g, '"questionId":""'));
    const parameters = { pathParameters: { eventId: "gala", year: "2030" }, queryStringParameters: {} };
    const request = { ...parameters, body };
    expect(issuesOf(updateEvent.validate, request)).toEqual([]);
    return request.body;
  };

  test("changes nothing, with the ids of its questions and without", () => {
    fc.assert(
      fc.property(fields, fc.boolean(), (given, withIds) => {
        const event = givenEvent(given);
        const changes = withQuestionIds(saved(event, withIds), event);
        expect(changeEvent(event, changes, later).changed).toEqual([]);
      }),
    );
  });

  const switches = ["isPublished", "nonBizTechAllowed", "isApplicationBased", "isCompleted"] as const;
  /** The switches as the form of the web application sends them: what is absent is sent as `false`. */
  const switchesOf = (answer: Record<string, unknown>) =>
    Object.fromEntries(switches.map((name) => [name, answer[name] === true]));

  test("by a form that takes an absent switch for false, neither hides the event nor shuts non-members out", () => {
    fc.assert(
      fc.property(fields, (given) => {
        const event = givenEvent(given);
        const { event: after } = changeEvent(event, switchesOf(eventAnswer(event, now)), later);
        const [was, is] = [event, after].map((one) => [isHidden(one, now), priceFor(one, { isMember: false })]);
        expect(is).toEqual(was);
      }),
    );
  });

  test.each<[string, Record<string, number>, object]>([
    ["the second spelling", { members: 7 }, { member: 7, nonMember: 9 }],
    ["both", { member: 1, members: 2 }, { member: 1, nonMember: 9 }],
  ])("with another price in %s has that price", (_, edit, stored) => {
    const event = givenEvent({ pricing: { member: 5, nonMember: 9 } });
    const pricing = { ...(eventAnswer(event, now).pricing as object), ...edit };
    expect(changeEvent(event, { pricing }, later).event.pricing).toStrictEqual(stored);
  });
});

describe("a date alone", () => {
  const days = { startDate: "2030-05-01", endDate: "2030-05-02" };

  test("is kept beside its moment until the date is another one", () => {
    const event = givenEvent({ ...days, deadline: "2030-04-30T12:00" });
    expect(event).toMatchObject({ endDate: "2030-05-03T06:59:59.999Z", wholeDays: days });
    const after = (changes: EventChanges) => changeEvent(event, changes, later).event.wholeDays;
    expect(after({ endDate: "2030-05-02T22:00" })).toEqual({ startDate: "2030-05-01" });
    expect(after({ deadline: "2030-04-30" })).toEqual({ ...days, deadline: "2030-04-30" });
    expect(after({ startDate: null, endDate: null })).toBeUndefined();
  });

  test("instead of its first moment is a change of the schedule", () => {
    const { rescheduled } = changeEvent(
      givenEvent({ startDate: "2030-05-01T00:00" }),
      { startDate: "2030-05-01" },
      later,
    );
    expect(rescheduled).toBe(true);
    expect(changeEvent(givenEvent(days), { deadline: "2030-04-30" }, later).rescheduled).toBe(false);
  });
});

describe("an event in a time zone of its own", () => {
  const toronto = { timeZone: "America/Toronto" };
  const dates = { startDate: "2030-05-01T18:00", endDate: "2030-05-02", deadline: "2030-04-30T23:00Z" };
  const inToronto = {
    startDate: "2030-05-01T22:00:00.000Z",
    endDate: "2030-05-03T03:59:59.999Z",
    wholeDays: { endDate: "2030-05-02" },
  };

  test("has its dates without an offset in that zone", () => {
    const event = givenEvent({ ...toronto, ...dates });
    expect(event).toMatchObject({ ...inToronto, deadline: "2030-04-30T23:00:00.000Z" });
    const { event: moved } = changeEvent(event, { startDate: "2030-05-01T19:00" }, later);
    expect(moved.startDate).toBe("2030-05-01T23:00:00.000Z");
    expect(() => changeEvent(event, { timeZone: null }, later)).not.toThrow();
  });

  test.each([
    ["alone", {}],
    ["with the dates as they were answered", undefined],
    ["with other dates", { startDate: "2030-05-01T18:00", endDate: "2030-05-02" }],
  ])("keeps what the clock shows when the zone changes %s", (_, sent) => {
    const event = givenEvent(dates);
    const asAnswered = { startDate: event.startDate as string, endDate: event.endDate as string };
    const { event: moved, rescheduled } = changeEvent(event, { ...toronto, ...(sent ?? asAnswered) }, later);
    expect(moved).toMatchObject({ ...toronto, ...inToronto });
    expect(rescheduled).toBe(true);
    const back = changeEvent(moved, { timeZone: null }, later).event;
    expect([back.timeZone, back.startDate, back.endDate]).toEqual([undefined, event.startDate, event.endDate]);
  });

  test("keeps its moments when the zone is the one that it has", () => {
    const event = givenEvent(dates);
    expect(changeEvent(event, { timeZone: "America/Vancouver" }, later).rescheduled).toBe(false);
  });
});

describe("an event that is hidden after it was shown", () => {
  const after = (event: EventRecord, changes: EventChanges) => changeEvent(event, changes, later);
  const [shown, draft] = [givenEvent({ isPublished: true }), givenEvent()];
  const off = after(shown, { isPublished: false });
  const [past, future] = [-1, 3_600_000].map((by) => new Date(later.now + by).toISOString());

  test("is off the program, which all seat holders have to know, until it is shown again", () => {
    expect([off.rescheduled, off.isBack, isOffProgram(off.event, later.now)]).toEqual([true, false, true]);
    expect(off.event.scheduleVersion).toBe(shown.scheduleVersion + 1);
    const unchanged = after(off.event, { description: "Soon" });
    expect([unchanged.rescheduled, isOffProgram(unchanged.event, later.now)]).toEqual([false, true]);
    for (const back of [{ isPublished: true }, { publishAt: past }]) {
      const { event, rescheduled, isBack } = after(off.event, back as EventChanges);
      expect([rescheduled, isBack, event.isWithdrawn, event.scheduleVersion]).toEqual([true, true, undefined, 2]);
    }
  });

  test("at a later time, too; when that comes, it is shown, and no person hears of a change that follows", () => {
    const again = after(off.event, { publishAt: future ?? "" }).event;
    const comes = later.now + 3_600_001;
    expect([isOffProgram(again, later.now), isOffProgram(again, comes)]).toEqual([true, false]);
    const { event, rescheduled } = changeEvent(again, { ename: "Other" }, { ...later, now: comes });
    expect([event.isWithdrawn, rescheduled]).toEqual([undefined, false]);
  });

  test("is not a draft, nor one that is published", () => {
    for (const changes of [{ isPublished: true }, { isPublished: false }, { publishAt: future ?? "" }]) {
      const { event, rescheduled, isBack } = after(draft, changes);
      expect([event.isWithdrawn, rescheduled, isBack]).toEqual([undefined, false, false]);
    }
  });
});

describe("a date after the event", () => {
  const evening = { startDate: "2030-05-01T18:00", endDate: "2030-05-01T22:00" };
  const after = (name: string) => [{ path: `/${name}`, message: "must not be after the event" }];

  test.each(["publishAt", "deadline", "refundUntil"] as const)("is refused as %s, also by a change", (name) => {
    const late = { [name]: "2030-05-01T22:01" };
    expect(issuesIn(() => givenEvent({ ...evening, ...late }))).toEqual(after(name));
    expect(issuesIn(() => changeEvent(givenEvent(evening), late, later))).toEqual(after(name));
    const moved = () =>
      changeEvent(givenEvent({ ...evening, [name]: "2030-05-01" }), { startDate: null, endDate: "2030-04-30" }, later);
    expect(issuesIn(moved)).toEqual(after(name));
    expect(issuesIn(() => givenEvent({ ...evening, [name]: "2030-05-01" }))).toEqual([]);
  });

  test("that is stored does not block other changes", () => {
    const stored = { ...givenEvent(evening), deadline: "2031-01-01T00:00:00.000Z" } as EventRecord;
    expect(issuesIn(() => changeEvent(stored, { ename: "Ball" }, later))).toEqual([]);
  });
});

describe("a date that leaves the years 1900 to 2200 in UTC", () => {
  const message = "must be a date such as 2030-03-01 or 2030-03-01T18:00, of the years 1900 to 2200";
  test.each([["2200-12-31T17:00"], ["2200-12-31T23:30-01:00"], ["1900-01-01T00:30+01:00"]])(
    "%s is refused in a new event and in a change",
    (deadline) => {
      const issues = [{ path: "/deadline", message }];
      expect(issuesIn(() => givenEvent({ deadline }))).toEqual(issues);
      expect(issuesIn(() => changeEvent(givenEvent(), { deadline }, later))).toEqual(issues);
    },
  );

  test.each(["2200-12-31T16:59", "1900-01-01T00:00Z"])("%s is inside, and is taken back as it is answered", (date) => {
    const event = givenEvent({ startDate: date });
    const { startDate } = eventAnswer(event, now) as { startDate: string };
    expect(changeEvent(event, { startDate }, later).changed).toEqual([]);
  });
});

describe("an event is hidden until it is published", () => {
  const then = new Date(now).toISOString();
  const soon = new Date(now + 1).toISOString();

  test.each([
    [false, undefined, true],
    [true, undefined, false],
    [undefined, undefined, true],
    [null, undefined, true],
    [false, then, false],
    [undefined, soon, true],
    [true, soon, false],
  ])("isPublished %p, publishAt %p: %s", (isPublished, publishAt, hidden) => {
    const event = givenEvent({ isPublished, publishAt } as never);
    expect(isHidden(event, now)).toBe(hidden);
    expect(eventAnswer(event, now)).toMatchObject({ isPublished: !hidden });
  });

  test.each([
    ["whose time has come is hidden for good", then, undefined],
    ["whose time is to come keeps it", soon, soon],
  ])("hiding one %s", (_name, publishAt, kept) => {
    const { event } = changeEvent(givenEvent({ publishAt }), { isPublished: false }, { now, ...settings });
    expect(event.publishAt).toBe(kept);
    expect(isHidden(event, now)).toBe(true);
  });
});

describe("registration ends with a day", () => {
  test.each([
    [{ startDate: "2030-05-01" }, "2030-05-02T06:59:59.999Z"],
    [{ startDate: "2030-05-01", endDate: "2030-05-02" }, "2030-05-03T06:59:59.999Z"],
    [{ startDate: "2030-05-01", deadline: "2030-04-30" }, "2030-05-01T06:59:59.999Z"],
    [
      { startDate: "2030-05-01T10:00", endDate: "2030-05-01T12:00", deadline: "2030-05-01" },
      "2030-05-01T19:00:00.000Z",
    ],
    [{ startDate: "2030-05-01T00:00" }, "2030-05-01T07:00:00.000Z"],
    [{}, undefined],
  ])("of %j", (dates, end) => {
    expect(registrationEnd(givenEvent(dates))).toBe(end);
  });
});

describe("registration opens before it ends", () => {
  const dates = { startDate: "2030-05-01T18:00:00Z", endDate: "2030-05-01T20:00:00Z" };
  const issue = { path: "/opensAt", message: "must be before registration ends" };

  test.each([
    [dates, "2030-05-01T19:59:59.999Z", []],
    [dates, "2030-05-01T20:00:00Z", [issue]],
    [{ ...dates, deadline: "2030-04-01T12:00:00Z" }, "2030-04-01T12:00:00Z", [issue]],
    [{}, "2040-01-01", []],
  ])("%j and opensAt %s", (when, opensAt, issues) => {
    expect(issuesIn(() => givenEvent({ ...when, opensAt }))).toEqual(issues);
  });
});

const stored = givenEvent({
  ...{ capac: 5, startDate: "2030-05-01T20:00:00Z", endDate: "2030-05-01T22:00:00Z", elocation: "Hall" },
  ...{ pricing: { member: 5 }, registrationQuestions: [question] },
});
const change = (changes: EventChanges) => changeEvent(stored, changes, later);
/** The body of a PATCH as the handler gets it. */
const read = (body: unknown) => {
  const request = { pathParameters: { eventId: "gala", year: "2030" }, queryStringParameters: {}, body };
  return { issues: issuesOf(updateEvent.validate, request), body: request.body };
};

test("a change counts the write and sets its time; fields that it does not name stay", () => {
  const { event, changed } = change({ ename: "Ball" });
  expect(event).toStrictEqual({ ...stored, ename: "Ball", version: 2, updatedAt: 2_000 });
  expect(changed).toEqual(["ename"]);
});

test("null removes a field", () => {
  const { event, changed } = change({ capac: null, pricing: null, registrationQuestions: null, endDate: null });
  for (const name of ["capac", "pricing", "registrationQuestions", "endDate"]) expect(event).not.toHaveProperty(name);
  expect(changed).toEqual(["capac", "pricing", "registrationQuestions", "endDate"]);
});

test.each<[string, EventChanges]>([
  ["a removal of absent fields", { deadline: null, description: null }],
  ["the same moment, written differently", { startDate: "2030-05-01 13:00" }],
  ["the same questions", { registrationQuestions: [{ ...question, choices: null }] }],
  ["a list without questions where there is none", { partnerRegistrationQuestions: [], attendeeFeedbackQuestions: [] }],
  ["nothing", {}],
])("%s is no change", (_, changes) => {
  expect(change(changes).changed).toEqual([]);
});

test.each<[keyof EventChanges, EventChanges, number]>([
  ["pricing", { pricing: { member: 5, nonMember: 5 } }, 2],
  ["nonBizTechAllowed", { nonBizTechAllowed: false }, 2],
  ["isApplicationBased", { isApplicationBased: true }, 2],
  ["isPublished", { isPublished: true }, 2],
  ["registrationQuestions", { registrationQuestions: [{ ...question, required: false }] }, 2],
  ["partnerRegistrationQuestions", { partnerRegistrationQuestions: [{ ...question, questionId: "p" }] }, 2],
  ["capac", { capac: 6 }, 1],
  ["isCompleted", { isCompleted: true }, 1],
  ["attendeeFeedbackQuestions", { attendeeFeedbackQuestions: [{ ...question, type: "SHORT_TEXT" }] }, 1],
])("a change of %s to %j leaves the terms version at %d", (name, changes, termsVersion) => {
  const { event, changed } = change(changes);
  expect(changed).toEqual([name]);
  expect(event).toMatchObject({ termsVersion, version: 2, generation: "i", createdAt: 1_000 });
});

test("the same key and counters in the body are dropped before the rules see it; another key is refused", () => {
  const immutable = { id: "gala", year: 2030, generation: "x", version: 9, termsVersion: 9, createdAt: 9 };
  const counters = { counts: {}, registeredCount: 9, seats: 9 };
  expect(read({ ...immutable, ...counters, ename: "Ball" })).toEqual({ issues: [], body: { ename: "Ball" } });
  const { issues } = read({ ...immutable, id: "Gala", year: 2031, ename: "Ball" });
  expect(issues.map(({ path }) => path)).toEqual(["/id", "/year"]);
});
