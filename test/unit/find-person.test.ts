/** What is stored about a person is found without a scan, kind by kind (`docs/contract.md`, "A person's data"). */
import { expect, jest, test } from "@jest/globals";
import type { Item } from "#kit/table/table.ts";
import { keyOf, type StoredKind, storedKindOf, storedKinds } from "#outbox/stored-kinds.ts";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";
import { registrationItem } from "./given.ts";

const { client } = await import("#kit/table/table.ts");
const { itemsAbout, ownItems } = await import("#domain/personal-data/find.ts");
const { mailboxCountKeys } = await import("#domain/people/sign-ups/limits.ts");
const { systemContext } = await import("#kit/request/context.ts");
const { forgetAtOnce } = await import("#domain/personal-data/forget-at-once.ts");

const now = Date.parse("2030-01-01T10:20:30.456Z");
const ulid = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const [ada, grace] = ["ada@unit.example", "grace@x.example"];

/** One item of each kind that is about a person, and what leads to it. */
function itemsOf(email: string, n: string): Item[] {
  const [ms, holdExpiresAt] = [`${now}${n}`.slice(-13), 10 + Number(n)];
  const key = (kind: StoredKind, values: Record<string, string | number> = {}) =>
    keyOf(kind, {
      ...{ id: `gala${n}`, year: 2030, email, ms, ulid, event: "game", project: `p${n}`, profile: `id${n}` },
      ...{ form: "attendee", hash: `h${n}`, generation: "i", mark: `m${n}`, checkout: `01${n}`, session: `cs_${n}` },
      ...{ payment: `pi_${n}`, channel: "mail", notice: `n${n}`, number: n, ...values },
    } as never);
  const person = { ...key("account"), email };
  const queueKey = `${ms}#${ulid}`;
  return [
    person,
    registrationItem({ email, eventID: `gala${n}`, status: "incomplete", queueKey, holdExpiresAt }),
    { ...key("place in line"), email },
    { ...key("place in the partners' line"), email },
    { ...key("hold", { ms: `${holdExpiresAt}`.padStart(13, "0") }), email },
    { ...key("scans of a ticket"), email, scans: [] },
    { ...key("request of a guest"), email },
    { ...key("membership"), email, dueAt: Number(ms) },
    { ...key("end of a term"), email },
    { ...key("profile"), profileID: `id${n}` },
    key("profile id"),
    { ...key("account in the game"), email },
    { ...key("listed game account"), email },
    { ...key("trade"), GSI1PK: `TRD#${email}`, GSI1SK: queueKey, email },
    key("signed feedback"),
    { ...key("feedback"), respondentEmail: email },
    { ...key("checkout"), GSI1PK: `CHECKOUTS#${email}`, GSI1SK: `01${n}`, email },
    { ...key("latest checkout of an event"), email },
    { ...key("own payment"), paymentId: `cs_${n}` },
    { ...key("payment"), email },
    { ...key("erasure to come"), email },
    { ...key("suppression"), email },
    { ...key("lifted suppression"), email },
    key("marker of a notice"),
    key("marker of a notice", { channel: "chat" }),
    key("delivery of a campaign", { id: "cmp" }),
    ...mailboxCountKeys(email, now),
  ] as Item[];
}

const common = [
  { ...keyOf("campaign", { id: "cmp" }) },
  { ...keyOf("batch of a campaign", { id: "cmp", number: 1 }) },
  { ...keyOf("content of a campaign", { id: "cmp" }) },
  ...["1", "2"].map((n) => ({ ...keyOf("settlement", { session: `cs_${n}` }), payment: `pi_${n}` })),
];
const keysOf = (items: readonly Item[]) => items.map(({ PK, SK }) => `${PK} ${SK}`).sort();

function givenTable() {
  const table = new MemoryTable();
  jest.spyOn(client, "send").mockImplementation((async (command: unknown) => table.execute(command, () => 0)) as never);
  for (const item of [...common, ...itemsOf(ada, "1"), ...itemsOf(grace, "2")]) table.seed(item as never);
  // Another payer settled a session whose receipt names this person's.
  table.seed({ ...keyOf("own payment", { email: ada, session: "cs_2" }), paymentId: "cs_2" } as never);
  return table;
}

test("the export has every item of the person and no other one's", async () => {
  givenTable();
  const receipt = keyOf("own payment", { email: ada, session: "cs_2" }) as Item;
  const campaign = common.slice(0, 3).filter((item) => storedKindOf(item) !== "campaign") as Item[];
  const mine = itemsOf(ada, "1");
  expect(keysOf(await itemsAbout(ada, now))).toEqual(keysOf([...mine, receipt, ...campaign]));
});

test("an erasure has all of them but notes, suppressions and campaigns", async () => {
  givenTable();
  const others: (StoredKind | undefined)[] = [
    ...(["erasure to come", "suppression", "lifted suppression", "delivery of a campaign"] as const),
  ];
  const receipt = keyOf("own payment", { email: ada, session: "cs_2" }) as Item;
  const mine = itemsOf(ada, "1").filter((item) => !others.includes(storedKindOf(item)));
  expect(keysOf(await ownItems(ada, now))).toEqual(keysOf([...mine, receipt]));
});

test("every kind that goes with its person is among these, but for what has no email in its key", () => {
  const planted = new Set(itemsOf(ada, "1").map((item) => storedKindOf(item)));
  const missing = Object.entries(storedKinds)
    .filter(([kind, facts]) => "personal" in facts && !planted.has(kind as StoredKind))
    .map(([kind]) => kind);
  // In the partition `USER#<email>`, which is read as a whole, or rows of the outbox and the audit.
  expect(missing).toEqual([
    // Found by a list of the named person, and by the giver's registration.
    "offer of a seat",
    ...[
      "total points",
      "forgiven no-shows",
      "address of a calendar",
      "new email",
      "latest checkout of the membership",
      "own refund",
    ],
    ...["outbox row", "audit row", "batch of a campaign"],
  ]);
});

test.each([
  [0, false],
  [1_000, true],
])("at once, what a guest requested %i ms after the deletion is kept: %p", async (later, isKept) => {
  const table = givenTable();
  const key = keyOf("request of a guest", { email: ada, id: "gala1", year: 2030 });
  table.seed({ ...key, ttl: Math.ceil((now + later) / 1_000) + 86_400 } as never);
  const data = { email: ada, origin: "self/account" };
  const message = { type: "user.deleted", id: "n", occurredAt: now, actor: ada, requestId: "r", data };
  await forgetAtOnce(message as never, systemContext("r", now)).catch(() => undefined);
  expect(table.peek({ ...key }) !== undefined).toBe(isKept);
  expect(mailboxCountKeys(ada, now).map((count) => table.peek({ ...count }))).toEqual(
    mailboxCountKeys(ada, now).map(() => undefined),
  );
});

test("the payment of another by which the person had a seat is found after that registration is deleted", async () => {
  const table = new MemoryTable();
  jest.spyOn(client, "send").mockImplementation((async (command: object) => table.execute(command, () => 0)) as never);
  const payment = { ...keyOf("payment", { payment: "pi_9" }), email: grace, holder: ada };
  table.seed(registrationItem({ email: ada, status: "deleted", held: ["cs_9"] }));
  table.seed({ ...keyOf("settlement", { session: "cs_9" }), payment: "pi_9" });
  table.seed(payment as never);
  expect((await ownItems(ada, now)).map(storedKindOf)).toContain("payment");
});
