/** `npm run ops -- books` on a running stage: equal books, and errors of a cent that are planted in the table. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeleteCommand, GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { ops } from "../../tools/ops/command.ts";
import { targetIn } from "../../tools/ops/target.ts";
import { givenSettings } from "../settings.ts";
import { exec, newEmail, year } from "./given.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

let stage: ServiceStage;
let folder: string;
let file: string;
let event: string;
/** Sessions, and the names of their payments. */
const paid: { readonly session: string; readonly name: string }[] = [];

beforeAll(async () => {
  stage = await givenStage({ refunds: "automatic", quiet: true });
  folder = await mkdtemp(join(tmpdir(), "books-"));
  file = join(folder, "outputs.json");
  await writeFile(file, JSON.stringify(stage.outputs));
  givenSettings((await targetIn(file)).environment);
  event = await stage.givenEvent({ capac: 30, pricing: { members: 5, nonMembers: 10 } });
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

async function books(...more: string[]) {
  const lines: string[] = [];
  await stage.indexed();
  const code = await ops(["books", "--stage-outputs", file, ...more], {
    print: (line) => void lines.push(line),
    note: () => undefined,
  });
  return { code, lines, found: lines.filter((line) => line.includes(": table ")) };
}

async function pay() {
  const email = newEmail();
  expect((await stage.register(event, email)).status).toBe(201);
  const { id: session } = await stage.eventCheckout(event, email);
  paid.push({ session, name: String(stage.payments.pay(session).payment_intent) });
}

const sessionOf = (n: number): string => paid[n]?.session ?? "";
const TableName = () => stage.outputs.tableName;
const paymentKey = (n: number) => ({ PK: `PAY#${paid[n]?.name}`, SK: "PAYMENT" });
const settledKey = (n: number) => ({ PK: `PAY#${sessionOf(n)}`, SK: "SETTLED" });

/** Puts back what the tests have changed. */
let restore: (() => Promise<unknown>)[] = [];
async function restored() {
  for (const one of restore) await one();
  restore = [];
}
afterEach(restored);

// biome-ignore lint/suspicious/noExplicitAny: the tests change any field of an item
type Item = Record<string, any>;

/** @param change returns the item as it is to be stored; undefined deletes it */
async function plant(Key: Item, change: (item: Item) => Item | undefined) {
  const { Item: before = {} } = await stage.table.send(
    new GetCommand({ TableName: TableName(), Key, ConsistentRead: true }),
  );
  expect(before).toMatchObject(Key);
  restore.push(() => stage.table.send(new PutCommand({ TableName: TableName(), Item: before })));
  const after = change(structuredClone(before));
  await (after
    ? stage.table.send(new PutCommand({ TableName: TableName(), Item: after }))
    : stage.table.send(new DeleteCommand({ TableName: TableName(), Key })));
}

/** Changes the only fact of a kind that a payment has, or its line of a type. */
const changed = (n: number, facts: "refunds" | "disputes" | "lines", change: (fact: Item) => void, type?: string) =>
  plant(paymentKey(n), (item) => {
    const [fact] = Object.values(item[facts] as Record<string, Item>).filter((one) => one.type === type);
    change(fact as Item);
    return item;
  });
test("without a reconciliation the books say that it never ran", async () => {
  expect(await books()).toMatchObject({
    code: 1,
    lines: [expect.stringContaining("never ran"), "Payments: 0, differences: 0."],
  });
});

test("the books are equal after refunds, a dispute, a payout and a reconciliation", async () => {
  for (let n = 0; n < 12; n += 1) await pay();
  await stage.settled();
  const body = { reason: "Sorry!", amount: 333 };
  expect((await stage.api("POST", `/payments/${sessionOf(1)}/refunds`, { as: exec, body })).status).toBeLessThan(300);
  stage.payments.refundInDashboard(sessionOf(2), 450);
  stage.payments.dispute(sessionOf(3));
  await stage.settled();
  stage.payments.payOut();
  await stage.settled();
  await pay();
  await stage.settled();
  expect((await books()).lines).toContain("Lines that the next reconciliation brings: 1.");
  await stage.invoke("Reconciler", {});
  await stage.settled();
  for (const list of [[], ["--event", event, "--year", `${year}`], ["--from", "1d"]]) {
    const { code, lines } = await books(...list);
    expect([code, lines.at(-1)]).toEqual([0, "Payments: 13, differences: 0."]);
  }
  expect((await books("--membership")).lines).toEqual(["Payments: 0, differences: 0."]);
});

test("each planted error is named, and only that", async () => {
  await plant(paymentKey(0), (item) => ({ ...item, money: { ...item.money, amount: 1_001 } }));
  await changed(1, "refunds", (refund) => (refund.amount += 1));
  await changed(2, "refunds", (refund) => (refund.amount -= 1));
  await changed(3, "disputes", (dispute) => (dispute.taken -= 1));
  await changed(4, "lines", (line) => (line.fee += 1), "charge");
  await changed(5, "lines", (line) => (line.net -= 1), "charge");
  await changed(6, "lines", (line) => (line.amount += 1), "charge");
  await plant(paymentKey(7), (item) => ({ ...item, lines: {} }));
  await changed(8, "lines", (line) => (line.payout = "po_wrong"), "charge");
  await plant(paymentKey(9), () => undefined);
  await plant(settledKey(10), () => undefined);
  await plant(paymentKey(11), () => undefined);
  await plant(settledKey(11), () => undefined);
  const { code, found } = await books();
  const line = "line txn_\\w+";
  const named: readonly (readonly [number, string])[] = [
    [0, "amount: table 10.01 CAD, provider 10.00 CAD"],
    [1, "refund \\w+ amount: table 3.34, provider 3.33"],
    [2, "refund re_\\w+ amount: table 4.49, provider 4.50"],
    [3, "dispute du_\\w+ taken: table 9.99, provider 10.00"],
    [4, `${line} fee: table 0.60, provider 0.59`],
    [5, `${line} net: table 9.40, provider 9.41`],
    [6, `${line} amount: table 10.01, provider 10.00`],
    [7, `${line}: table none, provider type charge, amount 10.00, fee 0.59, net 9.41, payout po_\\w+`],
    [8, `${line} payout: table po_wrong, provider po_\\w+`],
    [9, "payment: table none, provider 10.00 CAD"],
    [10, "settlement: table none, provider pi_\\w+"],
    [11, "payment: table none, provider 10.00 CAD"],
  ];
  const expected = named.map(([n, what]) => new RegExp(`^${sessionOf(n)}: ${what}$`));
  expect({ code, missing: expected.filter((one) => !found.some((text) => one.test(text))), found }).toMatchObject({
    code: 1,
    missing: [],
  });
  // Besides, the payout whose lines they are.
  const others = found.filter((text) => !expected.some((one) => one.test(text)));
  expect(others).toEqual([expect.stringMatching(/^po_\w+: payout: table /)]);
  expect((await books("--event", event, "--year", `${year}`)).found.sort()).toEqual(found.sort());
  await restored();
  expect(await books()).toMatchObject({ code: 0, found: [] });
});

test("what the webhook has not heard is named, and --mend settles it", async () => {
  stage.payments.failDeliveries(true);
  await pay();
  stage.payments.refundInDashboard(sessionOf(4), 100);
  const { code, found } = await books();
  expect([code, found]).toEqual([
    1,
    [
      `${sessionOf(13)}: payment: table none, provider 10.00 CAD`,
      expect.stringMatching(`^${sessionOf(4)}: refund re_\\w+: table none, provider amount 1.00, state succeeded$`),
    ],
  ]);
  expect((await books("--mend")).lines).toEqual([expect.stringMatching(/settled: 2, for the treasurer: 0\.$/)]);
  await stage.settled();
  expect((await books()).lines.at(-1)).toBe("Payments: 14, differences: 0.");
  stage.payments.failDeliveries(false);
});
