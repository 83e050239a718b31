/** The payment provider's pages: their content, their buttons, and the check that a button was pressed on the own page. */
import { request } from "node:http";
import { afterEach, describe, expect, test } from "@jest/globals";
import type Stripe from "stripe";
import { until } from "../../../test/unit/local-time.ts";
import { closeAll, dinner, givenPayments, type World } from "./payments.ts";

afterEach(closeAll);

const create = ({ stripe }: World, more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  stripe.checkout.sessions.create(dinner(more));

async function show(address: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(address);
  return { status: response.status, text: await response.text(), headers: response.headers };
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
  expect(text).toContain("2 × Founders Dinner");
  expect(text.replaceAll("\u00a0", " ")).toContain("Pay CAD 30.00");
  expect(text).toContain("ada@student.example");
  expect(text).toContain('<html lang="en">');
  expect(text).toContain("width=device-width");
  expect(text).not.toContain("<script");
  expect(buttonsOf(text)).toEqual(["pay", "payLater", "decline", "cancel", "expire"]);
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(world.payments.sessions()).toMatchObject([{ id, status: "open" }]);
});

test.each([
  ["jpy", 1500, "JPY 1,500"],
  ["kwd", 1500, "KWD 1.500"],
])("amounts in %s are in its own units", async (currency, unit_amount, shown) => {
  const world = await givenPayments();
  const { url } = await create(world, {
    line_items: [{ price_data: { currency, unit_amount, product_data: { name: "A" } }, quantity: 1 }],
  });
  expect((await show(String(url))).text.replaceAll("\u00a0", " ")).toContain(`Pay ${shown}`);
});

test("a caller's texts are never markup", async () => {
  const world = await givenPayments();
  const hostile = `<img src=x onerror="alert('1')">&amp;`;
  const { url, id } = await create(world, {
    line_items: [
      {
        price_data: { currency: "cad", unit_amount: 100, product_data: { name: hostile, description: hostile } },
        quantity: 1,
      },
    ],
    customer_email: `"><script>x</script>@a.example`,
    success_url: `http://localhost:3000/"><script>y</script>`,
    cancel_url: `http://localhost:3000/"><script>z</script>`,
  });
  const overview = `${world.payments.url}/`;
  const pages = [await show(String(url)), await show(overview)];
  world.payments.pay(id);
  pages.push(await show(String(url)), await show(overview));
  for (const { status, text } of pages) {
    expect(status).toBe(200);
    expect(text).not.toMatch(/<img|<script/);
    expect(text).toContain("&lt;script&gt;x");
  }
  expect(pages[0]?.text).toContain("&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;amp;");
});

test("paying leads back, and tells the webhook", async () => {
  const world = await givenPayments();
  const { url, id } = await create(world);
  expect(await press(`${url}/pay`)).toMatchObject({
    status: 303,
    location: `http://localhost:3000/paid?session=${id}`,
  });
  await world.payments.settled();
  expect(world.told()).toEqual([["checkout.session.completed", id]]);
});

