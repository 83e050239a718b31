/**
 * The maximum DynamoDB cost of a request: sequential round trips, read units, write units. Those of `docs/performance.md` are in
 * `budgets.test.ts`; here are those that it does not have, or whose calls overlap.
 */
import { marshall } from "@aws-sdk/util-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import Stripe from "stripe";
import { ulid } from "ulid";
import type { Checkout } from "#domain/payments/checkout/checkout.ts";
import { givenSettings } from "../settings.ts";
import { exec, year } from "./given.ts";
import { givenStage, type ServiceStage, withoutRelay } from "./stage.ts";

interface Cost {
  roundTrips: number;
  readUnits: number;
  writeUnits: number;
}

type Handler = (event: unknown) => Promise<APIGatewayProxyStructuredResultV2>;

let stage: ServiceStage;
let cost: Cost = { roundTrips: 0, readUnits: 0, writeUnits: 0 };
let inFlight = 0;
const handlers = new Map<string, Handler>();

/** Counts round trips of the client. Calls that overlap count as one. */
function countRoundTrips(client: { middlewareStack: { add(middleware: unknown, options: object): void } }): void {
  const counted = (next: (args: unknown) => Promise<unknown>) => async (args: unknown) => {
    if (inFlight === 0) cost.roundTrips += 1;
    inFlight += 1;
    try {
      return await next(args);
    } finally {
      inFlight -= 1;
    }
  };
  client.middlewareStack.add(counted, { step: "initialize" });
}

beforeAll(async () => {
  stage = await givenStage({
    conflicts: false,
    // The sweeper would read from the table during a measurement.
    standIns: { ...withoutRelay, Sweeper: async () => undefined },
    onTableCall: ({ readUnits, writeUnits }) => {
      cost.readUnits += readUnits;
      cost.writeUnits += writeUnits;
    },
  });
  const { PAYMENTS_SECRET, ALLOWED_ORIGINS, MEMBERSHIP_PRICE, MEMBERSHIP_PRICES, CURRENCY } =
    stage.environmentOf("Payments");
  givenSettings({
    TABLE_NAME: stage.outputs.tableName,
    ADMIN_EMAIL_DOMAIN: stage.outputs.adminEmailDomain,
    TICKET_KEY_SECRET: stage.environmentOf("Registrations").TICKET_KEY_SECRET,
    PAYMENTS_SECRET,
    ALLOWED_ORIGINS,
    MEMBERSHIP_PRICE,
    MEMBERSHIP_PRICES,
    CURRENCY,
    WEB_APP_URL: "https://club.example",
    EVENT_PAGE: "/event/{id}/{year}/register",
    LINK_PAGE: "https://club.example/registration/",
    DOOR_PAGE: "https://club.example/door/",
    PAYMENTS_ENDPOINT_URL: stage.outputs.paymentsUrl,
    IMAGE_BUCKET: stage.outputs.imageBucket,
    IMAGE_PUBLIC_URL: stage.outputs.imagesUrl,
    AWS_REGION: stage.outputs.region,
    AWS_ACCESS_KEY_ID: "LOCALBudget",
    AWS_ENDPOINT_URL_DYNAMODB: stage.outputs.dynamodbUrl,
    AWS_ENDPOINT_URL_S3: stage.outputs.imagesUrl,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: stage.endpoint("SECRETS_MANAGER"),
    // The functions run in this process and would fill the test's output.
    POWERTOOLS_LOG_LEVEL: "WARN",
  });
  const { client } = await import("#kit/table/table.ts");
  countRoundTrips(client as unknown as Parameters<typeof countRoundTrips>[0]);
  const names = [
    "btx",
    "door",
    "emails",
    "events",
    "registrations",
    "payments",
    "users",
    "members",
    "profiles",
    "images",
  ];
  for (const name of [...names, "payment-webhook"]) {
    const module = (await import(`../../lambda/api/${name}/index.ts`)) as { handler: Handler };
    handlers.set(name, module.handler);
  }
});
afterAll(() => stage.close());

let requests = 0;
/** The body of the last answer. */
let lastAnswer: string;

