/** Registrations at the desk: the moves that it offers, beside the service's own table; searches; decisions that are noted. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { isFound, searchFor } from "#domain/people/list.ts";
import { requestedState } from "#domain/registrations/form/requested-state.ts";
import { anyTerms, findMove, mayDelete, type Terms } from "#domain/registrations/record/moves.ts";
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registrationStatuses, type State, statusOf } from "#domain/registrations/record/statuses.ts";
import { StatusChanged } from "#domain/registrations/refusals.ts";
import { entryText } from "../../client/desk/registrations/history.ts";
import * as desk from "../../client/desk/registrations/moves.ts";
import * as people from "../../client/desk/registrations/people.ts";
import type { EventWithCounts, Registration } from "../../client/shared/types.ts";
import { givenGala } from "./gala.ts";
import { registrationRecord } from "./given.ts";

const { registrationAnswer } = await import("#api/records/registration-answer.ts");
const { foundIn } = await import("#domain/registrations/door/search.ts");

const { schemas } = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8")).components;
const statuses: readonly desk.Status[] = schemas.Registration.properties.registrationStatus.enum;
const states: readonly State[] = [...registrationStatuses, "applicant"];

/** A row of a list, as the API answers it. */
const rowOf = (record: Partial<RegistrationRecord>) =>
  registrationAnswer(registrationRecord(record)) as unknown as Registration;
const pricingOf = (member: number, other: number) => ({ member, members: member, nonMember: other });

test("cash that was a deposit goes back to who has paid, not to who has the seat from them", () => {
  const [own, other] = [undefined, { mark: "m", times: 1 }].map((handed) =>
    desk.depositText(rowOf({ status: "checkedIn", deposit: "dueByHand", ...(handed && { handed }) })),
  );
  expect(own).toBe("Give the deposit back, and record that under Money");
  expect(other).toContain("to who has paid");
});

describe("the moves that are offered are those that the service allows an admin", () => {
  const kinds = [true, false].flatMap((application) => [true, false].map((priced) => ({ application, priced })));
  const cameFroms = ["registered", "accepted", "acceptedComplete"] as const;
  const cases = states.flatMap((from) =>
    (from === "checkedIn" ? cameFroms : [undefined]).flatMap((came) =>
      kinds.map((terms) => [from, came, terms] as const),
    ),
  );

  /** Where the service lets an admin take a registration. */
  function allowed(from: State, cameFrom: State, terms: Terms): readonly string[] {
    // An undone check-in restores the state before it; a cancelled registration begins anew; `leave` ignores the terms.
    if (from === "checkedIn") return findMove(from, cameFrom, anyTerms, "admin") ? [cameFrom] : [];
    if (from === "cancelled") return ["deleted", "registered"];
    const termsFor = (to: State) => (from === "registered" && to === "waitlist" ? anyTerms : terms);
    const moved = states.filter((to) => findMove(from, to, termsFor(to), "admin"));
    return [...moved, ...(mayDelete(from, "admin") ? ["deleted"] : [])].toSorted();
  }

  test.each(cases)("%s (before: %s) %j", (from, came, terms) => {
    const record = registrationRecord({
      ...{ status: statusOf(from), applicant: from === "applicant", ...(came && { cameFrom: came }) },
      applicationBased: from === "applicant" || (terms.application && from !== "registered"),
    });
    const row = rowOf(record);
    const pricing = terms.priced ? pricingOf(10, 10) : pricingOf(0, 0);
    const offered = desk.moveNames
      .filter((name) => desk.mayMove(name, row, terms.application))
      .map((name) =>
        name === "delete" ? "deleted" : requestedState(desk.wantedBy(name, row, pricing), record, terms),
      );
    expect(desk.stateOf(row)).toBe(from);
    expect(offered.toSorted()).toEqual(allowed(from, came ?? from, terms));
  });

  test.each([
    [pricingOf(0, 10), true, "registered"],
    [pricingOf(0, 10), false, "incomplete"],
    [pricingOf(10, 0), false, "registered"],
  ])("a seat at prices of %j for a person in line (a member: %s) is %s at last", async (pricing, isMember, status) => {
    const gala = givenGala({ capac: 1, pricing });
    gala.givenMember("ada", isMember);
    await gala.register("first");
    await gala.register("ada");
    gala.change({ capac: 2 });
    const wanted = desk.wantedBy("seat", rowOf(gala.registrationOf("ada")), pricing);
    const { registrationStatus: asked } = wanted as { registrationStatus: desk.Status };
    await gala.become("ada", asked, "admin").catch(({ message }) => {
      return gala.become("ada", desk.instead(asked, message) as string, "admin");
    });
    expect(gala.registrationOf("ada").status).toBe(status);
    expect(desk.instead(asked, "This event is full.")).toBeUndefined();
  });
});

test("each status of the API has words of its own, also in the API's sentence about another one", () => {
  expect(Object.keys(desk.states).toSorted()).toEqual([...statuses, "applicant"].toSorted());
  expect(new Set(Object.values(desk.states).map(([text]) => text)).size).toBe(statuses.length + 1);
  for (const status of statuses) {
    const said = desk.inWords(new StatusChanged(registrationRecord({ status })).message);
    expect(said).toContain(`it is “${desk.states[status][0]}” now`);
  }
});

