/** The rules of `client/pages`: entries and answers, times, countdown, colours, standing, and what may be done. */
import { describe, expect, jest, test } from "@jest/globals";
import { whenText as serviceWhen } from "#domain/mail/when.ts";
import { calendarText } from "../../client/pages/calendar-file.ts";
import { actionsOf, agreementOf, atTime, standingOf, ticketOf } from "../../client/pages/standing.ts";
import { isShownPicture, nextOf, signInPage } from "../../client/shared/addresses.ts";
import { answersOf, entriesOf, problemsIn, problemsOf } from "../../client/shared/answers.ts";
import { better, leftText, nextTick, offsetOf, readClock, now as serverNow } from "../../client/shared/clock.ts";
import { accentsOf, contrast } from "../../client/shared/colours.ts";
import { isPast, readersWhen, tileOf, whenText } from "../../client/shared/dates.ts";
import { guestsOf, phaseOf, priceText } from "../../client/shared/opening.ts";
import type { Answers, Place, Question, Registration } from "../../client/shared/types.ts";

const question = (questionId: string, type: Question["type"], more: Partial<Question> = {}): Question => ({
  ...{ questionId, label: questionId, type, required: false },
  ...more,
});
const questions = [
  question("why", "TEXT", { charLimit: 5 }),
  question("diet", "SELECT", { choices: ["Vegan", "Other"], required: true }),
  question("topics", "CHECKBOX", { choices: ["Food", "other"] }),
  question("workshop", "WORKSHOP_SELECTION", { choices: ["Talks", "Other"] }),
  question("skills", "SKILLS"),
  question("cv", "UPLOAD"),
  question("rating", "LINEAR_SCALE", { scaleMin: 0 }),
];

describe("answers", () => {
  const answers: Answers = {
    ...{ why: "So", diet: "Halal", topics: ["Food", "Rust"], workshop: "Other" },
    ...{ skills: ["Go", "C"], cv: "https://cv.example/", rating: 0 },
  };

  test("go through the fields unchanged, with a text instead of the choice other", () => {
    const entries = entriesOf(questions, answers);
    expect(entries).toMatchObject({ diet: { chosen: ["Other"], other: "Halal" }, rating: { chosen: ["0"] } });
    expect(answersOf(questions, entries)).toEqual(answers);
  });
  test("without an entry are no answer, and other alone is the choice", () => {
    const none = { why: null, diet: null, topics: null, workshop: null, skills: null, cv: null, rating: null };
    expect(answersOf(questions, { why: { text: " " }, skills: { text: ",\n" } })).toEqual(none);
    expect(answersOf(questions, { diet: { chosen: ["Other"], other: " " } })).toMatchObject({ diet: "Other" });
  });
  test("that are missing or too long are seen before they are sent", () => {
    expect(Object.keys(problemsIn(questions, { why: "123456", diet: null }))).toEqual(["why", "diet"]);
    expect(problemsIn(questions, { why: "12345", diet: "Vegan" })).toEqual({});
  });
  test("that the server refuses are named by question, other parts by pointer", () => {
    const issues = ["/dynamicResponses/a~1b", "/email", "/basicInformation/lname"].map((path) => ({
      path,
      message: "is bad",
    }));
    expect(Object.keys(problemsOf(issues))).toEqual(["a/b", "/email", "/basicInformation/lname"]);
  });
});