describe("after Pay", () => {
  /** Presses the button. `isBack` says whether the browser has got its answer. */
  const pay = (address: string) => {
    const state = { isBack: false };
    const pressed = press(`${address}/pay`).finally(() => {
      state.isBack = true;
    });
    return { state, pressed };
  };
  const back = (id: string) => ({ status: 303, location: `http://localhost:3000/paid?session=${id}` });

  test("the page says that it waits, and the payer is led back when the webhook has answered", async () => {
    const world = await givenPayments();
    const { url, id } = await create(world);
    expect((await show(String(url))).text).toContain("waits until the webhook has answered");
    const release = world.webhook.pause();
    const { state, pressed } = pay(String(url));
    await until(() => world.webhook.heard.length === 1);
    // Another answer of the same server comes first.
    expect((await show(String(url))).text).toContain("<strong>Paid.</strong>");
    expect(state.isBack).toBe(false);
    release();
    expect(await pressed).toMatchObject(back(id));
  });

  test("the payer waits for ten seconds at most", async () => {
    const world = await givenPayments();
    const { url, id } = await create(world);
    const release = world.webhook.pause();
    const { state, pressed } = pay(String(url));
    await until(() => world.webhook.heard.length === 1);
    world.clock.advance(9_999);
    await show(String(url));
    expect(state.isBack).toBe(false);
    world.clock.advance(1);
    expect(await pressed).toMatchObject(back(id));
    release();
  });

  test("the payer waits for one answer only, also for a failure", async () => {
    const world = await givenPayments();
    world.webhook.answers.push(500);
    const { url, id } = await create(world);
    expect(await pay(String(url)).pressed).toMatchObject(back(id));
    expect(world.told()).toEqual([["checkout.session.completed", id]]);
  });

  test.each(["hold", "fail"])("the payer does not wait while the switch is: %s", async (name) => {
    const world = await givenPayments();
    await press(`${world.payments.url}/switches/${name}`);
    const { url, id } = await create(world);
    expect(await pay(String(url)).pressed).toMatchObject(back(id));
    expect(world.told()).toEqual([]);
  });

  test("a payer who waits is led back when deliveries are held back", async () => {
    const world = await givenPayments();
    const { url, id } = await create(world);
    const release = world.webhook.pause();
    const { pressed } = pay(String(url));
    await until(() => world.webhook.heard.length === 1);
    world.payments.holdBack();
    expect(await pressed).toMatchObject(back(id));
    release();
  });
});

test("a payer without a known email must enter one", async () => {
  const world = await givenPayments();
  const { url, id } = await create(world, { customer_email: undefined });
  expect((await show(String(url))).text).toMatch(/<label for="email">.*\n<input id="email"/);
  for (const email of ["", "ada", "ada@student"]) {
    const { status, text } = await press(`${url}/pay`, { email });
    expect(status).toBe(400);
    expect(text).toContain('role="alert"');
  }
  expect(world.payments.sessions()).toMatchObject([{ id, status: "open", customer_details: null }]);
  expect(await press(`${url}/pay`, { email: " bob@student.example " })).toMatchObject({ status: 303 });
  expect(world.payments.sessions()).toMatchObject([
    { customer_email: null, customer_details: { email: "bob@student.example" } },
  ]);
});

test("a declined card says so, and the session stays open", async () => {
  const world = await givenPayments();
  const { url, id } = await create(world);
  const { status, text } = await press(`${url}/decline`);
  expect(status).toBe(402);
  expect(text).toMatch(/role="alert">Your card was declined/);
  expect(buttonsOf(text)).toContain("pay");
  expect((await show(`${url}/decline`)).status).toBe(200);
  await world.payments.settled();
  expect([world.payments.sessions()[0]?.status, world.told()]).toEqual(["open", []]);
  expect((await press(`${url}/pay`)).status).toBe(303);
  expect(world.payments.sessions()).toMatchObject([{ id, payment_status: "paid" }]);
});

test("cancelling leads back and leaves the session open", async () => {
  const world = await givenPayments();
  const { url } = await create(world);
  expect(await press(`${url}/cancel`)).toMatchObject({ status: 303, location: "http://localhost:3000/cancelled" });
  expect(world.payments.sessions()).toMatchObject([{ status: "open" }]);
  const nowhere = await create(world, { cancel_url: undefined });
  expect(buttonsOf((await show(String(nowhere.url))).text)).not.toContain("cancel");
});

test("the page decides whether a slow payment arrives", async () => {
  const world = await givenPayments();
  const { url, id } = await create(world);
  expect(await press(`${url}/payLater`)).toMatchObject({ status: 303 });
  const { text } = await show(String(url));
  expect(text).toContain("the money is on its way");
  expect(buttonsOf(text)).toEqual(["arrive", "fail"]);
  expect(await press(`${url}/arrive`)).toMatchObject({ status: 303, location: `/c/pay/${id}` });
  expect((await show(String(url))).text).toContain("<strong>Paid.</strong>");
  expect((await press(`${url}/fail`)).status).toBe(409);
  expect(world.payments.sessions()).toMatchObject([{ payment_status: "paid" }]);
});