// biome-ignore format: one row a case
test.each([
  [3, 0, 5, undefined, "3 chosen, 5 seats free: all fit. "],
  [3, 0, 1, undefined, "3 chosen, 1 seat free: 2 will be refused, or wait. "],
  [2, 1, null, undefined, "3 chosen, seats without a limit. "],
  [1, 2, 1, 1, "1 chosen, 1 seat free: all fit. 2 chosen as partners, 1 seat free: 1 will be refused, or wait. "],
  [0, 1, 9, 0, "1 chosen as partners, 0 seats free: 1 will be refused, or wait. "],
])("%i attendees and %i partners for %p and %p seats: %s", (attendees, partners, remaining, partnerRemaining, text) => {
  const rows = [...Array(attendees).fill({ isPartner: false }), ...Array(partners).fill({ isPartner: true })];
  const event = { partnerCapac: partnerRemaining && 1, counts: { remaining, partnerRemaining } };
  expect(desk.seatsText(event as unknown as EventWithCounts, rows)).toBe(text);
  expect(desk.seatsText({}, rows)).toBe("");
});

describe("a search", () => {
  const letters = fc.string({ unit: fc.constantFrom(..."aAéßöøﬁjnJ-'’ ."), minLength: 1, maxLength: 8 });
  const typings: readonly ((text: string) => string)[] = [
    ...[(text: string) => text, (text: string) => text.toUpperCase(), (text: string) => text.normalize("NFD")],
    ...[(text: string) => text.replace(/\p{P}/gu, ""), (text: string) => text.replace(/\p{P}/gu, " ")],
  ];

  test("finds everyone whom the API finds, in lists and at the door", () => {
    const [typing, wanted] = [fc.constantFrom(...typings), fc.tuple(fc.nat(18), fc.nat(2))];
    let found = 0;
    fc.assert(
      fc.property(letters, letters, typing, wanted, (fname, lname, type, [length, of]) => {
        const email = "jean+luc.n@student.example";
        const typed = type([`${fname} ${lname}`, lname, email][of]?.slice(0, length + 1) ?? "");
        const record = registrationRecord({ email, fname, basicInformation: { lname } });
        const door = foundIn([{ mark: "m", registration: { ...record, PK: email, SK: "" } }], typed).people;
        const isInList = isFound(searchFor(typed), { email, first: fname, last: lname });
        if (!/\p{L}/u.test(typed) || !(isInList || door.length > 0)) return;
        found += 1;
        expect({ typed, found: people.finder(typed)(record) }).toEqual({ typed, found: true });
      }),
      { numRuns: 500 },
    );
    expect(found).toBeGreaterThan(100);
  });

  test.each(["velace", "''", "ada x", "lovelace@"])("for %j finds no Ada Lovelace", (typed) => {
    expect(people.finder(typed)(rowOf({ fname: "Ada", basicInformation: { lname: "Lovelace" } }))).toBe(false);
  });
});

test("changes are asked for from five minutes before the last one; only newer rows replace others, new ones come last", () => {
  const at = (email: string, updatedAt: number, points = 0) => rowOf({ email, updatedAt, points });
  const rows = [at("a", 1_000_000), at("b", 900_000)];
  expect([rows, [], [at("a", 5)]].map(people.askSince)).toEqual([700_000, 0, 0]);
  const news = [at("b", 950_000, 7), at("a", 1_000_000, 7), at("c", 1, 7)];
  expect(people.merged(rows, news).map(({ points }) => points)).toEqual([0, 7, 7]);
});

test("batches have each row once, in order, and all but the last one are full", () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 9 }), (all, size) => {
      const batches = people.batchesOf(all, size);
      expect(batches.flat()).toEqual(all);
      expect(batches.every(({ length }, at) => length === Math.min(size, all.length - at * size))).toBe(true);
    }),
  );
});

test("a person has one noted decision, the last; after sending stay those that failed, and new ones", () => {
  const rows = [rowOf({ email: "a" }), rowOf({ email: "b" }), rowOf({ email: "c" })] as const;
  const [a, b, c] = rows;
  const notes = people.noted(people.noted(people.noted([], a, "accept"), b, "reject"), a, "line");
  expect(people.notesText(notes)).toBe("1 rejected, 1 put in line");
  const all = people.noted(notes, c, "accept");
  const results = [{ email: "a", success: true }].concat({ email: "b", success: false });
  const left = people.afterSending(all, results);
  expect(left.map(({ email, name }) => `${email} ${name}`)).toEqual(["b reject", "c accept"]);
  const next = (at: number, of: readonly people.Note[]) => people.nextOf(rows, at, of)?.email;
  expect([next(0, notes), next(2, []), next(0, all), next(2, all)]).toEqual(["c", "a", "b", "c"]);
});

test("the history says who has changed what, in the words for statuses, and without what is internal", () => {
  const status = { field: "status", before: "incomplete", after: "checkedIn" };
  const entry = { actor: "device:x", action: "moved", changes: [status, { field: "cameFrom" }, { field: "owes" }] };
  const text = entryText(entry as never, { moment: String, money: String });
  expect(text).toBe("A phone at the door: Moved. Status: Seat held, not paid → Checked in · Owes");
});