describe("the clock", () => {
  test("is the server's, within half a second and the way", () => {
    expect(offsetOf({ date: 10_000, sent: 4_000, answered: 4_400 })).toEqual({ ahead: 6_300, error: 700 });
  });
  test("keeps the better sample, but takes another one when the device's clock was set", () => {
    const [good, bad] = [
      { ahead: 100, error: 550 },
      { ahead: 300, error: 5_000 },
    ];
    expect(better(good, bad)).toBe(good);
    expect(better(bad, good)).toBe(good);
    const set = { ahead: 90_000, error: 5_000 };
    expect(better(good, set)).toBe(set);
  });
  test("never goes back by a better sample, so that what has opened stays open; but does when the device's was set", () => {
    const device = jest.spyOn(Date, "now").mockReturnValue(5_000_000);
    const told = (date: number, took: number) => {
      readClock({ headers: new Headers({ date: new Date(date).toUTCString() }) } as Response, Date.now() - took);
      return serverNow();
    };
    expect(serverNow()).toBe(5_000_000);
    expect(told(1_000_000, 2_000)).toBe(1_001_500);
    expect(told(1_000_000, 0)).toBe(1_001_500);
    device.mockReturnValue(5_000_900);
    expect(serverNow()).toBe(1_001_500);
    device.mockReturnValue(5_002_000);
    expect(serverNow()).toBe(1_002_500);
    expect(told(900_000, 0)).toBe(900_500);
    device.mockRestore();
  });
  test.each([
    [0, "0 seconds"],
    [1, "1 second"],
    [61_000, "1 minute 1 second"],
    [3_600_000, "1 hour"],
    [2 * 86_400_000 + 3 * 3_600_000 + 5, "2 days 3 hours"],
  ])("says of %d ms that %s are left", (left, text) => {
    expect(leftText(left)).toBe(text);
  });
  test("ticks on the second in the last hour, else on the minute", () => {
    expect([nextTick(10_400), nextTick(10_000), nextTick(7_201_000)]).toEqual([400, 1_000, 1_000]);
    expect(nextTick(7_230_000)).toBe(30_000);
  });
});

describe("times", () => {
  const event = { startDate: "2030-03-02T02:00:00.000Z", endDate: "2030-03-02T06:00:00.000Z" };
  const vancouver = "America/Vancouver";
  test("are those of the place, with the reader's where clocks differ", () => {
    expect(whenText(event, vancouver)).toBe("Friday, March 1, 2030, 7:00 – 11:00 PM GMT-7");
    expect(readersWhen(event, vancouver, "America/Phoenix")).toBeUndefined();
    expect(readersWhen(event, vancouver, "America/Los_Angeles")).toContain("6:00 – 10:00 PM PST");
  });
  test("are those of the event's own zone", () => {
    const there = { ...event, timeZone: "America/Toronto" };
    expect(whenText(there, vancouver)).toBe(serviceWhen(there, vancouver));
    expect(readersWhen(there, vancouver, "America/Toronto")).toBeUndefined();
    expect(readersWhen(there, vancouver, vancouver)).toContain("7:00 – 11:00 PM GMT-7");
    expect(tileOf({ ...there, startDate: "2030-03-02T05:30:00.000Z" }, vancouver).day).toBe("2");
  });
  test("of whole days are days of no zone", () => {
    const days = { ...event, wholeDays: { startDate: "2030-03-01", endDate: "2030-03-02" } };
    expect(whenText(days, vancouver)).toBe("Friday, March 1 – Saturday, March 2, 2030");
    expect(readersWhen(days, vancouver, "Europe/Berlin")).toBeUndefined();
  });
  const zone = "America/New_York";
  test.each([
    ["before the clocks change", { startDate: "2030-03-10T06:30:00.000Z", endDate: "2030-03-10T06:50:00.000Z" }],
    ["while they change", { startDate: "2030-03-10T06:30:00.000Z", endDate: "2030-03-10T08:30:00.000Z" }],
    ["in the hour that comes twice", { startDate: "2030-11-03T06:30:00.000Z" }],
    ["whole days", { startDate: "2030-03-10T05:00:00.000Z", wholeDays: { startDate: "2030-03-10" } }],
    ["an end before the start", { startDate: "2030-07-01T22:00:00.000Z", endDate: "2030-07-01T20:00:00.000Z" }],
    [
      "a day with an end that has a time",
      {
        startDate: "2030-07-01T04:00:00.000Z",
        endDate: "2030-07-02T01:00:00.000Z",
        wholeDays: { startDate: "2030-07-01" },
      },
    ],
  ])("are those of the service's mails: %s", (_, schedule) => {
    expect(whenText(schedule, zone)).toBe(serviceWhen(schedule, zone));
  });
  test("past is what has ended; without an end after twelve hours, or the day", () => {
    const start = Date.parse(event.startDate);
    expect([isPast(event, start + 1), isPast(event, Date.parse(event.endDate))]).toEqual([false, true]);
    const open = { startDate: event.startDate };
    expect([isPast(open, start + 43_199_999), isPast(open, start + 43_200_000), isPast({}, start)]).toEqual([
      false,
      true,
      false,
    ]);
  });
});

