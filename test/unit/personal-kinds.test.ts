/** Each personal kind of the catalogue is found for the export, and for the erasure unless it stays. */
import "./environment.ts";
import { beforeAll, expect, jest, test } from "@jest/globals";
import { hourText } from "#kit/text/time.ts";
import { factsOf, keyOf, type StoredKind, storedKinds } from "#outbox/stored-kinds.ts";
import { MemoryTable } from "../model/table.ts";

const { client } = await import("#kit/table/table.ts");
const { itemsAbout, ownItems } = await import("#domain/personal-data/find.ts");
const { mailboxOf } = await import("#domain/people/sign-ups/limits.ts");

const email = "ada@unit.example";
const now = 1_893_456_000_000;
const [ms, ulid] = [`${now}`, "01PS0S8H00ZK7M2V9Q4D6T8XBE"];

/** A value for each name in the patterns of keys: those that lead from one item to another, and the name itself. */
const names = Object.values(storedKinds).flatMap(({ keys }) =>
  keys.flatMap((pattern) => pattern.match(/[a-z]+/g) ?? []),
);
const values: Readonly<Record<string, string | number>> = {
  ...Object.fromEntries(names.map((name) => [name, name])),
  ...{ email, ms, ulid, year: 2030, profile: "P1", session: "cs_1", payment: "pi_1", channel: "mail" },
  ...{ hour: hourText(now), mailbox: mailboxOf(email) },
};

/** The fields over which an item is found, or over which it leads to others. */
const fields: Readonly<Partial<Record<StoredKind, object>>> = {
  registration: { queueKey: `${ms}#${ulid}`, generation: "generation", holdExpiresAt: now },
  membership: { dueAt: now },
  "offer of a seat": { GSI1PK: `NAMED#${email}`, GSI1SK: ms },
  profile: { profileID: "P1" },
  "own payment": { paymentId: "cs_1" },
  settlement: { payment: "pi_1" },
  checkout: { GSI1PK: `CHECKOUTS#${email}`, GSI1SK: "checkout" },
  "batch of a campaign": { recipients: [{ email }] },
  trade: { GSI1PK: `TRD#${email}`, GSI1SK: ms },
};

const exampleOf = (kind: StoredKind) => ({ ...keyOf(kind, values as never), email, ...fields[kind] });
const kinds = Object.keys(storedKinds) as StoredKind[];
const personal = kinds.filter((kind) => factsOf(kind)?.personal);

/** What is in neither, and why. */
const exceptions: readonly StoredKind[] = [
  // They show who changed what, and stay: `npm run ops -- who` reads them.
  "outbox row",
  "audit row",
];

type Stored = Readonly<Record<"PK" | "SK", string>>;
const found: Record<"export" | "erasure", readonly Stored[]> = { export: [], erasure: [] };
const table = new MemoryTable();
beforeAll(async () => {
  jest.spyOn(client, "send").mockImplementation((async (command: unknown) => table.execute(command, () => 0)) as never);
  for (const kind of kinds) table.seed(exampleOf(kind));
  table.hasStrays = true;
  table.seed({ PK: "LUNCH#gala#2030", SK: email, email });
  Object.assign(found, { export: await itemsAbout(email, now), erasure: await ownItems(email, now) });
});

const isFoundBy = (who: "export" | "erasure", key: Stored): boolean =>
  found[who].some(({ PK, SK }) => PK === key.PK && SK === key.SK);

test.each(personal.filter((kind) => !exceptions.includes(kind)))("is found: %s", (kind) => {
  expect(isFoundBy("export", exampleOf(kind))).toBe(true);
  const { after } = factsOf(kind)?.personal ?? {};
  // The note of an erasure is found by its time, and removed at its end.
  if (after && !("stays" in after) && kind !== "erasure to come")
    expect(isFoundBy("erasure", exampleOf(kind))).toBe(true);
});

test("an item to which nothing leads is not", () => {
  expect(isFoundBy("export", { PK: "LUNCH#gala#2030", SK: email })).toBe(false);
});
