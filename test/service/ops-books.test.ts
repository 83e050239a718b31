/** `npm run ops -- books` on a running stage: equal books, and what the webhook has not heard. `tools/ops/test/books.test.ts` has each difference. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { exec, newEmail } from "./given.ts";
import { operatorOf } from "./operator.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

let stage: ServiceStage;
let operator: Awaited<ReturnType<typeof operatorOf>>;
let event: string;
/** Sessions, and the names of their payments. */
const paid: { readonly session: string; readonly name: string }[] = [];

beforeAll(async () => {
  stage = await givenStage({ refunds: "automatic", quiet: true });
  operator = await operatorOf(stage);
  event = await stage.givenEvent({ capac: 30, pricing: { members: 5, nonMembers: 10 } });
});
afterAll(async () => {
  await stage.close();
  await operator.close();
});

async function books(...more: string[]) {
  await stage.indexed();
  const { code, lines } = await operator.run("books", ...more);
  return { code, lines, found: lines.filter((line) => line.includes(": table ")) };
}

async function pay() {
  const email = newEmail();
  expect((await stage.register(event, email)).status).toBe(201);
  const { id: session } = await stage.eventCheckout(event, email);
  paid.push({ session, name: String(stage.payments.pay(session).payment_intent) });
}

const sessionOf = (n: number): string => paid[n]?.session ?? "";

test("without a reconciliation the books say that it never ran", async () => {
  expect(await books()).toMatchObject({
    code: 1,
    lines: [expect.stringContaining("never ran"), "Payments: 0, differences: 0."],
  });
});

test("the books are equal after refunds, a dispute, a payout and a reconciliation", async () => {
  for (let n = 0; n < 5; n += 1) await pay();
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
  for (const since of [[], ["--from", "1d"]]) {
    const { code, lines } = await books(...since);
    expect([code, lines.at(-1)]).toEqual([0, "Payments: 6, differences: 0."]);
  }
});

test("what the webhook has not heard is named, and --mend settles it", async () => {
  stage.payments.holdBack();
  await pay();
  stage.payments.refundInDashboard(sessionOf(4), 100);
  const { code, found } = await books();
  expect([code, found]).toEqual([
    1,
    [
      `${sessionOf(6)}: payment: table none, provider 10.00 CAD`,
      expect.stringMatching(`^${sessionOf(4)}: refund re_\\w+: table none, provider amount 1.00, state succeeded$`),
    ],
  ]);
  expect((await books("--mend")).lines).toEqual([expect.stringMatching(/settled: 2, for the treasurer: 0\.$/)]);
  await stage.settled();
  expect((await books()).lines.at(-1)).toBe("Payments: 7, differences: 0.");
  await stage.payments.release();
});
