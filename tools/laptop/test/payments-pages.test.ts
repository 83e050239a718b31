import { afterEach, describe, expect, test } from "@jest/globals";
import type Stripe from "stripe";
import { until } from "../../../test/unit/local-time.ts";
import { closeAll, dinner, givenPaid as givenPaidDinner, givenPayments, type World } from "./payments.ts";

afterEach(closeAll);

const create = ({ stripe }: Pick<World, "stripe">, more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  stripe.checkout.sessions.create(dinner(more));

/** The text has plain spaces. */
async function show(address: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(address);
  const text = (await response.text()).replaceAll("\u00a0", " ");
  return { status: response.status, text, headers: response.headers };
}

async function press(address: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const body = new URLSearchParams(fields);
  const response = await fetch(address, { method: "POST", body, headers, redirect: "manual" });
  return { status: response.status, location: response.headers.get("location"), text: await response.text() };
}

/** Addresses that the page's buttons send their form to. */
const buttonsOf = (text: string): string[] =>
  [...text.matchAll(/(?:form)?action="([^"]+)"/g)].map(([, address]) => String(address).split("/").at(-1) as string);

test("the page shows items, amount and payer, and works without a script", async () => {
  const world = await givenPayments();
  const { url, id } = await create(world);
  const { status, text, headers } = await show(String(url));
  expect(status).toBe(200);
  for (const words of ["2 × Founders Dinner", "Pay CAD 30.00", "ada@student.example", "width=device-width"]) {
    expect(text).toContain(words);
  }
  expect(text).toContain('<html lang="en">');
  expect(text).not.toContain("<script");
  expect(buttonsOf(text)).toEqual(["pay", "payLater", "decline", "cancel", "expire"]);
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(world.payments.sessions()).toMatchObject([{ id, status: "open" }]);
});

test("after Pay the payer is led back when the webhook has answered", async () => {
  const world = await givenPayments();
  const { url, id } = await create(world);
  const release = world.webhook.pause();
  let isBack = false;
  const pressed = press(`${url}/pay`).finally(() => {
    isBack = true;
  });
  await until(() => world.webhook.heard.length === 1);
  // Another answer of the same server comes first.
  expect((await show(String(url))).text).toContain("<strong>Paid.</strong>");
  expect(isBack).toBe(false);
  release();
  expect(await pressed).toMatchObject({ status: 303, location: `http://localhost:3000/paid?session=${id}` });
});

describe("the page of a paid session", () => {
  async function givenPaid() {
    const world = await givenPaidDinner();
    return { ...world, url: `${world.payments.url}/c/pay/${world.id}` };
  }
  const text = async (address: string): Promise<string> => (await show(address)).text;

  test("shows its money lines, and refunds an amount", async () => {
    const { payments, url } = await givenPaid();
    const before = await text(url);
    for (const words of ['value="30.00"', "less a fee of CAD 1.17", "CAD 28.83"]) expect(before).toContain(words);
    expect(await press(`${url}/refund`, { amount: " 12.5 " })).toMatchObject({
      status: 303,
      location: new URL(url).pathname,
    });
    expect(payments.refunds()).toMatchObject([{ amount: 1250, status: "succeeded" }]);
    const after = await text(url);
    for (const words of ["CAD 12.50. Went through.", 'value="17.50"', "-CAD 12.50", "CAD 16.33"]) {
      expect(after).toContain(words);
    }
  });

  test("disputes a part of it, and offers what a bank may do next", async () => {
    const { payments, url } = await givenPaid();
    const first = { amount: "10", status: "warning_needs_response" };
    expect((await press(`${url}/dispute`, first)).status).toBe(303);
    const move = `${payments.url}/disputes/${payments.disputes()[0]?.id}/move`;
    const inquiry = ["warning_under_review", "needs_response", "under_review"];
    for (const status of [...inquiry, "won", "appeal_needs_response", "appeal_under_review", "lost"]) {
      expect(await text(url)).toContain(`<option value="${status}">`);
      expect((await press(move, { status })).status).toBe(303);
    }
    expect(await text(url)).not.toContain("The bank goes on");
    expect((await press(move, { status: "won" })).status).toBe(409);
    expect((await press(`${url}/dispute`, { amount: "20", status: "prevented" })).status).toBe(303);
    expect((await press(`${url}/dispute`, { amount: "1" })).status).toBe(409);
    expect(payments.disputes()).toMatchObject([
      { amount: 1000, status: "lost" },
      { amount: 2000, status: "prevented" },
    ]);
  });
});

test("the first page lists sessions and deliveries, and has the switches", async () => {
  const world = await givenPayments();
  const { payments, told } = world;
  expect((await show(`${payments.url}/`)).text.match(/There are none yet/g)).toHaveLength(4);
  await press(`${payments.url}/switches/hold`);
  const ids = [(await create(world)).id, (await create(world)).id];
  for (const id of ids) payments.pay(id);
  await payments.settled();
  const { text } = await show(`${payments.url}/`);
  expect(text).toContain(`href="/c/pay/${ids[0]}"`);
  expect(text.match(/Held back\./g)).toHaveLength(2);
  await press(`${payments.url}/switches/release`);
  expect(told().map(([, id]) => id)).toEqual(ids);

  const again = /action="(\/events\/[^"]+)"/.exec(text)?.[1];
  expect(await press(payments.url + again)).toMatchObject({ status: 303, location: "/" });
  await payments.settled();
  for (const name of ["wait", "poor", "limit"]) await press(`${payments.url}/switches/${name}`);
  await press(`${payments.url}/switches/withhold`, { permission: "balance_read" });
  const switched = { refundsWait: true, neverNegative: true, limited: 5, withheld: ["balance_read"] };
  expect(payments.switches).toMatchObject({ holding: false, ...switched });
  expect((await show(`${payments.url}/`)).text).toContain("The key has no balance read.");
  expect(told()).toHaveLength(3);
});

test.each<[number, string, Record<string, string>]>([
  [403, "another origin", { origin: "http://localhost:3000" }],
  [403, "no origin that has a name", { origin: "null" }],
  [403, "another site", { "sec-fetch-site": "cross-site" }],
  [403, "another port", { "sec-fetch-site": "same-site" }],
  [303, "the provider itself (control)", { "sec-fetch-site": "same-origin" }],
])("%d when a button is pressed on a page of %s", async (status, _, headers) => {
  const { payments, id } = await givenPaidDinner();
  const refund = payments.refundInDashboard(id, 100);
  for (const path of ["/switches/hold", `/c/pay/${id}/dispute`, `/refunds/${refund.id}/fail`, "/payouts"]) {
    expect((await press(payments.url + path, { amount: "1" }, headers)).status).toBe(status);
  }
  expect([payments.switches.holding, payments.disputes().length]).toEqual(status === 403 ? [false, 0] : [true, 1]);
});
