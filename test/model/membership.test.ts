/**
 * Grants and the requests that can get in their way, in random orders of their calls, and with one condition taken out
 * at a time.
 */
import { beforeAll, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { gatewayEvent } from "../gateway-event.ts";
import { draw, runs } from "../seeds.ts";
import { chance, type Drawn, diceOf, inTurns } from "./chance.ts";
import type { Item } from "./expression.ts";
import type { Changed } from "./table.ts";
import { partitionOf, writesOf } from "./table.ts";
import { type Call, type Fate, newWorld, openWorld, together, traceOf } from "./world.ts";

const people = ["ada@model.example", "exec@club.example"] as const;
const admin = "boss@club.example";
const now = Date.parse("2026-01-01T00:00:00Z");

/** So few ids that people often draw the same one. */
const ids = ["OneCatSings", "TwoCatsSing", "RedCatSings"];
let roll: () => number = () => 0;
jest.unstable_mockModule("#kit/secret.ts", () => ({ readSecret: async () => "the key of a model" }));
jest.unstable_mockModule("human-id", () => ({ humanId: () => ids[roll() % ids.length] }));

let product: Awaited<ReturnType<typeof openProduct>>;
beforeAll(async () => {
  product = await openProduct();
});

/** One import after the other: Jest links modules badly in parallel. */
async function openProduct() {
  await openWorld();
  const { grantMembership } = await import("#domain/people/members/grant.ts");
  const { handler: members } = await import("#api/members/index.ts");
  const { handler: users } = await import("#api/users/index.ts");
  const { handler: profiles } = await import("#api/profiles/index.ts");
  const { settleMembership } = await import("#domain/payments/settling/settle-membership.ts");
  const { systemContext } = await import("#kit/request/context.ts");
  const { seam } = await import("#kit/seam.ts");
  return { grantMembership, members, users, profiles, settleMembership, systemContext, seam };
}

const forms = [
  { firstName: "Ada", lastName: "Lovelace", year: "4" },
  { firstName: "A.", lastName: "L.", major: "Mathematics", topics: ["engines"] },
];

type Act = (name: string) => Promise<unknown>;

const request =
  (
    which: "members" | "users" | "profiles",
    routeKey: string,
    as: string,
    parts: { params?: object; body?: object },
  ): Act =>
  async (requestId) => {
    const { statusCode = 0 } = await product[which](gatewayEvent(routeKey, { as, ...parts, requestId, at: now }));
    if (statusCode >= 500) throw new Error(`${routeKey} answered ${statusCode}`);
    return statusCode;
  };

const grant =
  (email: string, form: object): Act =>
  (name) =>
    product.grantMembership(form, { email, adminDomain: "club.example" }, product.systemContext(name, now));

/** One payment. Its settlement and its message are written with the grant. */
const paid =
  (email: string, form: object): Act =>
  (name) => {
    const payment = { paymentId: "p1", email, money: { amount: 1_500, currency: "CAD" } };
    const checkout = { id: "c1", email, createdAt: now, purpose: { kind: "membership", form } } as const;
    return product.settleMembership(payment, checkout, product.systemContext(name, now));
  };

const create = (email: string): Act => request("members", "POST /members", admin, { body: { email, ...forms[0] } });
const remove = (email: string): Act => request("members", "DELETE /members/{email}", admin, { params: { email } });
const change = (email: string): Act =>
  request("members", "PATCH /members/{email}", admin, { params: { email }, body: { discordId: "ada#1" } });
const profile = (email: string): Act => request("profiles", "POST /profiles", email, { body: { hobby1: "Engines" } });

const account = (email: string): Act => request("users", "POST /users", email, { body: {} });
const deletion = (email: string): Act => request("users", "DELETE /users/{email}", email, { params: { email } });

/** Requests one after the other. */
const inTurn =
  (...acts: readonly Act[]): Act =>
  async (name) => {
    for (const [index, act] of acts.entries()) await act(`${name}.${index}`);
  };

const [ada, exec] = people;
const situations: Readonly<Record<string, readonly Act[]>> = {
  "the same grant many times": Array.from({ length: 5 }, () => grant(ada, forms[0] as object)),
  "grants of two forms to two people": people.flatMap((email) => forms.map((form) => grant(email, form))),
  "a payment that is told three times, and an admin": [
    ...Array.from({ length: 3 }, () => paid(ada, forms[0] as object)),
    grant(ada, forms[1] as object),
  ],
  "an admin who creates, grants and removes": [create(ada), grant(ada, forms[1] as object), remove(ada)],
  "somebody with an account whom one admin creates, while another one grants and removes": [
    inTurn(account(ada), create(ada)),
    inTurn(grant(ada, forms[1] as object), remove(ada)),
  ],
  "an account that begins and ends while an admin grants and the person chooses a profile": [
    account(ada),
    deletion(ada),
    inTurn(grant(ada, forms[1] as object), profile(ada)),
  ],
  "all that an admin and the person can do": [
    grant(ada, forms[1] as object),
    create(ada),
    change(ada),
    remove(ada),
    profile(ada),
    create(exec),
    profile(exec),
    grant(exec, forms[0] as object),
  ],
};

const isBlank = (value: unknown) => value === undefined || value === "";

/** The invariants of every commit and of the records at the end. */
class Judge {
  readonly violations: string[] = [];
  readonly stored = new Map<string, Item>();
  readonly message: string[] = [];

  commit(changes: readonly Changed[]): void {
    const told = changes.flatMap(({ after }) => (after?.detailType ? [String(after.detailType)] : []));
    this.message.push(...told);
    const [user, member] = ["USER", "MEMBER"].map((SK) =>
      changes.find(({ before, after }) => (after ?? before)?.SK === SK),
    );
    const joins =
      (member && !member.before && member.after) || (user?.before?.isMember === false && user.after?.isMember);
    this.#expect(
      (joins ? 1 : 0) === told.filter((type) => type === "member.granted").length,
      "message of a membership",
    );
    const grant = changes.find(({ after }) => after?.detailType === "member.granted")?.after;
    const isPaid = changes.some(({ before, after }) => !before && after?.SK === "SETTLED");
    this.#expect(!grant || isPaid === JSON.stringify(grant).includes('"paid"'), "the amount of a paid membership");
    const isNew = user && !user.before && user.after;
    this.#expect((isNew ? 1 : 0) === told.filter((type) => type === "user.created").length, "message of a user");
    for (const { before, after } of changes) this.#look(before, after);
  }

  #look(before: Item | undefined, after: Item | undefined): void {
    // A condition on an absent item changes nothing.
    if (!before && !after) return;
    const { PK, SK } = (after ?? before) as Item;
    if (after) this.stored.set(`${PK} ${SK}`, after);
    else this.stored.delete(`${PK} ${SK}`);
    if (!before || !after) return;
    this.#expect(!String(PK).startsWith("PID#") || before.email === after.email, "an id changes hands");
    const kept = [
      "fname",
      "lname",
      "firstName",
      "lastName",
      "year",
      "major",
      "profileID",
      "createdAt",
      "generation",
      "hobby1",
    ];
    for (const name of kept)
      this.#expect(isBlank(before[name]) || before[name] === after[name], `${name} is overwritten`);
  }

  atTheEnd(): void {
    for (const email of people) {
      const [user, member, profile] = ["USER", "MEMBER", "PROFILE"].map((SK) => this.stored.get(`USER#${email} ${SK}`));
      this.#expect(!user || user.isMember === (member !== undefined), "the user is marked otherwise than they are");
      this.#expect(!member || user, "a membership without an account");
      this.#expect(!member || member.profileID === profile?.profileID, "the member names another profile");
      this.#expect(
        !profile || this.stored.get(`PID#${profile.profileID} PID`)?.email === email,
        "the id leads elsewhere",
      );
    }
    const count = (end: string) => [...this.stored.keys()].filter((key) => key.endsWith(end)).length;
    this.#expect(count(" PID") === count(" PROFILE"), "an id without a profile");
    const settled = this.message.filter((type) => type.startsWith("payment.")).length;
    this.#expect(settled === count(" SETTLED"), "a payment counts twice");
  }

  #expect(isTrue: unknown, otherwise: string): void {
    if (!isTrue && !this.violations.includes(otherwise)) this.violations.push(otherwise);
  }
}

