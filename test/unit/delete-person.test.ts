/** The deletion of a person, and the links to an export that it ends (`docs/contract.md`, "Users", "A person's data"). */
import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { exportLinkLasts, exportLinkSecret } from "#domain/registrations/links/export-link.ts";
import type { Item } from "#kit/table/table.ts";
import { keyOf, type StoredKind, storedKindOf } from "#outbox/stored-kinds.ts";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";

jest.unstable_mockModule("#kit/secret.ts", () => ({ readSecret: async () => "ticket-key" }));
const { client } = await import("#kit/table/table.ts");
const { systemContext } = await import("#kit/request/context.ts");
const { personOf } = await import("#domain/registrations/links/by-link.ts");
const { deletePerson, isLeft } = await import("#domain/personal-data/delete-person.ts");
const { beginErasure } = await import("#domain/people/users/erasures.ts");

const now = Date.parse("2030-01-01T10:20:30.456Z");
const email = "ada@unit.example";

let table: MemoryTable;
beforeEach(() => {
  table = new MemoryTable();
  jest.spyOn(client, "send").mockImplementation((async (command: unknown) => table.execute(command, () => 0)) as never);
});

const given = (kind: StoredKind, more: object = {}) =>
  table.seed({ ...keyOf(kind, { email, id: "gala", year: 2030, session: "cs_1" } as never), email, ...more } as never);
/** A deletion of the person at this time. */
const givenDeletion = (deletedAt: number) =>
  table.seed(beginErasure(email, "self/account", systemContext("r", deletedAt)).erasure.Put?.Item as never);
const kinds = () => (table.all() as Item[]).map((item) => storedKindOf(item)).sort();
const erase = (at = now) => deletePerson(email, "self/account", { ...systemContext("r", at), actor: email });

describe("a deletion", () => {
  test.each<StoredKind>(["account", "membership", "profile"])(
    "removes the %s, and notes the erasure to come",
    async (kind) => {
      given(kind, { profileID: "p" });
      await erase();
      expect(kinds()).toEqual(["erasure to come", "outbox row"]);
    },
  );

  test("of a person of whom only a payment is left notes the erasure, too", async () => {
    given("own payment", { paymentId: "cs_1" });
    await erase();
    expect(kinds()).toEqual(["erasure to come", "outbox row", "own payment"]);
  });

  test.each<[string, StoredKind | undefined]>([
    ["nothing", undefined],
    ["what outlives an erasure", "suppression"],
  ])("of a person of whom %s is stored is refused as unknown", async (_, kind) => {
    if (kind) given(kind);
    await expect(erase()).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("of an erased person's name is refused as unknown", async () => {
    const erased = "erased-0@erased.invalid";
    table.seed({ ...keyOf("own payment", { email: erased, session: "cs_1" }), paymentId: "cs_1" } as never);
    const gone = deletePerson(erased, "self/account", systemContext("r", now));
    await expect(gone).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("closes the checkout of a membership, whose payment would create the account again", async () => {
    given("account");
    given("latest checkout of the membership", { id: "c1", createdAt: now + 5 });
    await erase();
    const latest = table.peek({ ...keyOf("latest checkout of the membership", { email }) });
    expect(latest).toMatchObject({ closed: true, accountDeletedAt: now + 5 });
  });

  test("is refused the fourth time within an hour", async () => {
    given("account");
    for (const minutes of [30, 20, 10]) givenDeletion(now - minutes * 60_000);
    await expect(erase()).rejects.toMatchObject({ code: "TOO_OFTEN" });
    await erase(now + 30 * 60_000);
    expect(kinds()).not.toContain("account");
  });
});

describe("whether something is left to delete of a person without an account", () => {
  test.each<[boolean, string, readonly StoredKind[], number | undefined]>([
    [false, "nothing is stored", [], undefined],
    [true, "a payment is stored", ["own payment"], undefined],
    [false, "only what outlives an erasure is", ["suppression"], undefined],
    [false, "the deletion is under way", ["own payment"], now - 1],
    [true, "the person is back since the deletion", ["own payment", "account"], now - 1],
    [false, "only the note of a deletion is stored", [], now - 1],
  ])("%p where %s", async (expected, _, stored, deletedAt) => {
    for (const kind of stored) given(kind, { paymentId: "cs_1" });
    if (deletedAt !== undefined) givenDeletion(deletedAt);
    expect(await isLeft(email, now)).toBe(expected);
  });
});

describe("a link to an export", () => {
  const until = now + 60_000;
  const issuedAt = until - exportLinkLasts;
  const header = `Link ${exportLinkSecret({ email, until }, "ticket-key")}`;
  const open = (at: number, given: string | undefined = header) => personOf(given, systemContext("r", at));
  const notValid = { message: "This link is not valid (any more)." };

  test("opens its person's data until its end", async () => {
    expect(await open(until - 1)).toBe(email);
    await expect(open(until)).rejects.toMatchObject(notValid);
  });

  test.each([undefined, "", "Link E1.", header.slice(0, -1)])("is none: %s", async (other) => {
    await expect(personOf(other, systemContext("r", now))).rejects.toMatchObject(notValid);
  });

  test.each([
    [0, false],
    [1, false],
    [-1, true],
  ])("ends with a deletion %i ms after it was sent, and not with one before it: %p", async (later, opens) => {
    givenDeletion(issuedAt + later);
    const answer = await open(now).catch(({ message }: Error) => message);
    expect(answer).toBe(opens ? email : notValid.message);
  });
});