test.each(["#ffcc00", "#0b57a4", "#000", "#ffffff", "#e63946"])(
  "the colour %s can be read by day and by night",
  (colour) => {
    const { day = "", night = "" } = accentsOf(colour) ?? {};
    expect(Math.min(contrast(day, "#ffffff"), contrast(night, "#14161a"))).toBeGreaterThan(4.5);
  },
);
test("what is no colour is none, and one that can be read stays", () => {
  expect([accentsOf("red"), accentsOf("url(x)"), accentsOf("#0b57a4")?.day]).toEqual([undefined, undefined, "#0b57a4"]);
});

const [start, now] = ["2030-03-02T02:00:00.000Z", Date.parse("2030-02-01T00:00:00.000Z")];
const shown = {
  ...{ startDate: start, nonBizTechAllowed: true, partnerRegistrationQuestions: [], isCompleted: false },
  pricing: { member: 5, members: 5, nonMember: 8, nonMembers: 8 },
};

describe("an event", () => {
  test.each([
    ["open", {}],
    ["soon", { opensAt: "2030-02-02T00:00:00.000Z" }],
    ["ended", { deadline: "2030-01-31T00:00:00.000Z" }],
    ["ended", { isCompleted: true }],
    ["over", { startDate: "2030-01-01T00:00:00.000Z" }],
  ])("is %s with %j", (phase, more) => {
    expect(phaseOf({ ...shown, ...more }, now)).toBe(phase);
  });
  test.each([
    ["everyone", {}, "everyone"],
    ["nobody", { guests: "nobody" as const }, "everyone"],
    ["nobody", { nonBizTechAllowed: false }, "everyone"],
    ["partners", { nonBizTechAllowed: false, partnerCapac: 3 }, "everyone"],
    ["nobody", {}, "partners"],
  ] as const)("takes %s without an account: %j in a stage with %s", (who, more, usual) => {
    expect(guestsOf({ ...shown, ...more }, usual)).toBe(who);
  });
  test("says both prices, the partners' alone, and nothing where it is free", () => {
    expect(priceText(shown, "CAD")).toBe("$8.00, members $5.00");
    expect(priceText(shown, "CAD", true)).toBe("$8.00");
    expect(priceText({ pricing: { member: 0, members: 0 } }, "CAD")).toBeUndefined();
  });
});

const registration = (more: Partial<Registration>): Registration =>
  ({
    registrationStatus: "registered",
    applicationStatus: "",
    fname: "Ada",
    ticketCode: "V2.X",
    ...more,
  }) as Registration;