type Mutation = (call: Call) => void;

function fateOf(dice: () => number): (call: Call, isWrite: boolean) => Fate {
  let unheard = 3;
  return (_call, isWrite) => {
    const thrown = dice();
    if (thrown < 8) return "conflict";
    if (thrown < 11) return "failed";
    if (thrown >= 25 || !isWrite || unheard === 0) return "fine";
    unheard -= 1;
    return thrown < 20 ? "lost" : "late";
  };
}

async function run(acts: readonly Act[], drawn: Drawn, mutate?: Mutation): Promise<readonly string[]> {
  const judge = new Judge();
  const dice = diceOf(drawn);
  roll = dice;
  const table = newWorld({ commit: (changes) => judge.commit(changes), answered: () => undefined });
  table.seed({ PK: "PAY#c1", SK: "CHECKOUT", purpose: { kind: "membership", form: forms[0] } });
  const actors = acts.map((act, index) => [`a${index}`, async () => void (await act(`a${index}`))] as const);
  await together(Object.fromEntries(actors), drawn.order, {
    fate: fateOf(dice),
    age: () => (dice() < 20 ? 1 : 0),
    pause: () => 1 + (dice() % 20),
    mutate,
  });
  judge.atTheEnd();
  return judge.violations.length === 0 ? [] : [...judge.violations, ...traceOf()];
}

