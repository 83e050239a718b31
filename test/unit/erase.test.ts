/** The end of an erasure: what goes, and what stays under a name that leads to no person (`docs/contract.md`, "A person's data"). */
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, expect, jest, test } from "@jest/globals";
import { ulid } from "ulid";
import { names } from "#domain/personal-data/shown.ts";
import { storedKindOf } from "#outbox/stored-kinds.ts";
import { leadsBack } from "../leads.ts";
import { MemoryTable } from "../model/table.ts";
import "./environment.ts";
import { registrationItem, registrationRecord } from "./given.ts";

const { client } = await import("#kit/table/table.ts");
const { beginErasure } = await import("#domain/people/users/erasures.ts");
const { systemContext } = await import("#kit/request/context.ts");
const { eraseDue } = await import("#domain/personal-data/erase.ts");
const { itemsAbout } = await import("#domain/personal-data/find.ts");

const day = 86_400_000;
const deletedAt = Date.parse("2030-01-01T00:17:23.456Z");
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

const lineKey = `${deletedAt - 2 * day}#01BX5ZZKBKACTAV9WEVGEMMVRZ`;
const queueKey = `${deletedAt - day}#01ARZ3NDEKTSV4RRFFQ69G5FAV`;
const payment = (more: object = {}) => ({
  ...{ PK: "PAY#pi_1", SK: "PAYMENT", GSI1PK: "PAYMENTS#gala#2030", GSI1SK: `${deletedAt - day}#cs_1` },
  ...{ paymentId: "cs_1", email, money: { amount: 1_000, currency: "CAD", paymentIntent: "pi_1" }, as: "seat" },
  ...{ purpose: { kind: "event", event: { id: "gala", year: 2030 } }, settledAt: deletedAt - day, version: 3, ...more },
});

/** The note of an erasure. */
const noteOf = (of: string): object =>
  (beginErasure(of, "self/account", systemContext("request", deletedAt)).erasure.Put as { Item: object }).Item;

const forgotten = { email, fname: "", basicInformation: {}, dynamicResponses: {}, ofDeletedAccount: true } as const;
const scan = { nonce: "d0-0r", at: deletedAt - 5, receivedAt: deletedAt - 4, device: "North", deviceId: "dev1ce" };
const choices = { track: "Rust and more" };