describe("a registration", () => {
  test("with an undecided application has no place and no ticket", () => {
    const applied = registration({ applicationStatus: "reviewing" });
    expect(standingOf({ registration: applied }).title).toBe("We have your application");
    expect(ticketOf({ registration: applied, isOver: false } as Place)).toBeUndefined();
    expect(ticketOf({ registration: registration({}), isOver: false } as Place)).toBe("V2.X");
    expect(ticketOf({ registration: registration({}), isOver: true } as Place)).toBeUndefined();
  });
  test("of a past event is past, whatever its status", () => {
    for (const registrationStatus of ["registered", "waitlist", "cancelled"] as const)
      expect(standingOf({ registration: registration({ registrationStatus }), isOver: true }).title).toBe(
        "This event is over",
      );
  });
  test("that was seen before the event is past after it, and has no ticket", () => {
    const seen = { registration: registration({}), isOver: false, event: { startDate: start } } as Place;
    const [before, after] = [now, Date.parse(start) + 86_400_000].map((at) => ticketOf(atTime(seen, at)));
    expect([before, after]).toEqual(["V2.X", undefined]);
  });
  test.each([
    ["registered", now, ["edit", "cancel"]],
    ["accepted", now, ["accept", "edit", "cancel"]],
    ["incomplete", now, ["pay", "edit", "cancel"]],
    ["cancelled", now, ["again"]],
    ["rejected", now, []],
    ["checkedIn", now, []],
    ["registered", Date.parse(start), []],
  ] as const)("that is %s may at %d: %j", (registrationStatus, at, may) => {
    expect(actionsOf(registration({ registrationStatus }), { startDate: start }, true, at)).toEqual(may);
  });
  test("offers nothing that the service refuses: a seat of an event that is called off, one with others or with a rest", () => {
    const mayOf = (more: Partial<Registration>, event: object = {}) =>
      actionsOf(registration({ registrationStatus: "registered", ...more }), { transfers: 1, ...event }, false, now);
    expect(mayOf({})).toEqual(["cancel", "handOn"]);
    for (const more of [{ owes: 5 }, { plusOnes: [{ fname: "Grace" }] }]) expect(mayOf(more)).toEqual(["cancel"]);
    expect(mayOf({ plusOnes: [] })).toEqual(["cancel", "handOn"]);
    const calledOff = { calledOff: "The hall is closed." };
    expect([mayOf({ registrationStatus: "cancelled" }), mayOf({ registrationStatus: "cancelled" }, calledOff)]).toEqual(
      [["again"], []],
    );
  });
  test("that has to be confirmed need not say that the person comes", () => {
    expect([agreementOf(["come", "accept"]), agreementOf(["come"]), agreementOf([])]).toEqual([
      "accept",
      "come",
      undefined,
    ]);
  });
});

describe("a calendar file", () => {
  const place = { id: "gala", year: 2030, ename: "Gala; <b>", when: "" };
  const textOf = (event: object) => calendarText({ ...place, ...event }, "https://club.example", "Club");

  test("has the time in UTC, an hour where no end is known, and the event's page", () => {
    const text = textOf({ startDate: "2030-03-02T02:00:00.000Z" });
    for (const line of ["DTSTART:20300302T020000Z", "DTEND:20300302T030000Z", "https://club.example/event/gala/2030"])
      expect(text).toContain(line);
    expect(text).toContain("SUMMARY:Gala\\; <b>");
  });
  test("has whole days without a zone, until the day after", () => {
    const text = textOf({
      startDate: "2030-03-01T07:00:00.000Z",
      wholeDays: { startDate: "2030-03-01", endDate: "2030-03-02" },
    });
    expect(text).toMatch(/DTSTART;VALUE=DATE:20300301[\s\S]*DTEND;VALUE=DATE:20300303/);
  });
});

test.each([
  ["/event/gala/2030?x=1", "/event/gala/2030?x=1"],
  ["//evil.example/", "/club/"],
  ["https://evil.example/", "/club/"],
  ["/\\evil.example", "/club/"],
  [undefined, "/club/"],
])("after the sign-in, %s leads to %s", (next, page) => {
  expect(nextOf(next, "https://club.example")).toBe(page);
});

test("no secret gets into the address of the sign-in", () => {
  expect(signInPage("/registration/?event=gala#s3cret/come")).toBe("/sign-in/?next=%2Fregistration%2F%3Fevent%3Dgala");
});

test("only pictures that the policy allows are asked for", () => {
  const sites = ["https://club.example", "https://images.example/banners", ""];
  const shown = ["https://images.example/a.png", "https://evil.example/a.png", "/a.png", "javascript:0", ""];
  expect(shown.filter((url) => isShownPicture(url, sites))).toEqual(["https://images.example/a.png"]);
});