test.each(Object.keys(situations))("%s", (name) =>
  fc.assert(
    fc.asyncProperty(chance, async (drawn) => expect(await run(situations[name] as readonly Act[], drawn)).toEqual([])),
    { numRuns: runs({ few: 25, many: 200 }), endOnFailure: true },
  ),
);

/** A person and an admin, one request after the other, while answers get lost. @returns the statuses of the refusals */
async function refusalsOf(drawn: Drawn): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  const noted =
    (act: Act): Act =>
    async (name) =>
      answers.push(await act(name));
  const acts = [account(ada), create(ada), change(ada), profile(ada), remove(ada)];
  expect(await run([inTurn(...acts.map(noted))], drawn)).toEqual([]);
  return answers.filter((status) => Number(status) >= 400);
}

test("a request without competitors is never refused because an answer got lost", () =>
  fc.assert(
    fc.asyncProperty(chance, async (drawn) => expect(await refusalsOf(drawn)).toEqual([])),
    { numRuns: runs({ few: 25, many: 200 }), endOnFailure: true },
  ));

test("without the same token, people are refused because of their own earlier try", async () => {
  const { tokenOf } = product.seam;
  let sent = 0;
  product.seam.tokenOf = (token) => `${token}${sent++}`;
  try {
    const refusals = new Set<unknown>();
    for (let round = 0; round < 300 && refusals.size < 2; round += 1) {
      for (const status of await refusalsOf(draw(chance))) refusals.add(status);
    }
    expect([...refusals].sort()).toEqual([404, 409]);
  } finally {
    product.seam.tokenOf = tokenOf;
  }
});

/** Removes the conditions on the items that this function accepts. */
const without =
  (isMeant: (partition: string, sortKey: string) => boolean): Mutation =>
  ({ command }) => {
    for (const write of writesOf(command)) {
      const sortKey = String((write.Key ?? write.Item)?.SK);
      if (!write.ConditionExpression || !isMeant(partitionOf(write), sortKey)) continue;
      // DynamoDB refuses a check without a condition, so the condition becomes one that always holds.
      const updates = write.UpdateExpression ?? "";
      write.ConditionExpression = "attribute_not_exists(nothingIsCalledThis)";
      write.ExpressionAttributeNames = used(write.ExpressionAttributeNames, updates);
      write.ExpressionAttributeValues = used(write.ExpressionAttributeValues, updates);
    }
  };

/** DynamoDB refuses placeholders that are not used. */
const used = <T>(all: Record<string, T> | undefined, text: string) =>
  all && Object.fromEntries(Object.entries(all).filter(([name]) => new RegExp(`${name}(?![A-Za-z0-9_])`).test(text)));

function* fifties(): Generator<number> {
  for (;;) yield 50;
}

/** A run in which no call fails. */
const calm = (turns: readonly string[]): Drawn => ({
  order: inTurns(turns),
  dice: fc.stream(fifties()),
});

describe("without the condition on", () => {
  test.each<[string, (partition: string, sortKey: string) => boolean, string]>([
    ["the id, it changes hands", (partition) => partition.startsWith("PID#"), "an id changes hands"],
    ["the member, what is filled in is overwritten", (_, key) => key === "MEMBER", "is overwritten"],
    ["the user, what is filled in is overwritten", (_, key) => key === "USER", "is overwritten"],
    [
      "what a grant has read, its messages come twice",
      (partition) => /^(USER|PID)#/.test(partition),
      "generation is overwritten",
    ],
    [
      "the member, an account begins unmarked",
      (_, key) => key === "MEMBER",
      "the user is marked otherwise than they are",
    ],
    [
      "member and profile, a membership outlives its account",
      (_, key) => /^(MEMBER|PROFILE)$/.test(key),
      "a membership without an account",
    ],
    ["the payment, it counts twice", (partition) => partition.startsWith("PAY#"), "a payment counts twice"],
  ])("%s", async (_, isMeant, violation) => {
    const found = new Set<string>();
    for (let round = 0; round < 300 && ![...found].some((one) => one.endsWith(violation)); round += 1) {
      for (const acts of Object.values(situations)) {
        for (const one of await run(acts, draw(chance), without(isMeant))) found.add(one);
      }
    }
    expect([...found].filter((one) => one.endsWith(violation))).not.toEqual([]);
  });

  // One admin has read that there is no profile. Before this admin writes, the other one grants a membership, which
  // makes a profile, and removes it.
  test("the profile, a new member misses it", async () => {
    const acts = situations["somebody with an account whom one admin creates, while another one grants and removes"];
    const turns = [...Array<string>(4).fill("a0"), ...Array<string>(6).fill("a1")];
    const found = (mutate?: Mutation) => run(acts as readonly Act[], calm(turns), mutate);
    expect(await found(without((_, key) => key === "PROFILE"))).toContain("the member names another profile");
    expect(await found()).toEqual([]);
  });
});
