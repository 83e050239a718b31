/** How rows of the present backend become records of the service (`docs/moving-in.md`). */
import "../../../../test/unit/environment.ts";

import { describe, expect, test } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { eventAnswer } from "#api/events/event-answer.ts";
import { Event } from "#api/events/schemas.ts";
import { memberAnswer } from "#api/members/member-answer.ts";
import { Member } from "#api/members/schemas.ts";
import { prizeAnswer } from "#api/prizes/prize-answer.ts";
import { Prize } from "#api/prizes/schemas.ts";
import { profileAnswer } from "#api/records/profile-answer.ts";
import { registrationAnswer } from "#api/records/registration-answer.ts";
import { Profile, Registration, User } from "#api/records/schemas.ts";
import { userAnswer } from "#api/records/user-answer.ts";
import { isHidden } from "#domain/events/event.ts";
import type { UserRecord } from "#domain/people/users/store.ts";
import { isUnpaid, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { formatChecks, formats } from "#kit/schema/formats.ts";
import type { TSchema } from "#kit/schema/schema.ts";
import { anyText } from "../../../../test/any-text.ts";
import { type MappedEvent, mapEvent } from "../map/event.ts";
import { mapSubmission } from "../map/feedback.ts";
import { eventIdOf } from "../map/keys.ts";
import { mapMember } from "../map/member.ts";
import { mapPrize } from "../map/prize.ts";
import { mapProfile } from "../map/profile.ts";
import type { Mapped, Row } from "../map/reading.ts";
import { mapRegistration, type RegistrationFacts } from "../map/registration.ts";
import { stateFrom } from "../map/status.ts";
import { mapUser } from "../map/user.ts";

const zone = { timeZone: "America/Vancouver", currency: "CAD" };
const adminDomain = "club.example";
const day = 86_400_000;
const now = Date.UTC(2026, 5, 1);
const ahead = new Date(now + 30 * day).toISOString();
const ago = new Date(now - 30 * day).toISOString();

function taken<R>(mapped: Mapped<R>): R {
  if ("refused" in mapped) throw new Error(mapped.refused);
  return mapped.record;
}
const whys = (mapped: Mapped<unknown>) => mapped.changes.map(({ field, why }) => `${field}: ${why}`);
const refusal = (mapped: Mapped<unknown>) => ("refused" in mapped ? mapped.refused : undefined);

const eventRow: Row = { id: "gala", year: 2026, ename: "Gala", startDate: ahead };
const givenEvent = (more: Row = {}): MappedEvent => taken(mapEvent({ ...eventRow, ...more }, zone));
const facts = (event: MappedEvent, more: Partial<RegistrationFacts> = {}): RegistrationFacts => ({
  eventOf: (name) => (name === "gala;2026" ? event : undefined),
  isMember: () => false,
  holds: { newRegistration: 1, promotion: 2, acceptance: 3 * day },
  now,
  timeZone: zone.timeZone,
  ...more,
});
const registrationRow: Row = {
  id: "ada@student.example",
  "eventID;year": "gala;2026",
  registrationStatus: "registered",
  createdAt: now - day,
  updatedAt: now - day,
};
const register = (more: Row, event: Row = {}, known: Partial<RegistrationFacts> = {}) =>
  mapRegistration({ ...registrationRow, ...more }, facts(givenEvent(event), known));

test("two ids never become one, and an id of the service stays", () => {
  expect(eventIdOf("gala_2-x")).toBe("gala_2-x");
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      const [first, second] = [eventIdOf(a), eventIdOf(b)];
      for (const id of [first, second]) if (id !== undefined) expect(formats["event-id"].check(id)).toBe(true);
      if (a.trim() !== b.trim() && first !== undefined) expect(first).not.toBe(second);
    }),
  );
});

