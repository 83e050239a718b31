/** An evening at the desk, its report, and whom campaigns reach: beside the service's own rules. */
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { newPseudonym } from "#domain/people/users/erasures.ts";
import { outcomes, reasons } from "#domain/registrations/door/scans.ts";
import { isUnpaid } from "#domain/registrations/record/registration.ts";
import { registrationStatuses, type State, statusOf } from "#domain/registrations/record/statuses.ts";
import * as door from "../../client/desk/evening/at-door.ts";
import { answersTo, overall } from "../../client/desk/evening/feedback.ts";
import { figuresOf, type Report, showUpRate } from "../../client/desk/evening/figures.ts";
import * as mails from "../../client/desk/mails/words.ts";
import { registrationRecord } from "./given.ts";

const { registrationAnswer } = await import("#api/records/registration-answer.ts");
const { isMeant } = await import("#domain/mail/campaigns/audience.ts");
const { checkInMove } = await import("#domain/registrations/door/check-in.ts");

const { schemas } = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8")).components;
const askedStatuses: readonly mails.Status[] = schemas.NewCampaign.properties.audience.properties.status.items.enum;
const states: readonly State[] = [...registrationStatuses, "applicant"];
const minute = 60_000;

const given = (state: State, email = "ada@unit.example") => {
  const record = registrationRecord({ email, status: statusOf(state), applicant: state === "applicant" });
  return { record, row: registrationAnswer(record) as unknown as door.Visitor };
};

// `registered` is an application exactly at events that take them.
test.each(states)("a person who is %s may enter, is counted and meant by a campaign as the service says", (state) => {
  const { record, row } = given(state);
  const [toCome, inside] = [checkInMove(record) ? 1 : 0, state === "checkedIn" ? 1 : 0];
  const [waiting, unpaid] = [state === "waitlist" ? 1 : 0, isUnpaid(record) ? 1 : 0];
  for (const applications of [true, false].filter((one) => state !== (one ? "registered" : "applicant"))) {
    const counted = { inside, toCome, waiting, unpaid };
    expect(door.countedOf([row], applications)).toEqual(counted);
    expect(mails.audienceOf([row], [], applications).length > 0).toBe(isMeant(record));
    for (const status of askedStatuses)
      expect(mails.audienceOf([row], [status], applications).length > 0).toBe(isMeant(record, [status]));
  }
});

test("every status that a campaign may ask for can be chosen, and has words; erased people get none", () => {
  expect(mails.statuses.toSorted()).toEqual(askedStatuses.toSorted());
  for (const status of askedStatuses) expect(door.statusText(status, false)).toMatch(/^[A-Z]/);
  expect(door.statusText("registered", true)).toBe(door.statusText("applicant", false));
  const rows = [given("registered").row, given("registered", newPseudonym()).row];
  for (const chosen of [[], ["registered"]])
    expect(mails.audienceOf(rows, chosen, false)).toEqual(["ada@unit.example"]);
});

test("people are found by names as they are typed, and by nothing none", () => {
  const rows = ["O'Neil", "Straßer", "Neil"].map((fname) => ({ ...given("registered").row, fname }));
  const found = ["neil", "oneil", " "].map((typed) => `${door.found(rows, typed).map(({ fname }) => fname)}`);
  expect(found).toEqual(["Neil,O'Neil", "O'Neil", ""]);
});

test("arrivals are all in the bars, of which there are at most 24 by minutes, without gaps", () => {
  const counts = fc.array(fc.tuple(fc.nat(1_439 * minute), fc.integer({ min: 1, max: 9 })), { minLength: 1 });
  const sum = (all: readonly (readonly [unknown, number])[]) => all.reduce((so, [, count]) => so + count, 0);
  fc.assert(
    fc.property(counts, (some) => {
      const { minutes, bars } = door.arrivalsOf(some, "UTC");
      const times = some.map(([at]) => Math.floor(at / (minutes * minute)));
      expect(sum(bars)).toBe(sum(some));
      expect(bars).toHaveLength(Math.max(...times) - Math.min(...times) + 1);
      expect(bars.length).toBeLessThanOrEqual(24);
    }),
  );
  // Within two hours, of which a 25th step of five minutes has begun.
  const late = [4 * minute, 123.9 * minute].map((at) => [at, 1] as const);
  expect(door.arrivalsOf(late, "UTC").minutes).toBe(10);
});

test("arrivals have the clock of the stage, and the day where there are two", () => {
  const at = (...iso: readonly string[]) => {
    const times = iso.map((time) => [Date.parse(time), 1] as const);
    return door.arrivalsOf(times, "America/Vancouver").bars.map(([label]) => label);
  };
  expect(at("2030-03-02T02:01Z", "2030-03-02T02:11Z")).toEqual(["7:00 PM", "7:05 PM", "7:10 PM"]);
  expect(at("2030-03-02T06:59Z", "2030-03-02T07:00Z")).toEqual(["03-01 11:55 PM", "03-02 12:00 AM"]);
  expect(at()).toEqual([]);
});

test("scans to look at are all but ordinary check-ins, newest first, and every reason has words", () => {
  type Scan = door.ScannedTicket["scans"][number];
  const scan = (at: number, outcome: string, reason = "") => ({ nonce: "", at, device: "d", outcome, reason }) as Scan;
  const noted = door.notedScans([{ mark: "m", scans: outcomes.map((outcome, at) => scan(at, outcome)) }], false);
  expect(noted.map(({ at }) => outcomes[at])).toEqual(outcomes.filter((one) => one !== "checkedIn").toReversed());
  for (const reason of [...Object.values(reasons), ...states])
    expect(door.notedScans([{ mark: "m", scans: [scan(1, "refused", reason)] }], false)[0]?.why).toMatch(/^[A-Z]/);
});

test("feedback has a bar for each point of a scale and each choice, also one that is gone, the mean, and authors", () => {
  const submissions = [
    { id: "1", came: true, respondentName: "Ada", responses: { [overall.questionId]: 9, c: ["x", "old"], t: "Good" } },
    { id: "2", came: false, responses: { [overall.questionId]: 6, c: ["x"] } },
  ] as unknown as Parameters<typeof answersTo>[1];
  const bars = [0, 0, 0, 0, 0, 1, 0, 0, 1, 0].map((count, at) => [`${at + 1}`, count]);
  expect(answersTo(overall, submissions)).toEqual({ bars, mean: 7.5 });
  expect(answersTo(overall, [])).toMatchObject({ mean: undefined });
  const chosen = answersTo({ ...overall, questionId: "c", type: "CHECKBOXES", choices: ["x", "y"] }, submissions);
  expect(Object.fromEntries(chosen.bars ?? [])).toEqual({ x: 2, y: 0, old: 1 });
  const texts = answersTo({ ...overall, questionId: "t", type: "LONG_TEXT" }, submissions);
  expect(texts).toEqual({ remarks: [{ id: "1", text: "Good", by: "Ada, came" }] });
});

test("a report has a rate only after the end, and counts late cancellations once", () => {
  const report = { came: 2, noShows: 1, applicants: 0, rejected: 0, cancelled: 3, cancelledLate: 1 } as Report;
  const { noShows: _, ...before } = report;
  expect([report, before, { ...report, came: 0, noShows: 0 }].map(showUpRate)).toEqual([67, undefined, undefined]);
  const figures = new Map(figuresOf(report));
  expect(["Cancelled early", "Rejected"].map((label) => figures.get(label))).toEqual([2, undefined]);
});