/** Calls a handler as the gateway would; a read when the indexes have all writes. @returns the cost of the request */
async function costOf(
  capability: string,
  routeKey: string,
  email: string,
  { params, query, body, headers = {} }: { params?: object; query?: object; body?: object; headers?: object } = {},
  expected = 200,
): Promise<Cost> {
  if (routeKey.startsWith("GET") || routeKey === "POST /emails/send") await stage.indexed();
  cost = { roundTrips: 0, readUnits: 0, writeUnits: 0 };
  requests += 1;
  const claims = { token_use: "id", email, email_verified: "true" };
  const handler = handlers.get(capability) as Handler;
  const { statusCode, body: answer } = await handler({
    routeKey,
    headers,
    pathParameters: params,
    queryStringParameters: query,
    body: body && JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: { requestId: `r${requests}`, timeEpoch: Date.now() + requests, authorizer: { jwt: { claims } } },
  });
  expect({ statusCode, answer }).toMatchObject({ statusCode: expected });
  lastAnswer = answer ?? "null";
  return cost;
}

/** Stores items as they are. */
const store = (items: readonly object[]) =>
  stage.engine.load(
    stage.outputs.tableName,
    items.map((item) => marshall(item)),
  );

async function givenEvent(id: string, capac: number, more: object = {}): Promise<void> {
  const startDate = "2030-05-01T18:00:00Z";
  await costOf(
    "events",
    "POST /events",
    exec,
    { body: { id, year, ename: id, capac, startDate, isPublished: true, ...more } },
    201,
  );
}

const register = (eventID: string, email: string) =>
  costOf("registrations", "POST /registrations", email, { body: { eventID, year, email, fname: "Ada" } }, 201);

const within = (spent: Cost, [roundTrips, readUnits, writeUnits]: [number, number, number]) => {
  expect(spent.roundTrips).toBeLessThanOrEqual(roundTrips);
  expect(spent.readUnits).toBeLessThanOrEqual(readUnits);
  expect(spent.writeUnits).toBeLessThanOrEqual(writeUnits);
  // If the calls were not counted, every budget would hold.
  expect(spent.roundTrips).toBeGreaterThan(0);
};

describe("a read stays in its budget", () => {
  beforeAll(async () => {
    await givenEvent("read", 500);
    await costOf("users", "POST /users", "reader@budget.example", { body: { fname: "Ada" } }, 201);
    await register("read", "reader@budget.example");
  });
  describe("with 1,000 people ahead, and 300 of an earlier generation", () => {
    const [waiting, id] = [1_000, "queue"];
    const [ada, bob, eve] = ["ada@queue.example", "bob@queue.example", "eve@queue.example"];
    let line: { event: { id: string; year: number }; generation: string };
    beforeAll(async () => {
      await givenEvent(id, 1);
      await register(id, ada);
      await register(id, bob);
      const [event] = await stage.stored(`EVENT#${id}#${year}`);
      line = { event: { id, year }, generation: String(event?.generation) };
      const { joinLine } = await import("#domain/capacity/line.ts");
      const placeOf = (n: number, generation: string, at: number) => {
        const queueKey = `${at}#${ulid(at)}`;
        const choices = { "a7c1e0d2-workshop": "Product design" };
        const place = { email: `firstname.lastname${n}@student.queue.example`, queueKey, choices, isPartner: false };
        return joinLine(line.event, { ...place, fname: "Persephone", generation, version: 1 }).Put?.Item as object;
      };
      const now = Date.now();
      const gone = Array.from({ length: 300 }, (_, n) => placeOf(n, "01J0000000000000000000EARLY", now - 60_000 - n));
      await store([...gone, ...Array.from({ length: waiting - 1 }, (_, n) => placeOf(n, line.generation, now + n))]);
      // The gateway's time in this test is later with each request.
      requests += waiting;
    });
    const query = { eventID: id, year: String(year), email: eve };

    test("joining, and looking at one's place", async () => {
      within(await register(id, eve), [3, 9, 10]);
      const spent = await costOf("registrations", "GET /registrations", eve, { query });
      within(spent, [2, 1 + 4, 0]);
      expect((JSON.parse(lastAnswer) as { data: object[] }).data).toMatchObject([{ waitlistAhead: 100 }]);
    });
    test("the counts of the event, whose whole line is counted", async () => {
      const params = { eventId: id, year: String(year) };
      const read = { params, query: { count: "true" } };
      const places = waiting + 1 + 300;
      const spent = await costOf("events", "GET /events/{eventId}/{year}", eve, read);
      within(spent, [2, 1 + Math.ceil(places / 35), 0]);
      expect(JSON.parse(lastAnswer)).toMatchObject({ waitlistCount: waiting + 1 });
    });
  });
});

