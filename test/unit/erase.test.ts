/** The end of an erasure: what goes, and what stays under a name that leads to nobody (`docs/contract.md`, "A person's data"). */
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, expect, jest, test } from "@jest/globals";
import { names } from "#domain/catalogue/shown.ts";
import { storedKindOf } from "#domain/catalogue/stored-kinds.ts";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";
import { registrationItem } from "./given.ts";

const { client } = await import("#kit/table/table.ts");
const { beginErasure } = await import("#domain/people/users/erasures.ts");
const { systemContext } = await import("#kit/request/context.ts");
const { eraseDue } = await import("#domain/personal-data/erase.ts");

const day = 86_400_000;
const deletedAt = Date.parse("2030-01-01T00:00:00Z");
const due = deletedAt + 60 * day;
const [email, other] = ["ada@unit.example", "joada@unit.example"];

let table: MemoryTable;
/** Fails the write with this number, counted down. */
let failsAt: number;
beforeEach(() => {
  jest.restoreAllMocks();
  table = new MemoryTable();
  failsAt = Number.POSITIVE_INFINITY;
  jest.spyOn(client, "send").mockImplementation((async (command: unknown) => {
    if (command instanceof TransactWriteCommand) {
      failsAt -= 1;
      if (failsAt === 0) throw new Error("the process died");
    }
    return table.execute(command, () => 0);
  }) as never);
});

const queueKey = `${deletedAt - day}#01ARZ3NDEKTSV4RRFFQ69G5FAV`;
const payment = (more: object = {}) => ({
  ...{ PK: "PAY#pi_1", SK: "PAYMENT", GSI1PK: "PAYMENTS#gala#2030", GSI1SK: `${deletedAt - day}#cs_1` },
  ...{ paymentId: "cs_1", email, money: { amount: 1_000, currency: "CAD", paymentIntent: "pi_1" }, as: "seat" },
  ...{ purpose: { kind: "event", event: { id: "gala", year: 2030 } }, settledAt: deletedAt - day, version: 3, ...more },
});

/** The note of an erasure. */
const noteOf = (of: string): object =>
  (beginErasure(of, systemContext("request", deletedAt)).erasure.Put as { Item: object }).Item;

/** What is left of a person sixty days after the deletion. */
function givenDeleted(more: object = {}): void {
  const items: object[] = [
    noteOf(email),
    registrationItem({ email, eventID: "gala", status: "checkedIn", points: 7, fname: "", queueKey }),
    registrationItem({ email, eventID: "left", status: "deleted", fname: "", queueKey }),
    registrationItem({ email: other, eventID: "gala", status: "checkedIn", points: 7 }),
    { PK: "PAY#cs_1", SK: "SETTLED", as: "seat", payment: "pi_1", GSI1PK: "PAYMENTS#ALL", GSI1SK: `${deletedAt}#cs_1` },
    payment(more),
    { PK: `USER#${email}`, SK: "RECEIPT#cs_1", paymentId: "cs_1", amount: 1_000 },
    { PK: `SENT#mail#${email}`, SK: "gala#2030#01ARZ3NDEKTSV4RRFFQ69G5FAV", state: "sent" },
    { PK: `USER#${email}`, SK: "BTX#game", email, eventId: "game", cash: 5, version: 2, displayName: "A. L." },
    { PK: "BTXA#game", SK: email, email },
    { PK: "BTXT#p", SK: queueKey, GSI1PK: `TRD#${email}`, GSI1SK: queueKey, email, displayName: "Ada L.", shares: 3 },
    { PK: "SUPPRESSED", SK: email, email, createdAt: 1 },
  ];
  for (const item of items) table.seed(item as never);
}

const everything = () => table.all() as { PK: string; SK: string }[];
const naming = (name: string) => everything().filter((item) => names(item, name));
const kindsOf = (items: readonly { PK: string; SK: string }[]) => items.map((item) => storedKindOf(item)).sort();
/** The names that items have instead of the email. */
const pseudonyms = () => new Set(JSON.stringify(everything()).match(/erased-[0-9a-f]{32}@erased\.invalid/g));
const run = (now: number) => eraseDue(now, { deadline: performance.now() + 15_000 });
/** Two runs, a day apart: the second one finds nothing more to do. */
async function runTwice(now: number): Promise<number> {
  expect(await run(now)).toBe(0);
  return run(now + day + 1);
}

function expectErased(): void {
  expect(kindsOf(naming(email))).toEqual(["suppression"]);
  const [pseudonym = "", ...others] = pseudonyms();
  expect(others).toEqual([]);
  expect(kindsOf(naming(pseudonym))).toEqual(
    ["account in the game", "listed game account", "payment", "registration", "trade"].sort(),
  );
  expect(table.peek({ PK: `USER#${pseudonym}`, SK: "REG#gala#2030" })).toMatchObject({
    status: "checkedIn",
    points: 7,
  });
  expect(table.peek({ PK: "PAY#pi_1", SK: "PAYMENT" })).toMatchObject({ email: pseudonym, money: { amount: 1_000 } });
  expect(table.peek({ PK: "BTXT#p", SK: queueKey })).toMatchObject({
    GSI1PK: `TRD#${pseudonym}`,
    displayName: "Player",
    shares: 3,
  });
  expect(kindsOf(naming(other))).toEqual(["registration"]);
}

