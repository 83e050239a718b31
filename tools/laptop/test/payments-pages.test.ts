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

describe("the page of a paid session", () => {
  /** What the page says, in plain spaces. */
  const text = async (address: string): Promise<string> => (await show(address)).text.replaceAll("\u00a0", " ");

  async function givenPaid() {
    const world = await givenPayments();
    const session = await create(world);
    world.payments.pay(session.id);
    return { ...world, url: String(session.url), id: session.id };
  }

  /** The addresses that a button of these words sends its form to. */
  const addressOf = (page: string, move: "succeed" | "fail"): string =>
    String(new RegExp(`ction="(/refunds/[^"]+/${move})"`).exec(page)?.[1]);

  test("shows its money lines, and refunds an amount", async () => {
    const { payments, url } = await givenPaid();
    const before = await text(url);
    expect(before).toContain('value="30.00"');
    expect(before).toContain("less a fee of CAD 1.17");
    expect(before).toContain("CAD 28.83");
    expect(before).not.toContain("<script");
    expect(await press(`${url}/refund`, { amount: " 12.5 " })).toMatchObject({
      status: 303,
      location: new URL(url).pathname,
    });
    expect(payments.refunds()).toMatchObject([{ amount: 1250, status: "succeeded" }]);
    const after = await text(url);
    expect(after).toContain("CAD 12.50. Went through.");
    expect(after).toContain('value="17.50"');
    expect(after).toContain("-CAD 12.50");
    expect(after).toContain("CAD 16.33");
    await press(`${url}/refund`, { amount: "17.50" });
    expect(buttonsOf(await text(url))).toEqual(["succeed", "fail", "succeed", "fail"]);
  });

  test.each(["", "0", "0.00", "-1", "1e3", "12,50", "12.505", "much"])("%j is no amount", async (amount) => {
    const { payments, url } = await givenPaid();
    const { status, text: page } = await press(`${url}/refund`, { amount });
    expect([status, page.includes("Please enter an amount")]).toEqual([400, true]);
    expect(payments.refunds()).toEqual([]);
  });

  test("says why the provider refuses a refund", async () => {
    const { payments, url, id } = await givenPaid();
    const more = await press(`${url}/refund`, { amount: "30.01" });
    expect([more.status, more.text.includes("is greater than charge amount")]).toEqual([409, true]);
    payments.refundInDashboard(id);
    const again = await press(`${url}/refund`, { amount: "1" });
    expect([again.status, again.text.includes("has already been refunded")]).toEqual([409, true]);
    expect((await show(`${url}/refund`)).status).toBe(200);
  });

  test("decides about refunds", async () => {
    const { payments, url } = await givenPaid();
    await press(`${payments.url}/switches/wait`);
    await press(`${url}/refund`, { amount: "1" });
    const pending = await text(url);
    expect(pending).toContain("On its way.");
    expect(pending).toMatch(/It goes through.*\n.*It fails</);
    expect(await press(payments.url + addressOf(pending, "succeed"))).toMatchObject({
      status: 303,
      location: new URL(url).pathname,
    });
    const done = await text(url);
    expect(done).toContain("It fails after all");
    const refused = await press(payments.url + addressOf(done, "succeed"));
    expect([refused.status, refused.text.includes("This refund has a status of succeeded.")]).toEqual([409, true]);
    expect((await text(payments.url + addressOf(done, "succeed"))).includes("It fails after all")).toBe(true);
    await press(payments.url + addressOf(done, "fail"));
    expect(payments.refunds()).toMatchObject([{ status: "failed" }]);
    const failed = await text(url);
    expect(failed).toContain("Failed: expired or canceled card.");
    expect(buttonsOf(failed)).toEqual(["refund", "dispute"]);
  });

  test.each([
    ["won", "The club has won"],
    ["lost", "The club has lost"],
  ])("disputes it, and the dispute is %s", async (result, words) => {
    const { payments, url } = await givenPaid();
    expect((await press(`${url}/dispute`)).status).toBe(303);
    const open = await text(url);
    expect(open).toContain("The dispute is open");
    expect(buttonsOf(open)).toEqual(["won", "lost"]);
    expect((await press(`${url}/dispute`)).status).toBe(409);
    expect((await press(`${url}/${result}`)).status).toBe(303);
    const closed = await text(url);
    expect(closed).toContain(words);
    expect(buttonsOf(closed)).toEqual(result === "won" ? ["refund"] : []);
    expect((await press(`${url}/won`)).status).toBe(409);
    expect(payments.disputes()).toMatchObject([{ status: result }]);
  });

  test("another site's page presses none of its buttons", async () => {
    const { payments, url, id } = await givenPaid();
    const refund = payments.refundInDashboard(id, 100);
    const foreign = { origin: "http://localhost:3000" };
    for (const address of [`${url}/refund`, `${url}/dispute`, `${payments.url}/refunds/${refund.id}/fail`]) {
      expect((await press(address, { amount: "1" }, foreign)).status).toBe(403);
    }
    expect((await press(`${payments.url}/payouts`, {}, foreign)).status).toBe(403);
    expect([payments.refunds(), payments.disputes(), payments.payouts()]).toMatchObject([
      [{ status: "succeeded" }],
      [],
      [],
    ]);
  });

  test("of a session without a payment there is nothing to refund or dispute", async () => {
    const world = await givenPayments();
    const { url } = await create(world);
    expect((await press(`${url}/refund`, { amount: "1" })).status).toBe(409);
    expect((await press(`${url}/dispute`)).status).toBe(409);
    expect((await press(`${world.payments.url}/refunds/re_no/fail`)).status).toBe(404);
  });
});

