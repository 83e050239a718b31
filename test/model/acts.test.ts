/** All ways of all acts, mixed at random (`docs/contract.md`, "Acts"), and each rule with its mutant. */
import "../unit/environment.ts";
import { afterEach, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { answering, joining, leaving } from "#domain/registrations/record/acts.ts";
import { draw, runs } from "../seeds.ts";
import type { Asked } from "./acts-judge.ts";
import { ActsWorld, openProduct, type Product, people } from "./acts-world.ts";
import { chance, type Drawn } from "./chance.ts";

let product: Product;
beforeAll(async () => {
  product = await openProduct();
});

const who = fc.constantFrom("a", "b", "c");
const anybody = fc.constantFrom(...people);
const seen = fc.option(fc.constantFrom("registered", "waitlist", "incomplete"), { nil: undefined, freq: 4 });
const isPartner = fc.boolean();

/** An executive's acts are about themself, or about others. */
const asOwn = (what: "desk" | "bulk") => (name: string) => (name === "x" ? `self/${what}` : `admin/${what}`);
const own = (name: string) => (name === "x" ? "self/desk" : "self/account");

const act: fc.Arbitrary<Asked> = fc.oneof(
  {
    weight: 6,
    arbitrary: anybody.chain((name) =>
      fc.record({
        do: fc.constant("join" as const),
        who: fc.constant(name),
        origin: fc.constantFrom(own(name), ...(name === "x" ? [] : ["self/guest", "admin/desk", "admin/bulk"])),
        isPartner,
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: anybody.chain((name) =>
      fc.record({
        do: fc.constant("change" as const),
        who: fc.constant(name),
        origin: fc.constantFrom(
          own(name),
          ...(name === "x" ? ["self/bulk"] : ["self/link", "admin/desk", "admin/bulk"]),
        ),
        to: fc.constant("cancelled"),
        seen,
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: anybody.chain((name) =>
      fc.record({
        do: fc.constant("remove" as const),
        who: fc.constant(name),
        origin: fc.constantFrom(own(name), asOwn("desk")(name), asOwn("bulk")(name)),
        seen,
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      who,
      origin: fc.constantFrom("self/account", "self/link", "admin/desk"),
      text: fc.constantFrom("one", "two", "three"),
      seen,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      who,
      origin: fc.constantFrom("self/account", "self/link", "admin/desk", "admin/desk"),
      isPartner,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      who,
      origin: fc.constantFrom("self/account", "admin/desk"),
      to: fc.constantFrom("checkedIn", "rejected", "waitlist"),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("lapse" as const),
      who,
      origin: fc.constantFrom("clock/hold", "provider/checkout"),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("pay" as const), who: anybody }) },
  {
    weight: 1,
    arbitrary: fc
      .record({ do: fc.constant("forget" as const), who, origin: fc.constantFrom("self/account", "admin/desk") })
      .map((one) => ({
        ...one,
        origin: one.origin === "self/account" ? "person deleted/account" : "person deleted/desk",
        deletion: one.origin,
      })),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("event" as const),
      changes: fc.constantFrom<object>(
        { partnerCapac: 1 },
        { partnerCapac: 0 },
        { partnerCapac: null },
        { capac: 1 },
        { capac: 2 },
        { allotment: 1 },
        { allotment: 0 },
        { isPublished: false },
        { isPublished: true },
        { guests: "nobody" },
        { guests: "everyone" },
        { nonBizTechAllowed: false },
        { nonBizTechAllowed: true },
      ),
    }),
  },
);

const story = fc.record({
  fields: fc.constantFrom<object>(
    { capac: 1 },
    { capac: 2 },
    { capac: 2, pricing: { members: 10, nonMembers: 10 } },
    { capac: 1, partnerCapac: 1, pricing: { members: 10, nonMembers: 10 } },
  ),
  groups: fc.array(
    fc.record({
      hours: fc.constantFrom<number>(0, 0, 0, 0, 1, 2),
      group: fc.array(act, { minLength: 1, maxLength: 3 }),
      drawn: chance,
    }),
    { minLength: 8, maxLength: 16, size: "max" },
  ),
  end: fc.option(fc.record({ quietly: fc.boolean(), withoutRefund: fc.boolean() }), { nil: undefined }),
});
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

async function violationsOf({ fields, groups, end }: Story): Promise<string[]> {
  const world = new ActsWorld(product);
  await world.open(fields);
  for (const { group, hours, drawn } of groups) await world.together(group, hours, drawn);
  world.judge.judgeReport(world.report());
  if (end) await world.remove(end.quietly, end.withoutRefund);
  return [...world.judge.violations];
}

test("whichever ways people come, leave and write by, the same rules hold", () =>
  fc.assert(
    fc.asyncProperty(story, async (one) => {
      expect(await violationsOf(one)).toEqual([]);
    }),
    { numRuns: runs({ few: 15, many: 1_000 }) },
  ));

/** A request from just before the deletion may be written between the steps of the consumer. */
test("who registers again while the account is deleted keeps no seat", () => {
  const join = { do: "join", who: "a", origin: "self/account", isPartner: false } as const;
  const leave: Asked = { do: "remove", who: "a", origin: "self/account" };
  const forget: Asked = { do: "forget", who: "a", origin: "person deleted/account", deletion: "self/account" };
  return fc.assert(
    fc.asyncProperty(chance, async ({ order }) => {
      const drawn = { order, dice: fc.stream(always(50)) };
      const groups = [[join], [leave], [join, forget]].map((group) => ({ hours: 0, group, drawn }));
      expect(await violationsOf({ fields: { capac: 1 }, groups, end: undefined })).toEqual([]);
    }),
    { numRuns: runs({ few: 40, many: 400 }) },
  );
});

test("an event that is called off has nobody with a seat or in line, whoever joins at that moment", () => {
  const join = (who: string, origin = "self/account") => ({ do: "join", who, origin, isPartner: false }) as const;
  const pay = { do: "pay", who: "a" } as const;
  const calledOff: Asked = { do: "event", changes: { calledOff: "The hall is closed." } };
  const pricing = { members: 10, nonMembers: 10 };
  return fc.assert(
    fc.asyncProperty(chance, fc.constantFrom(1, 2), async ({ order }, capac) => {
      const world = new ActsWorld(product);
      await world.open({ capac, pricing });
      const drawn = { order, dice: fc.stream(always(50)) };
      const joins = [join("b"), join("c", "admin/desk")];
      for (const group of [[join("a")], [pay], [calledOff, ...joins]]) await world.together(group, 0, drawn);
      await world.callOff();
      await world.together([join("c"), join("b", "admin/desk"), join("x", "self/desk")], 0, drawn);
      const states = people.map((who) => world.registrationOf(who)?.status ?? "none");
      expect(states.filter((state) => !["none", "cancelled", "deleted"].includes(state))).toEqual([]);
      expect([...world.judge.violations]).toEqual([]);
    }),
    { numRuns: runs({ few: 25, many: 400 }) },
  );
});

type Cells = Record<string, Record<string, unknown> | undefined>;
const tables = { leaving, joining, answering } as unknown as Record<string, Cells>;
let restore = (): unknown => undefined;
afterEach(() => {
  restore();
});

function mutate(table: string, origin: string, changes: Readonly<Record<string, unknown>>): void {
  const row = tables[table]?.[origin] as Record<string, unknown>;
  const was = { ...row };
  for (const [column, value] of Object.entries(changes)) expect(was[column]).not.toEqual(value);
  Object.assign(row, changes);
  restore = () => Object.assign(row, was);
}

// biome-ignore format: one row a mutant
const mutants: readonly (readonly [table: string, origin: string, column: string, value: unknown, found: string, also?: object])[] = [
  ["leaving", "self/account", "until", "never", "LEFT_AFTER_THE_START"],
  ["leaving", "self/link", "until", "never", "LEFT_AFTER_THE_START"],
  ["leaving", "self/account", "refund", "owed", "REFUND_RULE"],
  ["leaving", "self/link", "refund", "owed", "REFUND_RULE"],
  ["leaving", "self/desk", "refund", "owed", "REFUND_RULE"],
  ["leaving", "admin/desk", "refund", "by rule", "REFUND_RULE"],
  ["leaving", "admin/bulk", "refund", "ordered", "REFUND"],
  ["leaving", "person deleted/account", "refund", "owed", "REFUND_RULE"],
  ["leaving", "person deleted/desk", "refund", "by rule", "REFUND_RULE"],
  ["leaving", "event deleted/event", "refund", "owed", "REFUND"],
  ["leaving", "event deleted/event", "notice", "sent", "NOTICE"],
  ["leaving", "self/account", "revivable", true, "REVIVED"],
  ["leaving", "admin/desk", "revivable", true, "REVIVED"],
  ["leaving", "self/link", "report", "cancelled", "REPORT"],
  ["leaving", "self/account", "report", "not counted", "REPORT"],
  ["leaving", "clock/hold", "report", "cancelled", "REPORT"],
  ["leaving", "admin/bulk", "audit", "nothing", "AUDIT"],
  ["leaving", "self/account", "audit", "fields", "AUDIT"],
  // The claim on the seats has the deadline, too.
  ["joining", "self/account", "times", "ignored", "JOINED_LATE", { claims: joining["admin/desk"].claims }],
  ["joining", "self/account", "hidden", "ignored", "JOINED_HIDDEN"],
  ["joining", "self/guest", "hidden", "ignored", "JOINED_HIDDEN"],
  ["joining", "self/guest", "membersOnly", "ignored", "JOINED_AS_NO_MEMBER"],
  ["joining", "self/guest", "guests", "ignored", "GUEST"],
  ["joining", "self/account", "budget", "none", "TOO_OFTEN"],
  ["answering", "self/account", "answers", "always", "ANSWERED_LATE"],
  ["answering", "self/link", "answers", "always", "ANSWERED_LATE"],
  ["answering", "self/account", "privileges", true, "PRIVILEGE"],
  ["answering", "self/link", "privileges", true, "PRIVILEGE"],
  ["answering", "self/account", "rights", "admin", "RIGHTS"],
];

/** The shortest story that breaks the rule, if it is not enforced. No call fails. */
function storyOf(origin: string, found: string): Story {
  const person = { who: origin === "self/desk" ? "x" : "a" };
  const join = { do: "join", ...person, origin: own(person.who), isPartner: false } as const;
  const pay = { do: "pay", ...person } as const;
  const change = (more: object): Asked => ({ do: "change", ...person, origin, ...more });
  const event = (changes: object): Asked => ({ do: "event", changes });
  const departures: Readonly<Record<string, Asked>> = {
    "admin/bulk": { do: "remove", ...person, origin },
    "clock/hold": { do: "lapse", ...person, origin },
    "person deleted/account": { do: "forget", ...person, origin, deletion: "self/account" },
    "person deleted/desk": { do: "forget", ...person, origin, deletion: "admin/desk" },
  };
  const leave = departures[origin] ?? change({ to: "cancelled" });
  const isEnd = origin.startsWith("event deleted");
  const joinBy = { ...join, origin };
  const repeated = Array.from({ length: 7 }, () => [join, change({ to: "cancelled" })]).flat();
  const acts: Readonly<Record<string, readonly (Asked | number)[]>> = {
    LEFT_AFTER_THE_START: [join, 11, leave],
    REFUND_RULE: [join, pay, leave],
    REFUND: isEnd ? [join, pay] : [join, pay, leave],
    NOTICE: [join],
    REVIVED: [join, leave, pay],
    REPORT: [join, 1, leave],
    AUDIT: [join, leave],
    JOINED_LATE: [9, joinBy],
    JOINED_HIDDEN: [event({ isPublished: false }), joinBy],
    JOINED_AS_NO_MEMBER: [event({ nonBizTechAllowed: false }), joinBy],
    GUEST: [event({ guests: "nobody" }), joinBy],
    TOO_OFTEN: repeated,
    ANSWERED_LATE: [join, 9, change({ text: "late" })],
    PRIVILEGE: [join, change({ isPartner: true })],
    RIGHTS: [join, change({ to: "checkedIn" })],
  };
  const isUnpaid = found === "REVIVED" || origin === "clock/hold" || found.startsWith("REFUND");
  const groups: { hours: number; group: Asked[]; drawn: Drawn }[] = [];
  let hours = 0;
  for (const one of acts[found] ?? []) {
    if (typeof one === "number") {
      hours = one;
      continue;
    }
    groups.push({ hours, group: [one], drawn: { ...draw(chance), dice: fc.stream(always(50)) } });
    hours = 0;
  }
  const fields = { capac: 2, ...(isUnpaid && { pricing: { members: 10, nonMembers: 10 } }) };
  return { fields, groups, end: isEnd ? { quietly: found === "NOTICE", withoutRefund: true } : undefined };
}

function* always(roll: number): Generator<number> {
  for (;;) yield roll;
}

test.each(mutants)("a mutant is found: %s of %s, %s is %s", async (table, origin, column, value, found, also = {}) => {
  expect(await violationsOf(storyOf(origin, found))).toEqual([]);
  mutate(table, origin, { [column]: value, ...also });
  expect(await violationsOf(storyOf(origin, found))).toContain(found);
});