test("sixty days after the deletion, and not before, nothing but what the plan names has the email", async () => {
  givenDeleted();
  expect(await run(due - 1)).toBe(0);
  expect(pseudonyms().size).toBe(0);
  expect(await runTwice(due + 1)).toBe(1);
  expectErased();
  expect(await run(due + 9 * day)).toBe(0);
});

test("a run that dies at any write is continued the next time, with the same name", async () => {
  for (let at = 1; ; at += 1) {
    table = new MemoryTable();
    givenDeleted();
    failsAt = at;
    const died = await run(due + 1).then(
      () => false,
      () => true,
    );
    failsAt = Number.POSITIVE_INFINITY;
    if (!died) break;
    for (let days = 0; days < 3; days += 1) await run(due + 1 + days * (day + 1));
    expectErased();
    expect(at).toBeLessThan(30);
  }
});

test("somebody who has come back, with an account or a registration, keeps everything", async () => {
  const later = `${deletedAt + day}#01ARZ3NDEKTSV4RRFFQ69G5FAV`;
  for (const back of [
    { PK: `USER#${email}`, SK: "USER", email },
    registrationItem({ email, eventID: "next", status: "registered", queueKey: later }),
  ]) {
    table = new MemoryTable();
    givenDeleted();
    table.seed(back as never);
    const before = naming(email).length;
    expect(await run(due + 1)).toBe(1);
    expect([naming(email).length, pseudonyms().size]).toEqual([before - 1, 0]);
  }
});

test("while money is under way the erasure waits, a day each time", async () => {
  givenDeleted({ disputes: { dp_1: { disputeId: "dp_1", state: "open", amount: 1_000 } } });
  expect(await run(due + 1)).toBe(0);
  expect(table.peek({ PK: "PAY#pi_1", SK: "PAYMENT" })).toMatchObject({ email });
  expect(await run(due + day)).toBe(0);
  table.seed(payment() as never);
  expect(await runTwice(due + day + 2)).toBe(1);
  expectErased();
});

/** What may be written beside an erasure, with what is left of it at the end. */
const beside: Readonly<Record<string, readonly [write: () => void, expectLeft: () => void]>> = {
  "an event of the provider": [
    () => {
      const stored = table.peek({ PK: "PAY#pi_1", SK: "PAYMENT" }) as { version: number };
      table.seed({ ...stored, version: stored.version + 1, fee: 59 } as never);
    },
    () => {
      expectErased();
      expect(table.peek({ PK: "PAY#pi_1", SK: "PAYMENT" })).toMatchObject({ version: 4, fee: 59 });
    },
  ],
  "the marker of a late mail": [
    () => table.seed({ PK: `SENT#mail#${email}`, SK: "gala#2030#01BX5ZZKBKACTAV9WEVGEMMVRZ", state: "sent" } as never),
    expectErased,
  ],
  "a registration of the person who is back": [
    () => {
      const later = `${due}#01ARZ3NDEKTSV4RRFFQ69G5FAV`;
      const back = { email, eventID: "left", status: "registered", fname: "Ada", queueKey: later, version: 9 } as const;
      table.seed(registrationItem(back) as never);
    },
    () => {
      const kept = table.peek({ PK: `USER#${email}`, SK: "REG#left#2030" });
      expect(kept).toMatchObject({ status: "registered", fname: "Ada", version: 9 });
      expect(naming(email).map((item) => storedKindOf(item))).not.toContain("erasure to come");
    },
  ],
};

test.each(Object.entries(beside))(
  "%s beside a run is neither lost nor forgotten",
  async (_name, [write, expectLeft]) => {
    for (let at = 1; ; at += 1) {
      table = new MemoryTable();
      givenDeleted();
      let calls = 0;
      jest.spyOn(client, "send").mockImplementation((async (command: unknown) => {
        calls += 1;
        if (calls === at) write();
        return table.execute(command, () => 0);
      }) as never);
      await run(due + 1);
      if (calls < at) break;
      for (let days = 1; days < 4; days += 1) await run(due + 1 + days * (day + 1));
      expectLeft();
      expect(at).toBeLessThan(60);
    }
  },
);

test("two people get two names", async () => {
  givenDeleted();
  table.seed(noteOf(other) as never);
  expect(await runTwice(due + 1)).toBe(2);
  expect(pseudonyms().size).toBe(2);
  expect(naming(other)).toEqual([]);
});