/** What is left of a person sixty days after the deletion. */
function givenDeleted(more: object = {}): void {
  const checkedIn = {
    checkedInAt: scan.at,
    checkedInBy: { device: scan.device, nonce: scan.nonce },
    points: 7,
  } as const;
  const items: object[] = [
    noteOf(email),
    registrationItem({
      ...{
        ...forgotten,
        ...checkedIn,
        eventID: "gala",
        status: "checkedIn",
        queueKey,
        paidBy: "cs_1",
        paidAt: deletedAt,
      },
      ...{ dynamicResponses: choices, choices, paid: { amount: 1_000, currency: "CAD", paymentIntent: "pi_1" } },
    }),
    registrationItem({ ...forgotten, eventID: "line", status: "waitlist", queueKey: lineKey }),
    { PK: "WAIT#line#2030", SK: lineKey, email, generation: "g", version: 1 },
    registrationItem({ email, eventID: "left", status: "deleted", fname: "", queueKey }),
    { PK: `SCAN#gala#2030#${registrationRecord().generation}`, SK: "mark1", email, version: 1, scans: [scan] },
    { PK: `SCAN#gala#2030#${registrationRecord().generation}`, SK: "mark2", email: other, version: 1, scans: [] },
    ...["01CHK1", "01CHK2", "01CHK3"].map((id) => ({
      ...{
        PK: `PAY#${id}`,
        SK: "CHECKOUT",
        GSI1PK: `CHECKOUTS#${email}`,
        GSI1SK: id,
        id,
        email,
        sessionId: `cs_${id}`,
      },
      purpose: { kind: "event", event: { id: "gala", year: 2030 }, queueKey },
    })),
    { PK: `USER#${email}`, SK: "CHECKOUT#EVENT#gala#2030", id: "01CHK3", email, sessionId: "cs_01CHK3" },
    ...rows,
    registrationItem({ ...forgotten, email: other, eventID: "gala", status: "checkedIn", points: 7 }),
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

/** Messages and audit, which have the email for 400 days. */
const rows = [
  {
    ...{ PK: "OUT#2029123100#1", SK: ulid(deletedAt - day), detailType: "payment.completed" },
    detail: {
      metadata: { actor: email, occurredAt: new Date(deletedAt - day).toISOString(), correlationId: "request-1" },
      data: { email, eventID: "gala", year: 2030, paymentId: "cs_1", paymentIntent: "pi_1" },
    },
  },
  {
    ...{ PK: "OUT#2029123100#2", SK: ulid(deletedAt - day), detailType: "btx.traded" },
    detail: { metadata: { actor: email }, data: { tradeId: queueKey.slice(14), projectId: "rover" } },
  },
  { PK: "AUD#2029123100", SK: ulid(deletedAt - 5), action: "registration.checkedIn", email, at: deletedAt - 5 },
];

const everything = () => table.all() as { PK: string; SK: string }[];
const naming = (name: string) => everything().filter((item) => names(item, name));
const kindsOf = (items: readonly { PK: string; SK: string }[]) => items.map((item) => storedKindOf(item)).sort();
const isOfOthers = (item: object): boolean => names(item, other);
/** The names that items have instead of the email. */
const pseudonyms = () => new Set(JSON.stringify(everything()).match(/erased-[0-9a-f]{32}@erased\.invalid/g));
const run = (now: number) => eraseDue(now, { deadline: performance.now() + 15_000 });
/** Two runs, a day apart: the second one finds nothing more to do. */
async function runTwice(now: number): Promise<number> {
  expect(await run(now)).toBe(0);
  return run(now + day + 1);
}

function expectErased(): void {
  expect(kindsOf(naming(email))).toEqual(["audit row", "outbox row", "outbox row", "suppression"]);
  const [pseudonym = "", ...others] = pseudonyms();
  expect(others).toEqual([]);
  expect(kindsOf(naming(pseudonym))).toEqual(
    ["account in the game", "listed game account", "registration", "registration", "trade"].sort(),
  );
  expect(table.peek({ PK: `USER#${pseudonym}`, SK: "REG#gala#2030" })).toMatchObject({
    ...{ status: "checkedIn", points: 7, choices, paid: { amount: 1_000, currency: "CAD" } },
  });
  expect(table.peek({ PK: `USER#${pseudonym}`, SK: "REG#line#2030" })).toMatchObject({ status: "cancelled" });
  expect(table.peek({ PK: "PAY#pi_1", SK: "PAYMENT" })).toMatchObject({
    ...{ email: "erased@erased.invalid", money: { amount: 1_000 } },
  });
  expect(everything().find(({ PK }) => PK === "BTXT#p")).toMatchObject({
    ...{ GSI1PK: `TRD#${pseudonym}`, displayName: "Player", shares: 3 },
  });
  expect(leadsBack(everything(), { email, pseudonym, isCommon: isOfOthers })).toEqual([]);
  expect(kindsOf(naming(other))).toEqual(["registration", "scans of a ticket"]);
}

test("a registration that loses its name gives the use of its code back, so that the uses are those of registrations", async () => {
  givenDeleted();
  const code = { id: "c0de", kind: "discount" } as const;
  const { generation } = registrationRecord();
  const codeKey = { PK: `CODE#gala#2030#${generation}`, SK: "c0de" };
  const own = { PK: `USER#${email}`, SK: "REG#gala#2030" };
  table.seed({ ...(table.peek(own as never) as object), code } as never);
  table.seed({ ...codeKey, id: "c0de", uses: 3, used: 2, version: 1 } as never);
  // Its code is gone.
  const line = { PK: `USER#${email}`, SK: "REG#line#2030" };
  table.seed({ ...(table.peek(line as never) as object), code } as never);
  for (let run = 0; run < 3; run += 1) await eraseDue(due + run * day, { deadline: Number.POSITIVE_INFINITY });
  expect(table.peek(own as never)).toBeUndefined();
  expect(table.peek(codeKey as never)).toMatchObject({ used: 1 });
  expect([...table.all()].filter(({ PK }) => String(PK).startsWith("CODE#line"))).toEqual([]);
});

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
    expect(at).toBeLessThan(40);
  }
});

test("a run whose time is over at any write is continued by the next one, not a day later", async () => {
  for (let at = 1; at < 40; at += 1) {
    table = new MemoryTable();
    givenDeleted();
    let writes = 0;
    jest.spyOn(performance, "now").mockImplementation(() => (writes < at ? 0 : 60_000));
    jest.spyOn(client, "send").mockImplementation((async (command: unknown) => {
      if (command instanceof TransactWriteCommand) writes += 1;
      return table.execute(command, () => 0);
    }) as never);
    await run(due + 1).catch(() => undefined);
    const isCut = writes === at;
    writes = 0;
    jest.spyOn(performance, "now").mockReturnValue(0);
    await run(due + 2);
    expect([at, kindsOf(naming(email)).filter((kind) => kind === "registration")]).toEqual([at, []]);
    if (!isCut) return;
  }
  throw new Error("no run ended");
});