describe("an event", () => {
  test.each<[string, Row, Row]>([
    ["a capacity of 0, which the service does not have", { capac: 0 }, { capac: 1 }],
    ["a capacity that is no number lets in no person more", { capac: "fifty" }, { capac: 1 }],
    ["an id with spaces", { id: " Gala night/2 " }, { id: expect.stringMatching(/^Gala-night-2-[0-9a-f]{6}$/) }],
    ["switches as text", { isPublished: "false", isCompleted: "TRUE" }, { isPublished: false, isCompleted: true }],
    [
      "no price for others: members only",
      { pricing: { members: 5 }, nonBizTechAllowed: true },
      { pricing: { member: 5, nonMember: 5 }, nonBizTechAllowed: false },
    ],
    ["a date that leaves the years in UTC", { startDate: "2200-12-31T23:00" }, {}],
    ["a date that is not in ISO 8601", { startDate: "June 2, 2026 10:00 UTC" }, {}],
    ["a day that does not exist", { startDate: "2026-02-30" }, {}],
    [
      "a date without an offset is one of the club",
      { startDate: "2026-06-02T10:00" },
      { startDate: "2026-06-02T17:00:00.000Z" },
    ],
    ["an address without a scheme", { facebookUrl: "facebook.com/x" }, { facebookUrl: "https://facebook.com/x" }],
    ["an end before the start", { endDate: ago }, {}],
    ["a deadline after the event", { deadline: "2200-01-01" }, {}],
  ])("%s", (_name, row, expected) => {
    const mapped = mapEvent({ ...eventRow, ...row }, zone);
    const { event } = taken(mapped);
    expect(event).toMatchObject(expected);
    // What is left out is said.
    const names = Object.keys(row).filter((name) => !(name in event));
    expect(mapped.changes.map(({ field }) => field)).toEqual(expect.arrayContaining(names));
    expect(names.length > 0).toBe(Object.keys(expected).length === 0);
  });

  const at = (startDate: string, timeZone = "America/Toronto") =>
    taken(mapEvent({ ...eventRow, startDate }, { ...zone, timeZone })).event.startDate;

  test.each([
    ["2026-06-02 10:00", "2026-06-02T14:00:00.000Z"],
    ["2026-11-01T01:30:00-04:00", "2026-11-01T05:30:00.000Z"],
    ["2026-11-01T02:00", "2026-11-01T07:00:00.000Z"],
  ])("on %s starts by the clocks of the stage", (startDate, utc) => {
    expect(at(startDate)).toBe(utc);
  });

  test.each([
    ["2026-11-01T01:30", "repeats"],
    ["2026-03-08T02:30", "skips"],
  ])("on %s is refused: a clock change %s it", (startDate, why) => {
    expect(() => at(startDate)).toThrow(new RegExp(`^startDate is a time that a clock change ${why}`));
    // Control: elsewhere it is one time.
    expect(at(startDate, "UTC")).toMatch(/^2026-(11-01T01|03-08T02):30/);
  });

  test("has every change with what the value was and became", () => {
    const { changes } = mapEvent(
      {
        ...eventRow,
        capac: "5",
        isPublished: "yes",
        ename: 7,
        tags: "x",
        endDate: ago,
      },
      zone,
    );
    expect(changes.map(({ field, was, became }) => [field, was, became])).toEqual([
      ["ename", 7, "7"],
      ["capac", "5", 5],
      ["isPublished", "yes", true],
      ["tags", "x", null],
      ["endDate", ago, null],
    ]);
  });

  test.each([null, undefined, false, "false"])("with isPublished %j stays a draft", (isPublished) => {
    expect(isHidden(taken(mapEvent({ ...eventRow, isPublished }, zone)).event, 0)).toBe(true);
  });

  test.each<[string, Row, RegExp]>([
    ["no id", { id: "//" }, /no usable id/],
    ["no year", { year: "soon" }, /no usable year/],
    [
      "a price that the payment provider does not take",
      { pricing: { members: 0.3, nonMembers: 5 } },
      /at least 0.50 CAD/,
    ],
  ])("with %s is refused", (_name, row, why) => {
    expect(refusal(mapEvent({ ...eventRow, ...row }, zone))).toMatch(why);
  });

  test("questions get the product's types, lists and ids, and nothing goes without a word", () => {
    const mapped = mapEvent(
      {
        ...eventRow,
        registrationQuestions: [
          { questionId: "a", label: "A", type: "select", required: "true", choices: "X, Y,,X" },
          { questionId: "a", label: "B", type: "TEXT", choices: "" },
          { label: "C", type: "STARS" },
          { questionId: "d", label: "D", type: "CHECKBOX" },
          { questionId: "constructor", label: "E", type: "TEXT", charLimit: "9999" },
        ],
        partnerRegistrationQuestions: JSON.stringify([{ questionId: "a", label: "P", type: "TEXT" }]),
        attendeeFeedbackQuestions: [{ questionId: "s", label: "S", type: "LINEAR_SCALE", scaleMin: 5, scaleMax: 2 }],
        feedback: "https://forms.example",
      },
      zone,
    );
    const { event, renamed } = taken(mapped);
    expect(event.registrationQuestions).toMatchObject([
      { questionId: "a", type: "SELECT", required: true, choices: ["X", "Y"] },
      { questionId: "a-2", type: "TEXT", required: false },
      { questionId: expect.stringMatching(/^[0-9a-f]{24}$/), type: "TEXT" },
      { questionId: "d", type: "TEXT" },
      { questionId: "constructor-2", charLimit: 4_000 },
    ]);
    expect(event.partnerRegistrationQuestions).toMatchObject([{ questionId: "a-3" }]);
    expect(event.attendeeFeedbackQuestions).toMatchObject([{ questionId: "s", type: "LONG_TEXT" }]);
    expect([...renamed.partner]).toEqual([["a", "a-3"]]);
    expect([...renamed.attendee]).toEqual([["constructor", "constructor-2"]]);
    expect(whys(mapped)).toEqual(
      expect.arrayContaining([
        "registrationQuestions/*/type: a type in capital letters",
        "registrationQuestions/*/type: a type that fits: TEXT",
        "feedback: left out: the service has no such field",
      ]),
    );
    // The same row has the same ids in every run: answers are under them.
    expect(mapEvent({ ...eventRow, registrationQuestions: [{ label: "C" }] }, zone)).toEqual(
      mapEvent({ ...eventRow, registrationQuestions: [{ label: "C" }] }, zone),
    );
  });
});