describe("a write stays in its budget", () => {
  test("registering with an Idempotency-Key, and the same again", async () => {
    await givenEvent("keyed", 10);
    const email = "a@budget.example";
    const request = {
      headers: { "idempotency-key": "budget" },
      body: { eventID: "keyed", year, email, fname: "Ada" },
    };
    within(await costOf("registrations", "POST /registrations", email, request, 201), [3, 4, 10]);
    within(await costOf("registrations", "POST /registrations", email, request, 201), [1, 0, 1]);
  });
  test("a promotion of two people, and registering again after cancelling", async () => {
    const [a, b, c] = ["a@budget.example", "b@budget.example", "c@budget.example"] as const;
    await givenEvent("promoted", 1);
    for (const email of [a, b, c]) await register("promoted", email);
    // The change of the event takes 11 write units, the seats of the promotion 2, and each of the two people 7.
    const params = { eventId: "promoted", year: String(year) };
    const capac = await costOf("events", "PATCH /events/{eventId}/{year}", exec, { params, body: { capac: 9 } });
    within(capac, [9, 7, 27]);
    const body = { eventID: "promoted", year };
    await costOf("registrations", "DELETE /registrations/{email}", c, { params: { email: c }, body });
    // It leaves the list of departures.
    within(await register("promoted", c), [3, 5, 8]);
  });
  test("deleting eight registrations, with one promotion for all", async () => {
    await givenEvent("bulk", 10);
    const ids = Array.from({ length: 8 }, (_, n) => `p${n}@budget.example`);
    for (const email of ids) await register("bulk", email);
    const body = { eventID: "bulk", year, ids };
    // A promotion for each row would read 2 units more a row.
    within(await costOf("registrations", "DELETE /registrations", exec, { body }), [20, 26, 64]);
  });
  test("granting membership: to a new person, to a user, and again", async () => {
    const granted = (email: string) => {
      const body = { email, firstName: "Ada", lastName: "Lovelace", studentNumber: "12345678", topics: ["engines"] };
      return costOf("members", "POST /members/grant", exec, { body });
    };
    within(await granted("new-member@budget.example"), [2, 2, 16]);
    await costOf("users", "POST /users", "old-user@budget.example", { body: { fname: "Ada" } }, 201);
    within(await granted("old-user@budget.example"), [2, 2, 16]);
    const again = await granted("new-member@budget.example");
    expect(again).toEqual({ roundTrips: 1, readUnits: 2, writeUnits: 0 });
  });
  test("changing an account, changing a favourite, deleting the account", async () => {
    const [email, params] = ["account@budget.example", { email: "self" }];
    await givenEvent("favourite", 10);
    await costOf("users", "POST /users", email, { body: { fname: "Ada" } }, 201);
    const call = (key: string, body?: object) => costOf("users", key, email, { params, ...(body && { body }) });
    within(await call("PATCH /users/{email}", { fname: "Grace", diet: null }), [2, 1, 3]);
    const favourite = { eventID: "favourite", year };
    // A change without `isFavourite` must not happen twice. So it is a transaction with a token, which costs one unit
    // more than an update.
    for (const _ of ["on", "off"]) within(await call("PATCH /users/favEvent/{email}", favourite), [2, 2, 3]);
    // An executive's change reads what was before. Its row of the audit is in the same transaction.
    const byExec = { params: { email }, body: { fname: "Grace" } };
    within(await costOf("users", "PATCH /users/{email}", exec, byExec), [3, 2, 5]);
    // Two units each are the note of the erasure to come and the address of the calendar.
    await register("favourite", email);
    // What reads much is counted first. The export leaves a row, finds scans and places in line by the registration, and counts
    // of mails by the mailbox.
    within(await call("GET /users/{email}/export"), [4, 14, 3]);
    within(await call("GET /users/{email}/erasure"), [3, 14, 1]);
    // One unit is how often the person was deleted recently.
    within(await call("DELETE /users/{email}"), [3, 5, 16]);
    // Without an account, what is stored is looked for.
    const guest = { params: { email: "guest@budget.example" } };
    await register("favourite", guest.params.email);
    within(await costOf("users", "POST /users/{email}/export-link", exec, guest, 202), [4, 14, 3]);
    within(await costOf("users", "DELETE /users/{email}", exec, guest), [5, 19, 15]);
  });
  /** Records a checkout. @returns the cost of its payment's event, and of the same event again */
  async function costOfPayment(email: string, purpose: object) {
    const id = ulid();
    const amount = { amount: 200, currency: "cad" };
    const { putCheckout } = await import("#domain/payments/checkout/store.ts");
    const { latestOf } = await import("#domain/payments/checkout/checkout.ts");
    const { commit } = await import("#kit/table/table.ts");
    const expiresAt = Date.now() + 2_400_000;
    const redirects = { successUrl: "https://club.example", cancelUrl: "https://club.example" };
    const checkout = { id, email, purpose, product: "P", ...amount, ...redirects, expiresAt, createdAt: 0 } as Checkout;
    await commit(putCheckout(checkout, latestOf(checkout), undefined));
    const terms = { payment_status: "paid", amount_total: 200, currency: "cad", payment_intent: `pi_${id}` };
    const object = { id: `cs_${id}`, client_reference_id: id, ...terms };
    const body = { id: `evt_${id}`, object: "event", type: "checkout.session.completed", data: { object } };
    const secret = stage.outputs.webhookSecret;
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: JSON.stringify(body), secret });
    const headers = { "stripe-signature": signature };
    const send = () => costOf("payment-webhook", "POST /payments/webhook", email, { body, headers });
    return { first: await send(), again: await send() };
  }
  test("the payment of a membership, and the same event again", async () => {
    const form = { firstName: "Ada", lastName: "Lovelace", studentNumber: "12345678", topics: ["engines"] };
    const { first, again } = await costOfPayment("paying@budget.example", { kind: "membership", form });
    // Two units check that the account still exists, two clear the form, six are the payment, its rows in the lists, and what
    // the person sees of it.
    // The last read looks for facts that came before the payment was settled.
    within(first, [5, 6, 31]);
    within(again, [5, 6, 1]);
  });
  test("the payment of a seat, and the same event again", async () => {
    await givenEvent("settled", 10, { pricing: { member: 1, nonMember: 2 } });
    const email = "a@budget.example";
    await register("settled", email);
    const registration = await stage.storedRegistration("settled", email);
    const purpose = { kind: "event", event: { id: "settled", year }, queueKey: registration?.queueKey };
    const { first, again } = await costOfPayment(email, purpose);
    within(first, [5, 5, 20]);
    within(again, [4, 5, 1]);
  });
  test("an evening at the door: the list of 500 tickets, then nothing new, and a scan", async () => {
    const dates = { startDate: new Date().toISOString(), endDate: "2030-05-01T18:00:00Z" };
    await givenEvent("evening", 1_000, dates);
    const [event] = await stage.stored(`EVENT#evening#${year}`);
    const { registrationItem } = await import("#domain/registrations/store/store.ts");
    const { registrationRecord } = await import("../unit/given.ts");
    const names = ["Maximilian", "Ada", "Sophia", "Anne-Marie", "Kai", "Priyanka"];
    const guests = Array.from({ length: 500 }, (_, n) => ({
      ...registrationRecord({ email: `guest-${n}@budget.example`, eventID: "evening", year }),
      generation: event?.generation as string,
      queueKey: `1893456000000#${ulid()}`,
      ticketId: `ticket-${n}`,
      fname: names[n % names.length] as string,
      basicInformation: {
        lname: "Lovelace",
        faculty: "Commerce",
        major: "Marketing",
        diet: "None",
        heardFrom: "A friend",
      },
      choices: { w: `Workshop ${n % 12}` },
    }));
    await store(guests.map(registrationItem));
    const params = { eventId: "evening", year: `${year}` };
    await costOf("door", "POST /events/{eventId}/{year}/door-links", exec, { params }, 201);
    const body = { secret: JSON.parse(lastAnswer).secret, name: "door 1" };
    within(await costOf("door", "POST /events/{eventId}/{year}/door/devices", exec, { params, body }, 201), [2, 2, 6]);
    const headers: Record<string, string> = { authorization: `Door ${JSON.parse(lastAnswer).token}` };
    const list = () => costOf("door", "GET /events/{eventId}/{year}/door", exec, { params, headers });
    // Each registration once, half a unit for each 4 KB, and the rows of the index.
    within(await list(), [3, 275, 0]);
    expect(JSON.parse(lastAnswer).tickets).toHaveLength(500);
    // Only the rows of the index.
    within(await list(), [2, 21, 0]);
    const [code] = await Promise.all([stage.registrationOf("evening", "guest-7@budget.example")]);
    const scan = { code: code.ticketCode, scannedAt: Date.now(), nonce: "a-nonce-of-the-budget", admitted: true };
    const bring = (scans: readonly object[] = [scan]) =>
      costOf("door", "POST /registrations/check-in/scans", exec, { headers, body: { sentAt: Date.now(), scans } });
    within(await bring(), [3, 5, 12]);
    expect(JSON.parse(lastAnswer).results).toMatchObject([{ outcome: "checkedIn" }]);
    within(await bring(), [2, 5, 0]);
    // The registration that has changed is read again.
    within(await list(), [3, 21, 0]);
    // Marks that no list has read the tickets once, not each.
    const strangers = Array.from({ length: 50 }, (_, n) => ({
      mark: `stranger-mark-${10 + n}`,
      scannedAt: Date.now(),
      nonce: `a-nonce-of-stranger-${n}`,
    }));
    // Two units store each mark, and two count it.
    within(await bring(strangers), [154, 175, 200]);
    expect(JSON.parse(lastAnswer).results).toHaveLength(50);
    // A whole evening later everybody is in: the list is at its largest.
    const since = { status: "checkedIn", cameFrom: "registered", checkedInAt: Date.now() } as const;
    const by = { checkedInBy: { device: "door 1", nonce: "n" }, updatedAt: Date.now(), version: 2 };
    await store(guests.map((guest) => registrationItem({ ...guest, ...since, ...by })));
    await list();
    expect(JSON.parse(lastAnswer).tickets[0]).toHaveLength(6);
    // Two thousand people are 150 KB.
    expect(Buffer.byteLength(lastAnswer)).toBeLessThanOrEqual(500 * 75);
  });
});