test("the page of an ended session says so, and the buttons of payers have no effect", async () => {
  const world = await givenPayments();
  const [paid, expired] = [await create(world), await create(world)];
  await press(`${paid.url}/pay`);
  expect(await press(`${expired.url}/expire`)).toMatchObject({ status: 303 });
  await world.payments.settled();
  for (const [{ url }, words, buttons] of [
    [paid, "Paid", ["refund", "dispute"]],
    [expired, "Expired", []],
  ] as const) {
    const { text } = await show(String(url));
    expect(text).toContain(`<strong>${words}.</strong>`);
    expect(buttonsOf(text)).toEqual(buttons);
    for (const action of ["pay", "payLater", "decline", "expire", "arrive", "fail"]) {
      const again = await press(`${url}/${action}`);
      expect([again.status, again.text.includes(`<strong>${words}.</strong>`)]).toEqual([409, true]);
    }
  }
  await world.payments.settled();
  expect(world.webhook.heard).toHaveLength(2);
});

test("the first page lists sessions and deliveries, and switches deliveries", async () => {
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
  await press(`${payments.url}/switches/reverse`);
  expect(told().map(([, id]) => id)).toEqual([...ids].reverse());

  const again = /action="(\/events\/[^"]+)"/.exec(text)?.[1];
  expect(await press(payments.url + again)).toMatchObject({ status: 303, location: "/" });
  await press(`${payments.url}/switches/fail`);
  await press(`${payments.url}/switches/duplicate`);
  expect(payments.switches).toMatchObject({ holding: false, failing: true, duplicates: 1 });
  await press(`${payments.url}/switches/succeed`);
  await press(`${payments.url}/switches/single`);
  await payments.settled();
  expect(payments.switches).toMatchObject({ holding: false, failing: false, duplicates: 0 });
  expect(told()).toHaveLength(3);
});

test("addresses that do not exist are not found", async () => {
  const world = await givenPayments();
  const { url } = world.payments;
  const { url: page } = await create(world);
  expect((await show(`${url}/no`)).status).toBe(404);
  expect((await show(`${url}/c/pay/cs_test_no`)).status).toBe(404);
  for (const path of ["/c/pay/cs_test_no/pay", "/switches/constructor", "/events/evt_no/again", "/no"]) {
    expect((await press(url + path)).status).toBe(404);
  }
  for (const action of ["constructor", "no"]) expect((await press(`${page}/${action}`)).status).toBe(404);
});

test.each<[string, Record<string, string>]>([
  ["another origin", { origin: "http://localhost:3000" }],
  ["no origin that has a name", { origin: "null" }],
  ["another site", { "sec-fetch-site": "cross-site" }],
  ["another port", { "sec-fetch-site": "same-site" }],
])("a page of %s cannot pay", async (_, headers) => {
  const world = await givenPayments();
  const { url } = await create(world);
  expect((await press(`${url}/pay`, {}, headers)).status).toBe(403);
  expect((await press(`${world.payments.url}/switches/hold`, {}, headers)).status).toBe(403);
  expect(world.payments.sessions()).toMatchObject([{ status: "open" }]);
  expect(world.payments.switches.holding).toBe(false);
});

test("control: its own page can", async () => {
  const world = await givenPayments();
  const { url } = await create(world);
  const headers = { origin: world.payments.url, "sec-fetch-site": "same-origin" };
  expect((await press(`${url}/pay`, {}, headers)).status).toBe(303);
});

/** `fetch` does not let the caller choose the Host header. */
const statusUnder = (address: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(address, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });

test("under the name of another host the pages are not shown", async () => {
  const { payments } = await givenPayments();
  const { port } = new URL(payments.url);
  expect(await statusUnder(payments.url, `evil.example:${port}`)).toBe(403);
  expect(await statusUnder(payments.url, `localhost:${port}`)).toBe(200);
});