describe("the state of a registration", () => {
  test.each<[string, string, string | undefined, string | undefined]>([
    ["registered", "", "registered", "applicant"],
    ["registered", "rejected", "registered", "rejected"],
    ["", "accepted", "accepted", "accepted"],
    ["", "", undefined, undefined],
    ["checkedin", "", "checkedIn", "checkedIn"],
    ["ACCEPTED_PENDING", "accepted", "acceptedPending", "acceptedPending"],
    ["incomplete", "", "incomplete", "incomplete"],
    ["paid??", "", undefined, undefined],
    ["registered", "what", "registered", undefined],
  ])("%s and %s", (registrationStatus, applicationStatus, plain, application) => {
    const words = { registrationStatus, applicationStatus };
    expect([stateFrom(words, false), stateFrom(words, true)]).toEqual([plain, application]);
  });
});

describe("a registration", () => {
  test("has the person, the answers and the points as the service has them", () => {
    const questions = [
      { questionId: "why", label: "Why", type: "TEXT", required: true },
      { questionId: "shop", label: "Shop", type: "WORKSHOP_SELECTION", choices: "A,B" },
      { questionId: "diet", label: "Diet", type: "CHECKBOX", choices: "None,Vegan" },
    ];
    const mapped = register(
      {
        id: " ADA@Student.Example",
        studentId: 12345678,
        points: "20",
        isPartner: "false",
        basicInformation: { fname: "Ada", year: 3, email: "ada@student.example", companyName: "Engines", shoe: 40 },
        dynamicResponses: { why: 7, shop: "B", diet: "None,Vegan", gone: "old", constructor: "x" },
        scannedQRs: "[1]",
        checkoutLink: "https://pay.example",
      },
      { registrationQuestions: questions },
    );
    expect(taken(mapped)).toMatchObject({
      email: "ada@student.example",
      status: "registered",
      fname: "Ada",
      studentId: "12345678",
      points: 20,
      isPartner: false,
      basicInformation: { fname: "Ada", year: "3", companyName: "Engines" },
      dynamicResponses: { why: "7", shop: "B", diet: ["None", "Vegan"], gone: "old" },
      choices: { shop: "B" },
      entryPrice: 0,
    });
    expect(taken(mapped)).not.toHaveProperty("checkoutLink");
    expect(whys(mapped)).toEqual(
      expect.arrayContaining([
        "id: the email's usual spelling",
        "points: a number instead of a text",
        "basicInformation/shoe: left out: the service has no such field",
        "dynamicResponses/*: kept: an answer to a question that the event no longer asks",
        "dynamicResponses/*: left out: an answer under a reserved or too long id",
        "scannedQRs: left out: the service has no such field",
        "checkoutLink: left out: a payment page of the present backend",
      ]),
    );
  });

  test("a workshop that is no longer offered stays an answer and holds no place", () => {
    const mapped = register(
      { dynamicResponses: { shop: "Z" } },
      { registrationQuestions: [{ questionId: "shop", label: "S", type: "WORKSHOP_SELECTION", choices: "A" }] },
    );
    expect(taken(mapped)).toMatchObject({ dynamicResponses: { shop: "Z" }, choices: {} });
  });

  test("a partner's answers are under the ids that the service has", () => {
    const event = {
      registrationQuestions: [{ questionId: "q", label: "A", type: "TEXT" }],
      partnerRegistrationQuestions: [{ questionId: "q", label: "P", type: "TEXT" }],
    };
    const answers = { dynamicResponses: { q: "hello" } };
    expect(taken(register({ ...answers, isPartner: true }, event)).dynamicResponses).toEqual({ "q-2": "hello" });
    expect(taken(register(answers, event)).dynamicResponses).toEqual({ q: "hello" });
  });

  const pricing = { pricing: { members: 0, nonMembers: 8 } };
  test.each<[string, Row, Row, boolean, string, boolean]>([
    [
      "an unpaid seat that has a price is held",
      { registrationStatus: "incomplete" },
      pricing,
      false,
      "incomplete",
      true,
    ],
    [
      "an unpaid seat that costs a member nothing is confirmed",
      { registrationStatus: "incomplete" },
      pricing,
      true,
      "registered",
      false,
    ],
    [
      "an unpaid seat that cost nothing is confirmed although the event is over",
      { registrationStatus: "incomplete" },
      { startDate: ago },
      false,
      "registered",
      false,
    ],
    [
      "an unpaid seat of an event that is over is none",
      { registrationStatus: "incomplete" },
      { ...pricing, startDate: ago },
      false,
      "cancelled",
      false,
    ],
    [
      "an accepted person who has not paid",
      { registrationStatus: "acceptedPending" },
      { ...pricing, isApplicationBased: true },
      false,
      "acceptedPending",
      true,
    ],
  ])("%s", (_name, row, event, isMember, status, unpaid) => {
    const record = taken(register(row, event, { isMember: () => isMember }));
    expect(record.status).toBe(status);
    expect(isUnpaid(record)).toBe(unpaid);
    // No money is invented.
    expect(record).not.toHaveProperty("paidBy");
    expect(record).not.toHaveProperty("paid");
  });

  test("places in line are in the order of creation, whatever the emails are", () => {
    const time = fc.integer({ min: 1e12, max: now * 2 });
    fc.assert(
      fc.property(time, time, fc.nat(99), fc.nat(99), (first, second, a, b) => {
        const keyOf = (createdAt: number, n: number) =>
          taken(register({ id: `p${n}@x.example`, registrationStatus: "waitlist", createdAt, updatedAt: now }))
            .queueKey;
        fc.pre(first < second);
        expect(keyOf(first, a) < keyOf(second, b)).toBe(true);
        expect(keyOf(first, a)).toBe(keyOf(first, a));
      }),
    );
    // Of a row without a time nothing else is known: it comes first.
    const { createdAt: _created, updatedAt: _updated, ...timeless } = registrationRow;
    const mapped = mapRegistration({ ...timeless, registrationStatus: "waitlist" }, facts(givenEvent()));
    expect(taken(mapped).queueKey).toMatch(/^1000000000000#/);
  });

  test.each<[string, Row, RegExp]>([
    ["no email", { id: "Ada" }, /no email/],
    ["no event in its key", { "eventID;year": "gala" }, /names no event/],
    ["an event that is not there", { "eventID;year": "gone;2026" }, /not among the events/],
    ["an unknown status", { registrationStatus: "legacy" }, /status is unknown/],
  ])("with %s is refused", (_name, row, why) => {
    expect(refusal(register(row))).toMatch(why);
  });
});

const userFacts = {
  timeZone: zone.timeZone,
  hasMembership: (email: string) => email === "m@x.example",
  hasEvent: (name: string) => name === "gala;2026",
  adminDomain,
};

describe("people", () => {
  test("an account", () => {
    const mapped = mapUser(
      {
        id: "M@X.example",
        fname: "Mo",
        studentId: 0,
        year: 3,
        isMember: "false",
        admin: true,
        "favedEventsID;year": ["gala;2026", "gone;1"],
        extra: 1,
      },
      userFacts,
    );
    expect(taken(mapped)).toMatchObject({
      email: "m@x.example",
      fname: "Mo",
      year: "3",
      isMember: true,
      admin: false,
      favEvents: ["gala;2026"],
    });
    expect(taken(mapped)).not.toHaveProperty("studentId");
    expect(whys(mapped)).toEqual(
      expect.arrayContaining([
        "isMember: a member, because the table of members has the person",
        "favedEventsID;year: left out: favourites without an event",
        "admin: decided by the email's domain",
        "extra: left out: the service has no such field",
      ]),
    );
  });

  test("a membership", () => {
    const mapped = mapMember(
      {
        id: "M@x.example",
        profileID: "TallCats",
        firstName: "Mo",
        international: "true",
        prevMember: "no",
        topics: "a, b,a",
        cardCount: "2",
        studentNumber: 0,
      },
      { ...zone, adminDomain },
    );
    expect(taken(mapped)).toMatchObject({
      email: "m@x.example",
      profileID: "TallCats",
      international: true,
      prevMember: false,
      topics: ["a", "b"],
      cardCount: 2,
    });
    expect(taken(mapped)).not.toHaveProperty("studentNumber");
  });

  test("a profile", () => {
    const mapped = mapProfile(
      {
        compositeID: "PROFILE#TallCats",
        type: "PROFILE",
        fname: "Mo",
        linkedIn: "nope",
        description: "a\r\nb",
        profileType: "PARTNER",
        company: "Acme",
        viewableMap: { fname: "false", secret: true },
      },
      { ...zone, adminDomain, ownerOf: (id) => (id === "TallCats" ? "m@x.example" : undefined) },
    );
    expect(taken(mapped)).toMatchObject({
      email: "m@x.example",
      profileID: "TallCats",
      profileType: "ATTENDEE",
      linkedIn: "",
      description: "a\nb",
      viewableMap: { fname: false, lname: true, hobby1: false },
    });
    expect(whys(mapped)).toEqual(
      expect.arrayContaining([
        "company: left out: the service has no such field",
        "profileType: decided by the email's domain",
        "linkedIn: left out: must be a web address such as https://example.com/page",
      ]),
    );
  });

  test.each<[Row, RegExp]>([
    [{ compositeID: "PROFILE#a", type: "CONNECTION#b" }, /connection/],
    [{ compositeID: "PROFILE#a", type: "PROFILE" }, /no member/],
    [{ type: "PROFILE" }, /no usable id/],
  ])("a profile row that is refused: %j", (row, why) => {
    expect(refusal(mapProfile(row, { ...zone, adminDomain, ownerOf: () => undefined }))).toMatch(why);
  });
});

test("feedback keeps every answer, numbers as numbers", () => {
  const event = givenEvent({
    attendeeFeedbackQuestions: [{ questionId: "pick", label: "P", type: "CHECKBOXES", choices: "A,B" }],
  });
  const eventOf = (name: string) => (name === "gala;2026" ? event : undefined);
  const row = {
    id: "f",
    eventID: "gala",
    year: "2026",
    formType: "ATTENDEE",
    responses: { "overall-rating": "9", pick: "A,B", old: "x" },
    respondentEmail: "A@B.ca",
    submittedAt: now,
  };
  expect(taken(mapSubmission(row, { ...zone, eventOf }))).toMatchObject({
    formType: "attendee",
    respondentEmail: "a@b.ca",
    responses: { "overall-rating": 9, pick: ["A", "B"], old: "x" },
  });
  expect(refusal(mapSubmission({ ...row, eventID: "gone" }, { ...zone, eventOf }))).toMatch(/not among the events/);
  expect(refusal(mapSubmission({ ...row, formType: "judge" }, { ...zone, eventOf }))).toMatch(
    /neither attendee nor partner/,
  );
});

test("a prize", () => {
  expect(
    taken(mapPrize({ id: "big mug", name: "Mug", price: "25", links: { shop: "https://x.example", bad: "x" } }, zone)),
  ).toMatchObject({
    id: expect.stringMatching(/^big-mug-[0-9a-f]{6}$/),
    price: 25,
    links: { shop: "https://x.example" },
  });
  expect(refusal(mapPrize({ id: "air", name: "Air" }, zone))).toBe("price is required");
});

describe("whatever a row has, it is refused with a reason, or the API can answer its record:", () => {
  const wild = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(
      "true",
      "0",
      "12",
      "",
      " ",
      "a,b",
      "\u0000x",
      "x".repeat(5_000),
      -1,
      1e300,
      3.5,
      "2026-02-30",
      "__proto__",
    ),
    anyText(),
  );
  /** Rows with the right names, which are those of the answers and a few more, and any values. */
  const rowsWith = (fixed: Row, names: readonly string[]) =>
    fc
      .tuple(fc.dictionary(fc.constantFrom(...names), wild), fc.dictionary(fc.string(), wild, { maxKeys: 3 }))
      .map(([known, more]): Row => ({ ...more, ...fixed, ...known }));

  const ajv = new Ajv2020({
    strict: false,
    ownProperties: true,
    formats: { ...formatChecks, "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/ },
  });

  const checks: readonly (readonly [
    string,
    Row,
    readonly string[],
    TSchema,
    (row: Row) => Mapped<unknown>,
    (record: never) => unknown,
  ])[] = [
    ["events", eventRow, [], Event, (row) => mapEvent(row, zone), ({ event }: MappedEvent) => eventAnswer(event, 0)],
    [
      "users",
      { id: "a@b.ca" },
      ["favedEventsID;year"],
      User,
      (row) => mapUser(row, userFacts),
      (user: UserRecord) => userAnswer(user, 0),
    ],
    ["members", { id: "a@b.ca" }, [], Member, (row) => mapMember(row, { ...zone, adminDomain }), memberAnswer],
    [
      "profiles",
      { compositeID: "PROFILE#p", type: "PROFILE" },
      [],
      Profile,
      (row) => mapProfile(row, { ...zone, adminDomain, ownerOf: () => "a@b.ca" }),
      profileAnswer,
    ],
    ["prizes", { id: "mug", name: "Mug", price: 1 }, ["imageHash"], Prize, (row) => mapPrize(row, zone), prizeAnswer],
    [
      "registrations",
      registrationRow,
      ["applicationStatus"],
      Registration,
      (row) => mapRegistration(row, facts(givenEvent())),
      (record: RegistrationRecord) => registrationAnswer(record),
    ],
  ];
  test.each(checks)("%s", (_kind, fixed, more, schema, map, answerOf) => {
    const isAnswer = ajv.compile(schema);
    const names = [...Object.keys((schema as { properties?: object }).properties ?? {}), ...more];
    expect(names.length).toBeGreaterThan(5);
    fc.assert(
      fc.property(rowsWith(fixed, names), (row) => {
        const mapped = map(row);
        if ("refused" in mapped) expect(mapped.refused).not.toBe("");
        else {
          const answer = JSON.parse(JSON.stringify(answerOf(mapped.record as never)));
          expect(isAnswer(answer) ? [] : isAnswer.errors).toEqual([]);
        }
        // The same row is the same record in every run.
        expect(map(row)).toEqual(mapped);
      }),
      { numRuns: 300 },
    );
  });
});
