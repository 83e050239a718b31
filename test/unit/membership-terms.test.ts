/** When memberships end (`docs/contract.md`, "Members"). */
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  endGiven,
  type endOf,
  hasPaidLatest,
  lastDayOf,
  lastMoment,
  mayRenew,
  type TermFields,
  type TermRule,
  withEnd,
  withoutTermOf,
  withTerm,
} from "#domain/people/members/terms.ts";
import { isMemberAt } from "#domain/people/users/user.ts";
import { stageProblems } from "../../lib/stage-rules.ts";
import { staging } from "../stages.ts";

const zone = "America/Vancouver";
const day = 86_400_000;
const yearly = { endsOn: "08-31", remindDays: 30 };
const span = (months: number, remindDays = 14) => ({ months, remindDays });
const at = (text: string): number => Date.parse(text);

describe("the last day of a term", () => {
  test.each<[string, Exclude<TermRule, "forever">, string, string | undefined, string]>([
    ["of a club's year", yearly, "2030-09-01", undefined, "2031-08-31"],
    ["the day itself, in good time", yearly, "2030-06-30", undefined, "2030-08-31"],
    ["shortly before it, the next one", yearly, "2030-07-03", undefined, "2031-08-31"],
    ["renewed before it", yearly, "2030-08-05", "2030-08-31", "2031-08-31"],
    ["renewed on it", yearly, "2030-08-31", "2030-08-31", "2031-08-31"],
    ["renewed late", yearly, "2030-10-01", "2030-08-31", "2031-08-31"],
    ["a year later", span(12), "2030-03-15", undefined, "2031-03-15"],
    ["renewed in time, from its end", span(12), "2031-03-10", "2031-03-15", "2032-03-15"],
    ["renewed late, from the payment", span(12), "2031-04-02", "2031-03-15", "2032-04-02"],
    ["from 31 January", span(1, 7), "2030-01-31", undefined, "2030-02-28"],
    ["from 31 January of a leap year", span(1, 7), "2028-01-31", undefined, "2028-02-29"],
    ["from a leap day", span(12), "2028-02-29", undefined, "2029-02-28"],
    ["over the year's end", span(3), "2030-11-30", undefined, "2031-02-28"],
    ["many months", span(25), "2030-12-31", undefined, "2033-01-31"],
    ["every February's last day", { endsOn: "02-29", remindDays: 7 }, "2028-02-01", undefined, "2028-02-29"],
    ["every February's last day, mostly 28", { endsOn: "02-29", remindDays: 7 }, "2030-02-01", undefined, "2030-02-28"],
  ])("%s", (_, rule, from, current, last) => {
    expect(lastDayOf(rule, from, current)).toBe(last);
  });

  const date = fc.integer({ min: 0, max: 30_000 }).map((days) => new Date(days * day).toISOString().slice(0, 10));
  const rule = fc.oneof(
    fc.record({
      endsOn: fc.constantFrom("08-31", "02-29", "01-01", "12-31"),
      remindDays: fc.integer({ min: 1, max: 90 }),
    }),
    fc
      .integer({ min: 1, max: 120 })
      .chain((months) =>
        fc.record({ months: fc.constant(months), remindDays: fc.integer({ min: 1, max: Math.min(90, months * 14) }) }),
      ),
  );

  test("a renewal lengthens, and is possible only once until the next end is near", () => {
    fc.assert(
      fc.property(rule, date, fc.option(date, { nil: undefined }), (by, from, current) => {
        const last = lastDayOf(by, from, current);
        expect(last > from).toBe(true);
        if (current !== undefined && current >= from) expect(last > current).toBe(true);
        expect((Date.parse(last) - Date.parse(from)) / day).toBeGreaterThan(by.remindDays);
      }),
    );
  });

  test("who pays later, or has a later end, is never a member for less long", () => {
    fc.assert(
      fc.property(rule, date, date, date, date, (by, a, b, c, d) => {
        const [from, laterFrom] = [a, b].sort() as [string, string];
        const [current, laterCurrent] = [c, d].sort() as [string, string];
        expect(lastDayOf(by, laterFrom, laterCurrent) >= lastDayOf(by, from, current)).toBe(true);
      }),
    );
  });
});

