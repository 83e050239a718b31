/** When campaigns and the mails of an event's rules go (`docs/contract.md`, "Emails"). */
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { EventDates } from "#domain/events/dates.ts";
import type { MailRule } from "#domain/events/event-input.ts";
import { isRuleDue, mailRuleIssues, momentOfRule, mostDays, ruleTimeIssues } from "#domain/events/mail-rules.ts";
import { sendTime } from "#domain/mail/campaigns/send-time.ts";
import { clockAt } from "#kit/text/time-zone.ts";

const berlin = "Europe/Berlin";
const hour = 3_600_000;
/** Monday after the clocks went forward in Berlin, 19:00 to 22:00. */
const evening = { startDate: "2027-03-29T17:00:00.000Z", endDate: "2027-03-29T20:00:00.000Z" };
const rule = (more: Partial<MailRule>): MailRule => ({ templateName: "t", to: "seats", when: "beforeStart", ...more });

test.each<[string, Partial<MailRule>, EventDates & { timeZone?: string }, string | undefined]>([
  ["two days before, on the other side of a clock change", { days: 2 }, evening, "2027-03-27T18:00:00.000Z"],
  ["two days before at a time", { days: 2, time: "09:30" }, evening, "2027-03-27T08:30:00.000Z"],
  ["at a time that the clocks skip", { days: 1, time: "02:30" }, evening, "2027-03-28T01:30:00.000Z"],
  ["at a time that occurs twice", { time: "02:30" }, { startDate: "2027-10-31T18:00:00Z" }, "2027-10-31T00:30:00.000Z"],
  ["hours before", { hours: 3 }, evening, "2027-03-29T14:00:00.000Z"],
  ["a day and hours before", { days: 1, hours: 3 }, evening, "2027-03-28T14:00:00.000Z"],
  ["at the end", { when: "afterEnd" }, evening, "2027-03-29T20:00:00.000Z"],
  ["the morning after", { when: "afterEnd", days: 1, time: "09:00" }, evening, "2027-03-30T07:00:00.000Z"],
  [
    "without an end, twelve hours later",
    { when: "afterEnd" },
    { startDate: "2027-03-29T17:00:00Z" },
    "2027-03-30T05:00:00.000Z",
  ],
  [
    "in the event's own zone",
    { time: "09:30" },
    { ...evening, timeZone: "America/Toronto" },
    "2027-03-29T13:30:00.000Z",
  ],
  ["without a date", {}, {}, undefined],
])("a mail %s", (_, more, event, expected) => {
  const moment = momentOfRule(rule(more), event, berlin);
  expect(moment === undefined ? undefined : new Date(moment).toISOString()).toBe(expected);
});

const zones = fc.constantFrom("America/Vancouver", berlin, "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia");
const instants = fc.date({ min: new Date("2026-01-01"), max: new Date("2028-12-31"), noInvalidDate: true });
const times = fc.option(
  fc.integer({ min: 0, max: 1439 }).map((all) => new Date(all * 60_000).toISOString().slice(11, 16)),
  { nil: undefined },
);

test("a mail goes on its day at its time of the zone, or as much later as the clocks skip", () => {
  const days = fc.integer({ min: 0, max: 13 });
  fc.assert(
    fc.property(instants, zones, days, times, (start, zone, back, time) => {
      const moment = momentOfRule(
        rule({ days: back, ...(time && { time }) }),
        { startDate: start.toISOString() },
        zone,
      );
      const [day, clock] = clockAt(start.getTime(), zone).split(" ");
      const [sentDay = "", sentClock = ""] = clockAt(moment as number, zone).split(" ");
      expect((Date.parse(day as string) - Date.parse(sentDay)) / (24 * hour)).toBe(back);
      const late = Date.parse(`1970-01-01T${sentClock}Z`) - Date.parse(`1970-01-01T${time ? `${time}:00` : clock}Z`);
      expect([0, hour / 2, hour]).toContain(late);
    }),
  );
});

test("a rule is due from its moment until the start, or for three days after the event, and only then", () => {
  const all = fc.record({
    when: fc.constantFrom("beforeStart" as const, "afterEnd" as const),
    days: fc.integer({ min: 0, max: mostDays.afterEnd }),
    hours: fc.integer({ min: 0, max: 23 }),
  });
  fc.assert(
    fc.property(
      instants,
      fc.integer({ min: 1, max: 96 }),
      zones,
      all,
      fc.integer({ min: -400, max: 400 }),
      (start, lasts, zone, some, hours) => {
        const end = start.getTime() + lasts * hour;
        const event = { startDate: start.toISOString(), endDate: new Date(end).toISOString() };
        const now = start.getTime() + hours * hour + 1;
        const moment = momentOfRule(rule(some), event, zone) as number;
        const until = some.when === "beforeStart" ? start.getTime() : Math.max(moment, end) + 72 * hour;
        expect(isRuleDue(rule(some), event, now, zone)).toBe(now >= moment && now < until);
      },
    ),
  );
});

test("an event that is called off sends nothing", () => {
  const now = Date.parse(evening.startDate) - hour;
  expect(isRuleDue(rule({ hours: 2 }), evening, now, berlin)).toBe(true);
  expect(isRuleDue(rule({ hours: 2 }), { ...evening, calledOff: "The speaker is ill." }, now, berlin)).toBe(false);
});

test("wrong rules are named by their field", () => {
  const of = (...rules: readonly Partial<MailRule>[]) => mailRuleIssues(rules.map(rule)).map(({ path }) => path);
  expect(of({ days: 13 }, { templateName: "u", when: "afterEnd", days: 7 }, { to: "came" })).toEqual([]);
  expect(of({}, { when: "afterEnd", days: 8 }, { templateName: "u", hours: 1, time: "09:00" })).toEqual([
    ...["/mails/1/templateName", "/mails/1/days", "/mails/2/time"],
  ]);
  const late = [rule({ time: "19:00" }), rule({ when: "afterEnd", time: "21:59" }), rule({ time: "18:59" })];
  expect(ruleTimeIssues({ ...evening, mails: late }, berlin).map(({ path }) => path)).toEqual([
    ...["/mails/0/time", "/mails/1/time"],
  ]);
});

test("the time of a campaign is one of the stage's zone, ahead, and within fifty days of its making", () => {
  const now = Date.parse("2027-03-01T12:00:00Z");
  const at = (text: string, createdAt = now) => sendTime(text, { timeZone: berlin, now, createdAt });
  expect(at("2027-03-28T02:30")).toBe(Date.parse("2027-03-28T01:30:00Z"));
  expect(at("2027-03-28T18:00")).toBe(Date.parse("2027-03-28T16:00:00Z"));
  expect(at("2027-03-28T18:00-07:00")).toBe(Date.parse("2027-03-29T01:00:00Z"));
  expect(at("2027-04-20T12:00:00Z")).toBe(now + 50 * 24 * hour);
  for (const text of ["2027-03-01T13:00", "2027-02-28", "2027-04-20T12:00:01Z"])
    expect(() => at(text)).toThrow(/sendAt/);
  expect(() => at("2027-03-28T18:00", now - 30 * 24 * hour)).toThrow(/within 50 days/);
});
