/** Events at the desk: the list, a new event, a copy, changes of two executives, and what a deletion ends. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { countersOf, holdsSeat, isUnpaid } from "#domain/registrations/record/registration.ts";
import { registrationStatuses, type State, statusOf } from "#domain/registrations/record/statuses.ts";
import { isRefundable } from "#domain/registrations/record/transition.ts";
import * as rules from "../../client/desk/events/rules.ts";
import { localTime } from "../../client/shared/dates.ts";
import type { Event, Registration } from "../../client/shared/types.ts";
import { registrationRecord } from "./given.ts";

const { registrationAnswer } = await import("#api/records/registration-answer.ts");

const { schemas } = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8")).components;
const now = Date.parse("2030-03-01T12:00:00Z");
const event = (fields: Partial<Event>): Event =>
  ({ id: "gala", year: 2030, ename: "Gala", isPublished: true, nonBizTechAllowed: true, ...fields }) as Event;

// biome-ignore format: one row a case
test.each<[string, Partial<Event>, string]>([
  ["past", { startDate: "2030-02-28T20:00:00Z" }, ""],
  ["now", { startDate: "2030-03-01T11:00:00Z" }, "Registration ended"],
  ["ahead", { isPublished: false, publishAt: "2030-03-01T12:00:00Z", isApplicationBased: true }, "Registration open, Applications"],
  ["scheduled", { isPublished: false, publishAt: "2030-03-01T12:00:01Z" }, "Scheduled"],
  ["drafts", { isPublished: false, nonBizTechAllowed: false }, "Hidden, Members only"],
])("among the events %s is %j", (group, fields, states) => {
  expect(rules.groupOf(event(fields), now)).toBe(group);
  expect(rules.statesOf(event(fields), now).join(", ")).toBe(states);
});

describe("what is proposed", () => {
  test.each([
    ["Après-Ski & Pitch 2030", "2030-03-01T19:00", "apres-ski-pitch", "2030"],
    ["2029 in numbers", "2031-01-01", "2029-in-numbers", "2031"],
    ["年会", undefined, "", "2030"],
  ])("for %j on %s is %j in %s", (ename, startDate, id, year) => {
    expect(rules.proposalOf({ ename, startDate }, now)).toEqual({ id, year });
  });

  test("as an id is one that the API takes, or nothing of a name without letters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.string(), (ename, startDate) => {
        const { id } = rules.proposalOf({ ename, startDate }, now) as { id: string };
        expect(id === "" || new RegExp(schemas.NewEvent.properties.id.pattern).test(id)).toBe(true);
        expect(rules.slugOf(`${ename}x`)).not.toBe("");
      }),
    );
  });

  test("for a copy is the same day of the week and time, in the next year", () => {
    const when = fc.date({ min: new Date("2027-01-01"), max: new Date("2060-01-01"), noInvalidDate: true });
    const zones = fc.constantFrom("America/Vancouver", "Europe/Berlin", "UTC");
    fc.assert(
      fc.property(when, fc.boolean(), zones, (date, isWhole, zone) => {
        const startDate = date.toISOString();
        const was = localTime(startDate, zone).slice(0, isWhole ? 10 : undefined);
        const copy = rules.copyOf(event({ startDate, ...(isWhole && { wholeDays: { startDate: was } }) }), zone);
        const partsOf = (text: string) => [new Date(text.slice(0, 10)).getUTCDay(), text.slice(10)];
        expect(partsOf(copy.startDate as string)).toEqual(partsOf(was));
        expect(Number.parseInt(copy.startDate as string, 10)).toBe(Number.parseInt(was, 10) + 1);
      }),
    );
    expect(rules.copyOf(event({ ename: "Gala 2030" }), "UTC")).toMatchObject({ year: "2031", ename: "Gala 2031" });
  });
});

test("two executives are in conflict about a field exactly when both have changed it, to different values", () => {
  const value = fc.constantFrom<(string | boolean | undefined)[]>("", "x", "y", false, true, undefined);
  fc.assert(
    fc.property(value, value, value, (base, mine, theirs) => {
      const [was, my, their] = [base, mine, theirs].map((one) => one || "");
      const isConflict = was !== my && was !== their && my !== their;
      expect(rules.conflictsOf({ f: base }, { f: mine }, { f: theirs })).toEqual(isConflict ? ["f"] : []);
    }),
  );
  expect(rules.conflictsOf({}, { q: [{ label: "a" }] }, { q: [{ label: "b" }] })).toEqual(["q"]);
});

describe("the deletion of an event", () => {
  const payment = (fields: object) => ({
    ...{ email: "ada@unit.example", settledAs: "seat", settledAt: 5, amount: 1_000 },
    ...{ wentBack: 0, open: 0, frozen: 0, lost: 0, ...fields },
  });
  const planOf = (rows: readonly Registration[], ...payments: readonly object[]) =>
    rules.deletionOf(rows, payments as never);
  const given = (state: State, isPartner = false) => {
    const applied = state === "applicant" && { applicant: true, applicationBased: true };
    const record = registrationRecord({ status: statusOf(state), isPartner, ...applied });
    return { record, row: registrationAnswer(record) as unknown as Registration };
  };

  test.each<State>([...registrationStatuses, "applicant"])("does what the service does (%s)", (state) => {
    const { record, row } = given(state);
    const plan = planOf([row], payment({}));
    const isPaid = holdsSeat(record) && !isUnpaid(record);
    expect(plan.live > 0).toBe(state === "waitlist" || Object.keys(countersOf(record)).length > 0);
    expect(plan.refunds).toBe(isPaid && isRefundable({ ...record, paidBy: "cs" }) ? 1_000 : 0);
  });

  test("counts partners for themselves, and refunds a seat's last payment, less what has gone or is on its way", () => {
    const rows = [given("registered").row, given("registered", true).row, given("registered").row];
    const [former, other] = [payment({ settledAt: 4 }), payment({ settledAs: "refund", settledAt: 6 })];
    const plan = planOf(rows, payment({ wentBack: 100, open: 200, frozen: 10, lost: 20 }), former, other);
    expect(Object.fromEntries(plan.byStatus)).toEqual({ Registered: 2, "Registered (partners)": 1 });
    expect(plan).toMatchObject({ live: 3, paidSeats: 1, refunds: 670 });
  });
});