describe("a term", () => {
  const stage = { rule: yearly, timeZone: zone };
  const joined = withTerm(undefined, { at: at("2030-10-01T19:00:00Z"), paidBy: "p1" }, stage);

  test("ends with the day of the zone, and is announced before", () => {
    const until = at("2031-09-01T07:00:00Z");
    expect(joined).toEqual({
      until,
      terms: [{ until, at: at("2030-10-01T19:00:00Z"), paidBy: "p1" }],
      dueAt: until - 30 * day,
    });
    expect(lastMoment(until)).toBe("2031-09-01T06:59:59.999Z");
    expect(endGiven("2031-08-31", zone)).toBe(until);
    expect(endGiven(lastMoment(until), zone)).toBe(until);
  });

  test("belongs to the day of the zone on which it was paid", () => {
    // Still 31 March in Vancouver.
    const { until = 0 } = withTerm(undefined, { at: at("2030-04-01T06:30:00Z") }, { rule: span(12), timeZone: zone });
    expect(until).toBe(endGiven("2031-03-31", zone));
  });

  test("of a stage without terms has no end, and takes one away", () => {
    expect(withTerm(joined, { at: 0 }, { rule: "forever", timeZone: zone })).toEqual({});
  });

  test("is kept of the last twelve", () => {
    let fields: TermFields = joined;
    for (let year = 2031; year < 2060; year += 1) fields = withTerm(fields, { at: at(`${year}-08-20`) }, stage);
    expect(fields.terms).toHaveLength(12);
    expect(fields.until).toBe(endGiven("2060-08-31", zone));
  });

  test.each<[string, Parameters<typeof endOf>[0], TermRule, boolean]>([
    ["no member", {}, yearly, true],
    ["a member for good", { user: { isMember: true } }, yearly, false],
    ["for good by the record", { member: {} }, yearly, false],
    ["whose end is near", { user: { isMember: true, memberUntil: 30 * day } }, yearly, true],
    ["whose end is not near", { user: { isMember: true, memberUntil: 30 * day + 1 } }, yearly, false],
    ["a former member", { user: { isMember: false, memberUntil: -1 } }, yearly, true],
    ["whose account says no", { user: { isMember: false }, member: { until: 400 * day } }, yearly, true],
    ["with an end, where the stage has none now", { member: { until: 20 * day } }, "forever", true],
  ])("may be paid by %s: %#", (_, person, rule, may) => {
    expect(mayRenew(person, 0, rule)).toBe(may);
  });

  test("makes a member until its first moment after it", () => {
    const user = { isMember: true, memberUntil: 1_000 };
    expect([999, 1_000].map((now) => isMemberAt(user, now))).toEqual([true, false]);
    // The night has noted the end: what was registered before keeps its price.
    expect([999, 1_000].map((now) => isMemberAt({ ...user, isMember: false }, now))).toEqual([true, false]);
    expect(isMemberAt({ isMember: true }, 1e15)).toBe(true);
    expect(isMemberAt(undefined, 0)).toBe(false);
  });

  const member = (fields: TermFields) => ({ createdAt: 1, ...fields });
  const twice = withTerm(joined, { at: at("2031-08-20T19:00:00Z"), paidBy: "p2" }, stage);
  const paid = (paymentId: string, settledAt = at("2031-08-20T20:00:00Z")) => ({ paymentId, settledAt });

  test("ends when its payment is refunded, and the others stay", () => {
    expect(withoutTermOf(member(twice), paid("p2"), yearly)).toEqual(joined);
    expect(withoutTermOf(member(twice), paid("p1"), yearly)).toMatchObject({ until: twice.until });
    expect(withoutTermOf(member(joined), paid("p1"), yearly)).toBe("ends");
    expect(withoutTermOf(member({}), paid("old"), yearly)).toBe("ends");
    expect(withoutTermOf(member(joined), paid("old"), yearly)).toBeUndefined();
    expect([hasPaidLatest(member(twice), paid("p1")), hasPaidLatest(member(twice), paid("p2"))]).toEqual([false, true]);
  });

  test("has the end that an executive gives, and stays its payment's", () => {
    const until = endGiven("2031-12-31", zone);
    const changed = withEnd(member(twice), until, stage);
    expect(changed.until).toBe(until);
    expect(withoutTermOf(member(changed), paid("p2"), yearly)).toEqual(joined);
    expect(withEnd(member(twice), null, stage)).toEqual({});
    // A membership of before terms: the payment that brought it still ends it.
    expect(withoutTermOf(member(withEnd(member({}), until, stage)), paid("old"), yearly)).toBe("ends");
    expect(withEnd(member(twice), 5, stage).until).toBe(5);
  });
});

test.each<[string, unknown, readonly string[]]>([
  ["a day that is in no year", { endsOn: "04-31", remindDays: 30 }, ["is neither forever"]],
  ["a reminder right after the payment", { months: 1, remindDays: 15 }, ["at most half of the months"]],
  ["something else", { weeks: 3 }, ["is neither forever"]],
  ["a leap day", { endsOn: "02-29", remindDays: 30 }, []],
  ["a year", { months: 12, remindDays: 30 }, []],
])("a stage with %s", (_, membershipTerm, problems) => {
  const found = stageProblems({ ...staging, membershipTerm: membershipTerm as TermRule });
  expect(found).toEqual(problems.map((problem) => expect.stringContaining(problem)));
});