test("a person who has come back, with an account or a registration, keeps everything", async () => {
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
      expect(at).toBeLessThan(90);
    }
  },
);

test("what is left to do is due again a day after the run", async () => {
  givenDeleted();
  const late = due + 3 * day + 59_999;
  await run(late);
  const notes = everything().filter(({ PK }) => PK === "ERASURES");
  expect(notes.map(({ SK }) => SK)).toEqual([`${late + day}#${email}`]);
});

test("markers of notices go first, and last what leads to other items", async () => {
  givenDeleted();
  const gone: string[] = [];
  table.onCommit = (changes) => {
    for (const { before, after } of changes) if (before && !after) gone.push(`${before.PK} ${before.SK}`);
  };
  await run(due + 1);
  expect(gone[0]).toMatch(/^SENT#mail#/);
  // The note itself is the last of all.
  expect(gone.at(-2)).toMatch(/ (?:REG|BTX|RECEIPT)#/);
});

test("two people get two names", async () => {
  givenDeleted();
  table.seed(noteOf(other) as never);
  expect(await runTwice(due + 1)).toBe(2);
  expect(pseudonyms().size).toBe(2);
  expect(naming(other)).toEqual([]);
});

test("a record that only had another name would lead back", () => {
  givenDeleted();
  const pseudonym = "erased-0@erased.invalid";
  const items = everything().map((item) =>
    storedKindOf(item) === "registration" ? JSON.parse(JSON.stringify(item).replaceAll(email, pseudonym)) : item,
  );
  const found = leadsBack(items, { email, pseudonym, isCommon: isOfOthers });
  expect(found).toEqual(expect.arrayContaining([scan.nonce, `${scan.at}`, queueKey, "cs_1", "pi_1", lineKey]));
});

test("until the registrations are cancelled and emptied, the erasure waits", async () => {
  for (const left of [{ fname: "Ada" }, { ofDeletedAccount: undefined }, { studentId: "1" }, { holdExpiresAt: due }]) {
    table = new MemoryTable();
    givenDeleted();
    table.seed(registrationItem({ ...forgotten, eventID: "gala", queueKey, ...left } as never) as never);
    expect(await run(due + 1)).toBe(0);
    expect([pseudonyms().size, naming(email).length > 9]).toEqual([1, true]);
  }
});

const people = (count: number) => Array.from({ length: count }, (_, at) => `p${at}@unit.example`);
function givenMany(count: number): void {
  for (const one of people(count)) {
    table.seed(noteOf(one) as never);
    table.seed(registrationItem({ ...forgotten, email: one, eventID: "gala", status: "checkedIn", queueKey }) as never);
  }
}

test("a hundred that are due at once are over in one run, and the rest of a run that has no time in later ones", async () => {
  givenMany(100);
  await eraseDue(due + 1, { deadline: performance.now() });
  expect(pseudonyms().size).toBe(0);
  const begun = performance.now();
  await eraseDue(due + 1, { deadline: begun + 120_000 });
  expect(everything().filter(({ PK }) => PK.startsWith("USER#p"))).toEqual([]);
  expect(pseudonyms().size).toBe(100);
});

test("one that fails keeps no other one waiting, and the run says so", async () => {
  givenMany(3);
  jest.spyOn(client, "send").mockImplementation((async (command: { input: { TransactItems?: unknown } }) => {
    const isOfFirst = JSON.stringify(command.input.TransactItems ?? "").includes("p0@unit.example");
    if (isOfFirst) throw new Error("refused");
    return table.execute(command as never, () => 0);
  }) as never);
  await expect(run(due + 1)).rejects.toThrow("1 erasures failed");
  expect(everything().filter(({ PK }) => PK.startsWith("USER#p"))).toMatchObject([{ PK: "USER#p0@unit.example" }]);
});

test("the export has every checkout and every payment of the person, also several for one event", async () => {
  givenDeleted();
  for (const item of [
    { PK: `USER#${email}`, SK: "RECEIPT#cs_2", paymentId: "cs_2", amount: 500 },
    { PK: "PAY#cs_2", SK: "SETTLED", as: "refund", payment: "pi_2", GSI1PK: "PAYMENTS#ALL", GSI1SK: `${due}#cs_2` },
    payment({ PK: "PAY#pi_2", paymentId: "cs_2", as: "refund" }),
  ])
    table.seed(item as never);
  const found = (await itemsAbout(email, due)).filter(({ PK }) => PK.startsWith("PAY#")).map(({ PK }) => PK);
  expect(found.sort()).toEqual(["PAY#01CHK1", "PAY#01CHK2", "PAY#01CHK3", "PAY#pi_1", "PAY#pi_2"]);
});
