/** The registrations of a deleted event are removed. One that cannot be removed does not block the others. */
import { QueryCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";
import { registrationItem } from "./given.ts";

const { client } = await import("#kit/table/table.ts");
const { handler } = await import("#consumers/clear-up.ts");
const { removalOf } = await import("#domain/registrations/remove-registration.ts");

const people = Array.from({ length: 12 }, (_, n) => `p${n}@unit.example`);
const key = (email: string) => ({ PK: `USER#${email}`, SK: "REG#gala#2030" });
const registration = (email: string) => registrationItem({ email, ticketId: `t-${email.split("@")[0]}` });

/** The index answers these rows. Calls that mention the email of `broken` fail. */
function givenTable(listed: readonly object[], broken?: string, onTransaction = () => {}): MemoryTable {
  const table = new MemoryTable();
  jest.spyOn(client, "send").mockImplementation((async (command: unknown) => {
    if (command instanceof QueryCommand && command.input.IndexName) return { Items: listed };
    const { input } = command as { input: object };
    if (broken && JSON.stringify(input).includes(`"PK":"USER#${broken}"`)) throw new Error("cannot be read");
    if (command instanceof TransactWriteCommand) onTransaction();
    return table.execute(command, () => 0);
  }) as never);
  return table;
}

const memory = { PK: "EVENT#gala#2030", SK: "GONE#i", id: "gala", year: 2030, generation: "i", ename: "Gala" };
const paid = { paidBy: "cs_1", paid: { amount: 1_000, currency: "CAD" } };

/** @param remaining milliseconds until the timeout of the function */
function clearUp(remaining = 120_000) {
  const metadata = { id: "01", occurredAt: "2030-01-01T00:00:00.000Z", actor: "exec@club.example", correlationId: "r" };
  const data = { id: "gala", year: 2030, generation: "i" };
  const body = JSON.stringify({ "detail-type": "event.deleted", detail: { metadata, data } });
  return handler({ Records: [{ messageId: "m0", body }] } as never, { getRemainingTimeInMillis: () => remaining });
}

afterEach(() => {
  jest.restoreAllMocks();
});

/** Each transaction takes a second. */
function givenSlowTable(): MemoryTable {
  let clock = 0;
  jest.spyOn(performance, "now").mockImplementation(() => clock);
  const table = givenTable(people.map(registration), undefined, () => {
    clock += 1_000;
  });
  for (const email of people) table.seed(registration(email));
  return table;
}
const removed = (table: MemoryTable) => people.filter((email) => table.peek(key(email))?.status === "cancelled").length;
/** Ten seconds before its timeout a run begins with no further registration. */
const lastCall = 10_000;

test("a registration that cannot be removed makes the message come again, after all others are removed", async () => {
  const table = givenTable(people.map(registration), people[0]);
  for (const email of people) table.seed(registration(email));
  expect(await clearUp()).toEqual({ batchItemFailures: [{ itemIdentifier: "m0" }] });
  expect(people.map((email) => table.peek(key(email))?.status)).toEqual([
    "registered",
    ...people.slice(1).map(() => "cancelled"),
  ]);
});

test("a run whose time is over leaves the rest to the next run, which goes on there", async () => {
  const table = givenSlowTable();
  const done: number[] = [];
  do {
    const { batchItemFailures } = await clearUp(lastCall + 4_000);
    done.push(removed(table));
    expect(batchItemFailures).toHaveLength(removed(table) === people.length ? 0 : 1);
  } while (removed(table) < people.length);
  expect(done.length).toBeGreaterThan(1);
  expect(done).toEqual([...new Set(done)].sort((a, b) => a - b));
});

test.each([
  ["accepted", { status: "rejected" }, { status: "accepted" }, "cancelled"],
  ["not checked in any more", { status: "checkedIn" }, { status: "registered" }, "cancelled"],
  ["checked in", { status: "registered" }, { status: "checkedIn", cameFrom: "registered" }, "deleted"],
  ["rejected", { status: "registered", applicant: true }, { status: "rejected" }, "deleted"],
  ["registered for a later generation", {}, { generation: "j" }, "registered"],
] as const)(
  "a registration is removed as it is in the table: %s since the index had it",
  async (_, was, is, becomes) => {
    const table = givenTable([{ ...registration("ada"), ...was }]);
    table.seed({ ...registration("ada"), ...is });
    expect(await clearUp()).toEqual({ batchItemFailures: [] });
    expect(table.peek(key("ada"))).toMatchObject({ status: becomes });
  },
);

test("while the index lacks a person who waits, the message comes again", async () => {
  givenTable([]).seed({ PK: "WAIT#gala#2030", SK: "1#a", generation: "i" });
  expect(await clearUp()).toEqual({ batchItemFailures: [{ itemIdentifier: "m0" }] });
});

describe("the money of a paid seat", () => {
  test.each<[string, object, object, number]>([
    ["that is not used goes back", { status: "registered" }, {}, 1],
    ["that is checked in stays", { status: "checkedIn", cameFrom: "registered" }, {}, 0],
    ["stays, if the admin asked for no refunds", { status: "registered" }, { refund: "none" }, 0],
    ["of a person who cancelled before went back before", { status: "cancelled" }, {}, 0],
  ])("%s, also if the message comes twice", async (_, state, terms, refunds) => {
    for (const startDate of [undefined, "2020-01-01T00:00:00.000Z"]) {
      const table = givenTable([{ ...registration("ada"), ...state }]);
      table.seed({ ...registration("ada"), ...state, ...paid });
      const told: unknown[] = [];
      table.onCommit = (changes) => told.push(...changes.map(({ after }) => after?.detailType));
      table.seed({ ...memory, ...terms, ...(startDate && { startDate }) });
      for (let times = 0; times < 2; times += 1) expect(await clearUp()).toEqual({ batchItemFailures: [] });
      expect(["cancelled", "deleted"]).toContain(table.peek(key("ada"))?.status);
      expect(told.filter((type) => type === "payment.refundRequired")).toHaveLength(refunds);
    }
  });
});

test.each([
  ["an event that starts now: quietly", { startDate: "2030-01-01T00:00:00Z" }, { quietly: true, withoutRefund: false }],
  [
    "one that starts later: with notices",
    { startDate: "2030-01-01T00:00:00.001Z" },
    { quietly: false, withoutRefund: false },
  ],
  ["one without a date", {}, { quietly: false, withoutRefund: false }],
  ["one whose admin wants no refunds", { refund: "none" }, { quietly: false, withoutRefund: true }],
  ["one of which nothing is known", undefined, { quietly: false, withoutRefund: false }],
])("the registrations end with %s", (_, memory, removal) => {
  expect(removalOf(memory as never, Date.parse("2030-01-01T00:00:00Z"))).toEqual(removal);
});