describe("the investment game stays in its budget", () => {
  const trader = "trader@budget.example";
  const trade = (side: "buy" | "sell", email = trader, projectId = "robots") =>
    costOf("btx", `POST /btx/market/${side}`, email, { body: { projectId, shares: 3 } });
  const givenProject = (projectId: string, description: string) => {
    const body = { projectId, ticker: projectId, name: projectId, description };
    return costOf("btx", "POST /btx/admin/project", exec, { body });
  };

  beforeAll(async () => {
    await givenProject("robots", "Robots for everybody.");
    await givenProject("wordy", "x".repeat(10_000));
    await trade("buy");
  });

  test("a person's first trade, which opens the account and looks up a name", async () => {
    within(await trade("buy", "new@budget.example"), [3, 4, 12]);
  });

  test("a trade", async () => {
    const email = "named@budget.example";
    await costOf("users", "POST /users", email, { body: { fname: "Ada", lname: "L" } }, 201);
    await trade("buy", email);
    within(await trade("buy", email), [2, 3, 10]);
    within(await trade("sell", email), [2, 3, 10]);
  });

  test("a reset that ran out of time says so, and the next one goes on there and writes no account twice", async () => {
    const { resetEvent } = await import("#domain/game/reset-accounts.ts");
    const body = { projectId: "late", ticker: "L", name: "Late", eventId: "late" };
    await costOf("btx", "POST /btx/admin/project", exec, { body });
    for (const name of ["a", "b", "c"]) await trade("buy", `${name}@late.example`, "late");
    const { systemContext } = await import("#kit/request/context.ts");
    const context = (n: number) => systemContext(`late${n}`, Date.now());
    expect(await resetEvent("late", context(1), -1)).toEqual({ accounts: 0, complete: false });
    expect((await stage.stored("BTXP#late")).find(({ SK }) => SK === "MARKET")).toMatchObject({ netShares: 9 });
    expect(await resetEvent("late", context(2))).toEqual({ accounts: 3, complete: true });
    cost = { roundTrips: 0, readUnits: 0, writeUnits: 0 };
    expect(await resetEvent("late", context(3))).toEqual({ accounts: 3, complete: true });
    expect(cost).toMatchObject({ roundTrips: 2, writeUnits: 0 });
  });
});
