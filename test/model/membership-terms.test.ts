/**
 * Memberships with an end: a club's year by the clock, and the night of the end with payments, an executive and runs that
 * die, in random orders, and with one condition taken out at a time.
 */
import { beforeAll, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { draw, runs } from "../seeds.ts";
import { chance, type Drawn, diceOf } from "./chance.ts";
import { ClubEvents, openEvents } from "./club-events.ts";
import type { Item } from "./expression.ts";
import type { Changed, MemoryTable } from "./table.ts";
import { partitionOf, writesOf } from "./table.ts";
import { alone, type Call, type Fate, newWorld, openWorld, together, traceOf } from "./world.ts";

process.env.MEMBERSHIP_TERM = '{"endsOn":"08-31","remindDays":30}';
jest.unstable_mockModule("#kit/secret.ts", () => ({ readSecret: async () => "the key of a model" }));

let product: Awaited<ReturnType<typeof openProduct>>;
beforeAll(async () => {
  product = await openProduct();
});

/** One import after the other: Jest links modules badly in parallel. */
async function openProduct() {
  await openWorld();
  const { grantMembership } = await import("#domain/people/members/grant.ts");
  const { keepTerms } = await import("#domain/people/members/keep-terms.ts");
  const { settleMembership } = await import("#domain/payments/settling/settle-membership.ts");
  const { endMember } = await import("#domain/people/members/delete-member.ts");
  const { isMemberAt } = await import("#domain/people/users/user.ts");
  const { systemContext } = await import("#kit/request/context.ts");
  const events = await openEvents();
  return { grantMembership, keepTerms, settleMembership, endMember, isMemberAt, systemContext, events };
}

const form = { firstName: "Ada", lastName: "Lovelace" };
const at = (text: string): number => Date.parse(text);
const day = 86_400_000;
/** The first moments after a 31 August in Vancouver. */
const ends = { 2031: at("2031-09-01T07:00:00Z"), 2032: at("2032-09-01T07:00:00Z") };

const context = (name: string, now: number) => product.systemContext(name, now, performance.now() + 900_000);
const grant = (email: string, now: number, name = `grant ${now}`) =>
  product.grantMembership(form, { email, adminDomain: "club.example" }, context(name, now));
/** The event of a payment whose checkout was opened at `paidAt`. */
const pay = (email: string, paymentId: string, paidAt: number, now = paidAt, name = paymentId) =>
  product.settleMembership(
    { paymentId, email, money: { amount: 1_500, currency: "CAD" } },
    { id: `c-${paymentId}`, email, createdAt: paidAt, purpose: { kind: "membership", form } },
    context(name, now),
  );
const seedCheckout = (table: MemoryTable, paymentId: string) =>
  table.seed({ PK: `PAY#c-${paymentId}`, SK: "CHECKOUT", purpose: { kind: "membership", form } });
const night = (now: number, name = `night ${now}`) => product.keepTerms(context(name, now));

/** What is stored, and what was told, after each commit. */
class Ledger {
  readonly stored = new Map<string, Item>();
  /** The types of messages about each person. */
  readonly told = new Map<string, string[]>();

  readonly commit = (changes: readonly Changed[]): void => {
    for (const { before, after } of changes) {
      const { PK, SK } = (after ?? before ?? {}) as Item;
      if (after) this.stored.set(`${PK} ${SK}`, after);
      else this.stored.delete(`${PK} ${SK}`);
      if (after?.detailType === undefined || before) continue;
      const { email } = (after.detail as { readonly data: { readonly email: string } }).data;
      this.told.set(email, [...(this.told.get(email) ?? []), String(after.detailType)]);
    }
  };

  of = (email: string, kind: "USER" | "MEMBER") => this.stored.get(`USER#${email} ${kind}`) as Item | undefined;
  count = (email: string, type: string) => (this.told.get(email) ?? []).filter((one) => one === type).length;
  /** The times of a person's notes for the night. */
  notes = (email: string) =>
    [...this.stored.keys()]
      .filter((key) => key.startsWith("TERMS ") && key.endsWith(`#${email}`))
      .map((key) => Number(key.slice(6, 19)));
  isMember = (email: string, now: number) => product.isMemberAt(this.of(email, "USER") as never, now);
}

/** How the members of a club take the end of their year, and when they are members. */
const kinds = ["pays in time", "is granted in the last hour", "leaves", "pays late", "is one for good"] as const;
type Kind = (typeof kinds)[number];
const lateAt = at("2031-09-20T20:00:00Z");
const isMemberBy: Readonly<Record<Kind, (now: number) => boolean>> = {
  "pays in time": (now) => now < ends[2032],
  "is granted in the last hour": (now) => now < ends[2032],
  leaves: (now) => now < ends[2031],
  "pays late": (now) => now < ends[2031] || (now >= lateAt && now < ends[2032]),
  "is one for good": () => true,
};

interface Act {
  /** Epoch milliseconds. */
  readonly when: number;
  readonly act: () => Promise<unknown>;
}

/** The evenings of the year, whose prices and places in line are those of the day. @returns their acts, and what was not as it should be */
function eveningsOf(club: ClubEvents, members: readonly { readonly email: string; readonly kind: Kind }[]) {
  const acts: Act[] = [];
  const wrong: unknown[] = [];
  const emailOf = (n: number): string => members[n]?.email ?? "";
  const expects = (when: number, what: () => Promise<unknown>, should: unknown): void => {
    const act = async () => {
      const is = await what();
      if (is !== should) wrong.push([new Date(when).toISOString(), is, should]);
    };
    acts.push({ when, act });
  };
  const joins = (id: string, n: number, when: number, should: unknown) =>
    expects(when, () => club.join(id, emailOf(n), when), should);

  // Six evenings: five people never come, five miss the first two, five always come.
  for (let evening = 0; evening < 6; evening += 1) {
    const [id, starts] = [`meet${evening}`, at("2030-11-10T02:00:00Z") + evening * 30 * day];
    club.given(id, starts);
    for (let n = 0; n < 15; n += 1) {
      joins(id, n, starts - day + n, "registered");
      const comes = n >= 10 || (n >= 5 && evening >= 2);
      if (comes) acts.push({ when: starts + n, act: () => club.checkIn(id, emailOf(n), starts + n) });
    }
  }
  const line = (id: string, starts: number, places: Readonly<Record<number, string>>) => {
    club.given(id, starts, { capac: 1, noShowsWait: true });
    joins(id, 20, starts - 4 * day, "registered");
    for (const [n, place] of Object.entries(places)) joins(id, Number(n), starts - 3 * day + Number(n), place);
  };
  const may = at("2031-05-20T02:00:00Z");
  expects(may - 5 * day, () => club.forgive(emailOf(1), may - 5 * day), 6);
  line("may", may, { 0: "waitlist, behind", 1: "waitlist", 2: "waitlist, behind", 5: "waitlist", 10: "waitlist" });
  acts.push({ when: may - day, act: () => club.leave("may", emailOf(20), may - day) });
  for (const [n, status] of [
    [0, "waitlist"],
    [1, "registered"],
    [5, "waitlist"],
  ] as const)
    expects(may - day + 1, async () => club.statusOf("may", emailOf(n)), status);
  line("november", at("2031-11-20T02:00:00Z"), { 0: "waitlist, behind", 1: "waitlist", 5: "waitlist" });
  // What was missed more than a year ago counts no more.
  line("march", at("2032-03-01T02:00:00Z"), { 0: "waitlist", 2: "waitlist" });

  // Prices are those of the day, whatever night has not run, and stay.
  const [ball, stays] = [at("2031-09-25T02:00:00Z"), 42];
  club.given("ball", ball, { pricing: { member: 0, nonMember: 15 } });
  club.given("meeting", ball, { nonBizTechAllowed: false });
  joins("ball", stays, ends[2031] - 1, "registered");
  for (const [n, { kind }] of [...members.entries()].slice(50, 55)) {
    const isMember = isMemberBy[kind](ends[2031] + 1);
    joins("ball", n, ends[2031] + 1, isMember ? "registered" : "incomplete");
    joins("meeting", n, ends[2031] + 2, isMember ? "registered" : "MEMBERS_ONLY");
  }
  joins("meeting", 58, lateAt + 1, "registered");
  expects(ball - 1, async () => club.statusOf("ball", emailOf(stays)), "registered");
  return { acts, wrong };
}

test("a club's year: 200 members, a night for each day, some nights missing and some twice", async () => {
  const ledger = new Ledger();
  const table = newWorld({ commit: ledger.commit, answered: () => undefined });
  const members = Array.from({ length: 200 }, (_, n) => ({
    email: `m${n}@model.example`,
    kind: kinds[n % 5] as Kind,
    n,
  }));
  const whoIs = (kind: Kind) => members.filter((one) => one.kind === kind);
  const told = (type: string) =>
    Object.fromEntries(
      kinds.map((kind) => [kind, [...new Set(whoIs(kind).map(({ email }) => ledger.count(email, type)))]]),
    );
  const joinedAt = ({ n }: { readonly n: number }) => at("2030-09-20T18:00:00Z") + (n % 40) * 5 * day;

  const acts: Act[] = [];
  for (const member of members) {
    const { email, kind, n } = member;
    const joins = joinedAt(member);
    if (kind === "is one for good") {
      // Stored before the stage had terms.
      const record = { email, admin: false, createdAt: 1, updatedAt: 1 };
      table.seed({ PK: `USER#${email}`, SK: "USER", ...record, isMember: true, favEvents: [] });
      table.seed({ PK: `USER#${email}`, SK: "MEMBER", ...record, ...form, version: 1, generation: "old" });
      ledger.stored.set(`USER#${email} USER`, { ...record, isMember: true });
      // A grant to a member without an end gives none.
      acts.push({ when: ends[2031] - 3 * day, act: () => grant(email, ends[2031] - 3 * day) });
      continue;
    }
    for (const paid of [`first-${n}`, `second-${n}`, `again-${n}`]) seedCheckout(table, paid);
    acts.push({ when: joins, act: () => pay(email, `first-${n}`, joins) });
    if (kind === "pays in time") {
      const paidAt = ends[2031] - (3 + (n % 25)) * day;
      // The event comes days late for some, and everyone pays a second time.
      acts.push({ when: paidAt + (n % 3) * day, act: () => pay(email, `second-${n}`, paidAt, paidAt + (n % 3) * day) });
      acts.push({ when: paidAt + 3 * day, act: () => pay(email, `again-${n}`, paidAt + 60_000, paidAt + 3 * day) });
    }
    if (kind === "is granted in the last hour") {
      const when = ends[2031] - 1_800_000;
      acts.push({ when, act: () => grant(email, when) }, { when: when + 1, act: () => grant(email, when + 1) });
    }
    if (kind === "pays late") acts.push({ when: lateAt, act: () => pay(email, `second-${n}`, lateAt) });
  }
  const evenings = eveningsOf(new ClubEvents(product.events, table), members);
  acts.push(...evenings.acts);
  let last = { reminded: 0, ended: 0 };
  const first = at("2030-09-15T10:17:00Z");
  for (let n = 0; n < 385; n += 1) {
    const when = first + n * day;
    // Every seventh night does not run, and every fifth runs twice. That of the end runs, and is repeated.
    const isMissing = n % 7 === 3 && when - ends[2031] > day;
    if (!isMissing) acts.push({ when, act: () => night(when) });
    if (n % 5 === 0 || (when > ends[2031] && when < ends[2031] + day))
      acts.push({ when: when + 1, act: () => night(when + 1) });
  }
  acts.sort((a, b) => a.when - b.when);
  let now = 0;
  for (const { when, act } of acts) {
    // Before any act of this moment: what the clock says does not wait for the night.
    for (const moment of [ends[2031] - 1, ends[2031], lateAt + 1]) {
      if (!(now < moment && moment <= when)) continue;
      for (const { email, kind } of members)
        expect([kind, ledger.isMember(email, moment)]).toEqual([kind, isMemberBy[kind](moment)]);
    }
    now = when;
    const done = await alone("act", act);
    if (done && typeof done === "object" && "ended" in done) last = { ...(done as typeof last) };
  }

  expect(evenings.wrong).toEqual([]);
  expect(last).toMatchObject({ reminded: 0, ended: 0 });
  const all = (count: number, but: Partial<Record<Kind, number>> = {}) =>
    Object.fromEntries(kinds.map((kind) => [kind, [but[kind] ?? count]]));
  // Who pays or is granted late in the year was reminded before; no member twice.
  expect(told("member.ending")).toEqual(all(1, { "is one for good": 0 }));
  expect(told("member.ended")).toEqual(all(0, { leaves: 1, "pays late": 1 }));
  expect(told("member.granted")).toEqual(all(1, { "is one for good": 0, "pays late": 2 }));
  expect(told("member.renewed")).toEqual(all(0, { "pays in time": 1, "is granted in the last hour": 1 }));
  expect(told("payment.refundRequired")).toEqual(all(0, { "pays in time": 1 }));
  for (const { email, kind, n } of members) {
    const [user, member] = [ledger.of(email, "USER"), ledger.of(email, "MEMBER")];
    // What was registered in August keeps the members' price after the end.
    expect(ledger.isMember(email, at("2031-08-25T00:00:00Z"))).toBe(true);
    if (kind === "is one for good") continue;
    expect([user?.isMember, user?.memberUntil]).toEqual([kind !== "leaves", member?.until]);
    expect(member?.until).toBe(kind === "leaves" ? ends[2031] : ends[2032]);
    expect(member?.createdAt).toBe(joinedAt({ n }));
    expect(ledger.notes(email)).toEqual(member?.dueAt === undefined ? [] : [member.dueAt]);
    expect(member?.dueAt).toBe(kind === "leaves" ? undefined : ends[2032] - 30 * day);
    // The number of a member stays: the one profile, as the membership names it.
    expect(ledger.stored.get(`USER#${email} PROFILE`)?.profileID).toBe(member?.profileID);
  }
});

const email = "ada@model.example";
const [evening, morning] = [ends[2031] - 3_600_000, ends[2031] + 3 * 3_600_000];

type Mutation = (call: Call) => void;
type NamedAct = (name: string) => Promise<unknown>;

const fateOf =
  (dice: () => number) =>
  (_call: Call, isWrite: boolean): Fate => {
    const thrown = dice();
    if (thrown < 6) return "conflict";
    if (thrown < 9) return "failed";
    if (thrown < 12) return "vanish";
    return thrown < 16 && isWrite ? "lost" : "fine";
  };

const quietly =
  (act: NamedAct, name: string): (() => Promise<void>) =>
  async () => {
    await act(name).catch(() => undefined);
  };

/** The night of the end: two runs, two payments of the evening whose events come late and twice, and perhaps an executive. */
async function run(withGrant: boolean, drawn: Drawn, mutate?: Mutation): Promise<readonly string[]> {
  const ledger = new Ledger();
  const table = newWorld({ commit: ledger.commit, answered: () => undefined });
  for (const paid of ["p0", "p1", "p2"]) seedCheckout(table, paid);
  await alone("before", () => pay(email, "p0", at("2030-10-01T00:00:00Z")));
  await alone("before", () => night(ends[2031] - 20 * day));
  const tellers: Readonly<Record<string, NamedAct>> = {
    "p1 told": (name) => pay(email, "p1", evening, morning, name),
    "p1 told again": (name) => pay(email, "p1", evening, morning, name),
    "p2 told": (name) => pay(email, "p2", evening + 1, morning, name),
  };
  const acts: Readonly<Record<string, NamedAct>> = {
    ...tellers,
    "night 1": (name) => night(morning, name),
    "night 2": (name) => night(morning + 1, name),
    ...(withGrant && { executive: (name: string) => grant(email, evening + 2, name) }),
  };
  const actors = Object.fromEntries(Object.entries(acts).map(([name, act]) => [name, quietly(act, name)]));
  const dice = diceOf(drawn);
  await together(actors, drawn.order, { fate: fateOf(dice), age: () => 0, pause: () => 1 + (dice() % 20), mutate });
  // The provider tells again what was not answered, and the next night runs.
  for (const [name, act] of Object.entries(tellers)) await alone(name, () => act(`${name} at last`));
  await alone("night", () => night(morning + day));
  const [user, member] = [ledger.of(email, "USER"), ledger.of(email, "MEMBER")];
  const terms = (member?.terms ?? []) as readonly { readonly until: number }[];
  const expected: readonly (readonly [string, unknown, unknown])[] = [
    ["terms", terms.map(({ until }) => until), [ends[2031], ends[2032]]],
    ["the end", [user?.isMember, user?.memberUntil, member?.until], [true, ends[2032], ends[2032]]],
    ["its note", ledger.notes(email), [ends[2032] - 30 * day]],
    ["the reminder", ledger.count(email, "member.ending"), 1],
    ["the end is told at most once", ledger.count(email, "member.ended") <= 1, true],
    ["a new term is told", ledger.count(email, "member.renewed") + ledger.count(email, "member.granted"), 2],
    [
      "each payment counts once",
      ledger.count(email, "payment.completed") + ledger.count(email, "payment.refundRequired"),
      3,
    ],
  ];
  const wrong = expected.flatMap(([what, is, should]) => (JSON.stringify(is) === JSON.stringify(should) ? [] : [what]));
  return wrong.length === 0 ? [] : [...wrong, ...traceOf()];
}

test.each([false, true])("the night of the end, an executive beside it: %s", (withGrant) =>
  fc.assert(
    fc.asyncProperty(chance, async (drawn) => expect(await run(withGrant, drawn)).toEqual([])),
    { numRuns: runs({ few: 60, many: 600 }), endOnFailure: true },
  ),
);

/** Takes out the condition on items with this sort key. */
const without =
  (isMeant: (partition: string, sortKey: string) => boolean): Mutation =>
  ({ command }) => {
    for (const write of writesOf(command)) {
      if (!write.ConditionExpression || !isMeant(partitionOf(write), String((write.Key ?? write.Item)?.SK))) continue;
      write.ConditionExpression = "attribute_not_exists(nothingIsCalledThis)";
      write.ExpressionAttributeNames = used(write.ExpressionAttributeNames, write.UpdateExpression);
      write.ExpressionAttributeValues = used(write.ExpressionAttributeValues, write.UpdateExpression);
    }
  };

/** DynamoDB refuses placeholders that are not used. */
const used = <T>(all: Record<string, T> | undefined, text = "") =>
  all && Object.fromEntries(Object.entries(all).filter(([name]) => new RegExp(`${name}(?![A-Za-z0-9_])`).test(text)));

describe("without the condition on", () => {
  test.each<[string, Parameters<typeof without>[0], string]>([
    [
      "membership and account, the night takes a paid term back",
      (_, key) => key === "MEMBER" || key === "USER",
      "the end",
    ],
    [
      "membership and account, a term is given twice",
      (_, key) => key === "MEMBER" || key === "USER",
      "a new term is told",
    ],
    ["the payment, it counts twice", (partition) => partition.startsWith("PAY#"), "each payment counts once"],
  ])("%s", async (_, isMeant, violation) => {
    const found = new Set<string>();
    for (let round = 0; round < 400 && !found.has(violation); round += 1) {
      for (const one of await run(round % 2 === 0, draw(chance), without(isMeant))) found.add(one);
    }
    expect([...found]).toContain(violation);
  });
});