test("the first page lists refunds and payouts, and pays out", async () => {
  const world = await givenPayments();
  const { payments } = world;
  const first = `${payments.url}/`;
  expect(await press(`${first}payouts`)).toMatchObject({ status: 303 });
  expect((await show(first)).text).toContain("Not paid out yet: nothing.");
  const { id } = await create(world);
  payments.pay(id);
  payments.refundInDashboard(id, 1000);
  const before = (await show(first)).text.replaceAll("\u00a0", " ");
  expect(before).toContain(`<a href="/c/pay/${id}">CAD 10.00</a>`);
  expect(before).toContain("Not paid out yet: CAD 18.83.");
  expect(await press(`${first}payouts`)).toMatchObject({ status: 303, location: "/" });
  expect(payments.payouts()).toMatchObject([{ amount: 1883 }]);
  const after = (await show(first)).text.replaceAll("\u00a0", " ");
  expect(after).toContain("CAD 18.83 in 2 lines");
  expect(buttonsOf(after)).not.toContain("payouts");
});

test("an event of a payout belongs to no session", async () => {
  const world = await givenPayments({ enabledEvents: ["payout.paid"] });
  const { payments } = world;
  payments.pay((await create(world)).id);
  payments.payOut();
  await payments.settled();
  expect((await show(payments.url)).text).toContain("<p>payout.paid</p>");
});

test.each([
  ["wait", "direct", "refundsWait", "new refunds wait for a decision"],
  ["empty", "fill", "balanceIsEmpty", "the balance is empty"],
  ["silence", "answer", "silent", "answered with 503"],
  ["lose", "keep", "losing", "every answer is lost"],
] as const)("the first page switches: %s and %s", async (on, off, name, words) => {
  const { payments } = await givenPayments();
  for (const [action, isOn] of [
    [on, true],
    [off, false],
  ] as const) {
    expect(buttonsOf((await show(payments.url)).text)).toContain(action);
    await press(`${payments.url}/switches/${action}`);
    expect(payments.switches[name]).toBe(isOn);
    expect((await show(payments.url)).text.includes(words)).toBe(isOn);
  }
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
