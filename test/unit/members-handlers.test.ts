/** Members and profiles when calls to the table get lost, and what a grant asks of the table. */
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { newMember } from "#domain/people/members/member.ts";
import { newProfile } from "#domain/people/profiles/profile.ts";
import {
  admin,
  broken,
  caller,
  cancelled,
  contended,
  get,
  internal,
  now,
  outcomeUnknown,
  query,
  requestId,
  sent,
  table,
  throttled,
  transactWrite,
  unanswered,
  withoutPatience,
} from "./mocked-table.ts";

const members = caller((await import("#api/members/index.ts")).handler);
const profiles = caller((await import("#api/profiles/index.ts")).handler);
const email = "ada@unit.example";
const known = { email, adminDomain: "club.example", now, generation: "g1" };
const copies = { fname: "Ada", lname: "L", pronouns: "", major: "", year: "" };

const stored = {
  member: (generation = "g1") => ({
    PK: `USER#${email}`,
    SK: "MEMBER",
    ...newMember({ firstName: "Ada" }, { ...known, generation }),
  }),
  profile: (generation = "g1") => ({
    PK: `USER#${email}`,
    SK: "PROFILE",
    ...newProfile(copies, { ...known, profileID: "RareGeckosJam", generation }),
  }),
};

/** The items that each read of a person finds. The last ones are repeated. */
function finds(...looks: object[][]): void {
  const found = table.on(query);
  for (const Items of looks.slice(0, -1)) found.resolvesOnce({ Items } as never);
  found.resolves({ Items: looks.at(-1) } as never);
}

beforeEach(() => {
  table.reset();
  table.on(get).resolves({} as never);
  table.on(transactWrite).resolves({} as never);
  finds([]);
});
afterEach(() => {
  jest.restoreAllMocks();
});

const create = () => members("POST /members", { body: { email } });
const remove = () => members("DELETE /members/{email}", { params: { email } });
const grant = () => members("POST /members/grant", { body: { email, firstName: "Ada", lastName: "L" } });
const change = (body: object) => members("PATCH /members/{email}", { params: { email }, body });
const changeProfile = (body: object) => profiles("PATCH /profiles/user", { as: email, body });
const createProfile = () => profiles("POST /profiles", { as: email, body: {} });

describe("a write whose answer got lost", () => {
  const once = (error: Error) =>
    table
      .on(transactWrite)
      .rejectsOnce(error)
      .resolves({} as never);
  const tokens = () => sent.transactions().map(({ ClientRequestToken }) => ClientRequestToken);

  test.each<[string, () => ReturnType<typeof create>, object[], number]>([
    ["a new member", create, [], 201],
    ["a new profile", createProfile, [stored.member()], 201],
    ["a deletion", remove, [stored.member()], 200],
    ["a change", () => change({ discordId: "ada#1" }), [stored.member()], 200],
    ["a change of a profile", () => changeProfile({ hobby1: "Engines" }), [stored.profile()], 200],
    ["a grant", grant, [], 200],
  ])("of %s is sent again under the same token, and nothing is read again", async (_, call, there, status) => {
    table.on(get).resolves({ Item: there.find((item) => (item as { SK: string }).SK === "PROFILE") } as never);
    finds(there, [stored.member("g2"), stored.profile("g2")]);
    once(unanswered);
    expect((await call()).status).toBe(status);
    const [first, second] = sent.transactions();
    expect(second).toEqual(first);
    expect(tokens()).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), tokens()[0]]);
    expect(sent.queries().length).toBeLessThan(2);
  });

  test.each([
    ["a new member", create, [[], [stored.member()]], 409],
    ["a new profile", createProfile, [[stored.member()], [stored.member(), stored.profile()]], 409],
    ["a deletion", remove, [[stored.member()], []], 404],
  ])("of %s and was not committed, because another request was faster", async (_, call, looks, status) => {
    finds(...looks);
    table
      .on(transactWrite)
      .rejectsOnce(unanswered)
      .rejectsOnce(cancelled("ConditionalCheckFailed", "None"))
      .resolves({} as never);
    expect((await call()).status).toBe(status);
    // The first try, its repetition, and the closing of its token.
    expect(new Set(tokens()).size).toBe(1);
    expect(sent.transactions()).toHaveLength(3);
  });

  test("another transaction has another token", async () => {
    finds([stored.member()]);
    once(cancelled("ConditionalCheckFailed", "None"));
    expect((await remove()).status).toBe(200);
    expect(new Set(tokens()).size).toBe(2);
  });
});

test("a person who was no member before is not found, and nothing is sent", async () => {
  expect((await remove()).status).toBe(404);
  expect((await createProfile()).status).toBe(404);
  expect(sent.transactions()).toEqual([]);
});

test("after a profile id that another person has, a new one is drawn", async () => {
  table
    .on(transactWrite)
    .rejectsOnce(cancelled("None", "None", "None", "ConditionalCheckFailed", "None", "None"))
    .resolves({} as never);
  const { body } = await grant();
  const drawn = sent.transactions().map(({ TransactItems }) => TransactItems?.[3]?.Put?.Item?.PK);
  expect(drawn).toHaveLength(2);
  expect(drawn[1]).toBe(`PID#${body.profile.profileID}`);
});

test("a grant reads once, consistently, and its transaction demands that none of the records exists", async () => {
  await grant();
  expect(sent.gets()).toEqual([{ TableName: "Unit", Key: { PK: `USER#${email}`, SK: "USER" }, ConsistentRead: true }]);
  expect(sent.queries()).toMatchObject([{ ConsistentRead: true }]);
  const puts = (sent.transactions()[0]?.TransactItems ?? []).map(({ Put }) => Put);
  expect(puts.map((put) => put?.ConditionExpression)).toEqual(Array(6).fill("attribute_not_exists(PK)"));
  expect(puts.map((put) => put?.Item?.detailType ?? put?.Item?.SK)).toEqual([
    "USER",
    "MEMBER",
    "PROFILE",
    "PID",
    "user.created",
    "member.granted",
  ]);
  expect(puts[5]?.Item?.detail).toMatchObject({
    metadata: { actor: admin, correlationId: requestId },
    data: { email },
  });
});

describe("a table that is throttled or silent for long", () => {
  beforeEach(withoutPatience);
  test.each([
    ["throttled: 503 `CONTENDED`", throttled, contended],
    ["without an answer: 503 `OUTCOME_UNKNOWN`", unanswered, outcomeUnknown],
    ["broken: 500 without details", broken, internal],
  ])("%s", async (_, error, answer) => {
    table.on(transactWrite).rejects(error);
    for (const call of [create, grant]) expect(await call()).toEqual(answer);
    finds([stored.member()]);
    for (const call of [remove, createProfile]) expect(await call()).toEqual(answer);
  });
});
