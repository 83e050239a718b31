/**
 * A stranger's hour: a loop of asks, sign-ups, webhook calls and requests without a right, beside people who register, pay,
 * read what is stored about them, and leave (`docs/contract.md`, "Conventions", "Guests", "Sign-up").
 */
import { setTimeout as pause } from "node:timers/promises";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import Stripe from "stripe";
import { filters } from "../../lib/monitoring/filters.ts";
import { matchesPattern } from "../filter-pattern.ts";
import { patience } from "../patience.ts";
import { local } from "../stages.ts";
import { exec, newEmail, times, year } from "./given.ts";
import { askPool, signUpAndIn } from "./newcomer.ts";
import { operatorOf } from "./operator.ts";
import { givenStage, type ServiceStage } from "./stage.ts";

const people = 10;

let stage: ServiceStage;
let operator: Awaited<ReturnType<typeof operatorOf>>;
/** How many lines each filter of functions' logs counts: what rings the alarms. */
const counted = () =>
  Object.fromEntries(
    Object.entries(filters)
      .filter(([, { of }]) => of !== "requests")
      .map(([name, { pattern }]) => [name, stage.logs.filter(({ text }) => matchesPattern(pattern, text)).length]),
  );

/** One request of the stranger, the nth. @returns its status */
type Way = (n: number) => Promise<number>;

const identity = async (operation: string, input: object): Promise<number> =>
  (await askPool(stage, operation, input)).status;

const password = "First-Words-1";
const signUp = (email: string): Promise<number> =>
  identity("SignUp", { Username: email, Password: password, UserAttributes: [{ Name: "email", Value: email }] });
const signIn = (email: string): Promise<number> =>
  identity("InitiateAuth", {
    AuthFlow: "USER_PASSWORD_AUTH",
    AuthParameters: { USERNAME: email, PASSWORD: password },
  });

const webhook = async (body: string, signature = ""): Promise<number> => {
  const headers = { "stripe-signature": signature };
  return (await stage.api("POST", "/payments/webhook", { body, headers, once: true })).status;
};

const ask = async (eventID: string, email: string): Promise<number> =>
  (await stage.api("POST", `/events/${eventID}/${year}/guests`, { body: { email, fname: "Bot" }, once: true })).status;

/** What a stranger can do: by mail, and with an account of their own. */
function waysTo(eventID: string, victim: string): readonly Way[] {
  const stranger = newEmail("stranger.example");
  const about = (path: string, method = "GET") =>
    stage.api(method, path, { as: stranger, once: true }).then(({ status }) => status);
  return [
    (n) => ask(eventID, `bot@flood-${n}.example`),
    (n) => signUp(`bot@flood-${n}.example`),
    () => webhook("{}"),
    () => webhook(JSON.stringify({ id: "evt_1", object: "event" }), "t=1,v1=00"),
    () => about(`/users/${victim}/export`),
    () => about(`/users/${victim}/erasure`),
    () => about(`/users/${victim}`, "DELETE"),
    () => about("/audit"),
    () => stage.api("GET", `/users/${victim}/export`, { once: true }).then(({ status }) => status),
    () => stage.api("GET", "/audit", { token: "x.y.z", once: true }).then(({ status }) => status),
  ];
}

/** Goes on until so many requests are made. @returns how often each status came */
async function loop(ways: readonly Way[], until: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  for (let n = 0; n < until; n += 1) {
    const status = (await ways[n % ways.length]?.(n)) ?? 0;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  return statuses;
}

/** Everything that a person does with an account. @returns the statuses, and the milliseconds of each request */
async function live(eventID: string): Promise<{ readonly statuses: number[]; readonly waited: number[] }> {
  const as = newEmail();
  const [statuses, waited]: [number[], number[]] = [[], []];
  const call = async (method: string, path: string, body?: object) => {
    const begun = performance.now();
    const answer = await stage.api(method, path, { as, once: true, ...(body && { body }) });
    waited.push(performance.now() - begun);
    statuses.push(answer.status);
    return answer.body;
  };
  await call("POST", "/users", { fname: "Ada" });
  await call("POST", "/registrations", { eventID, year, email: as });
  const url = await call("POST", "/payments", { paymentType: "Event", eventID, year });
  const session = stage.payments.sessions().find((one) => one.url === url);
  stage.payments.pay(session?.id ?? "");
  for (const end = Date.now() + patience; Date.now() < end; await pause(20)) {
    if ((await stage.registrationOf(eventID, as))?.registrationStatus === "registered") break;
  }
  statuses.push((await stage.registrationOf(eventID, as))?.registrationStatus === "registered" ? 200 : 402);
  await call("GET", "/users/self/export");
  await call("GET", "/users/self/erasure");
  await call("DELETE", "/users/self");
  return { statuses, waited };
}

const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? 0;

async function crowd(eventID: string) {
  const lives = await Promise.all(times(people, () => live(eventID)));
  return { statuses: lives.flatMap(({ statuses }) => statuses), wait: median(lives.flatMap(({ waited }) => waited)) };
}

const priced = () => stage.givenEvent({ guests: "everyone", pricing: { member: 5, nonMember: 10 } });

/** @param requests of the stranger, in all */
export function strangersHour(requests: number): void {
  beforeAll(async () => {
    stage = await givenStage({ quiet: true });
    operator = await operatorOf(stage);
    // As if the stranger had begun earlier: a loop of its own takes the first 300 mails.
    for (const time of [Date.now(), Date.now() + 3_600_000]) {
      const PK = `SIGNUPS#${new Date(time).toISOString().slice(0, 13)}`;
      for (const SK of ["ALL", "GUEST-ALL"]) {
        const Item = { PK, SK, count: local.signUps.perHour - 10, ttl: time / 1_000 + 7_200 };
        await stage.table.send(new PutCommand({ TableName: stage.outputs.tableName, Item }));
      }
    }
  });
  afterAll(async () => {
    await stage.close();
    await operator.close();
  });

  test("spends nothing of the people's: none is refused or waits, one alarm rings, and its entry ends it", async () => {
    const [eventID, victim] = [await priced(), await stage.givenUser()];
    await live(eventID);
    const alone = await crowd(eventID);
    const ways = waysTo(eventID, victim);
    const [statuses, together] = await Promise.all([loop(ways, requests), crowd(eventID)]);

    // Of the mails that are left the stranger gets ten of each kind, or of two hours; all else is refused.
    expect([...statuses.keys()].sort()).toEqual([200, 202, 400, 401, 403, 429]);
    expect((statuses.get(200) ?? 0) + (statuses.get(202) ?? 0)).toBeLessThanOrEqual(4 * 10);
    for (const { statuses: theirs } of [alone, together]) expect(theirs.filter((status) => status >= 300)).toEqual([]);
    // The laptop answers stranger and people in one process, so some of its time is the stranger's.
    expect(together.wait / alone.wait).toBeLessThan(3);

    const { CodesHeldBack = 0, PaymentAddressTried = 0, MoneyForTreasurer, ...silent } = counted();
    expect(CodesHeldBack).toBeGreaterThanOrEqual(10);
    expect(PaymentAddressTried).toBe((2 * requests) / ways.length);
    // Who leaves has paid.
    expect(MoneyForTreasurer).toBe(1 + 2 * people);
    expect(new Set(Object.values(silent))).toEqual(new Set([0]));

    // docs/runbook.md, "Sign-ups": the flood is closed, and people who have an account go on.
    expect((await operator.run("sign-up", "close", "--apply")).text).toContain("Sign-up is closed");
    await loop(ways.slice(0, 2), 20);
    expect(counted().CodesHeldBack).toBe(CodesHeldBack);
    expect((await live(eventID)).statuses.filter((status) => status >= 300)).toEqual([]);
    await operator.run("sign-up", "open", "--apply");
  });

  test("with a limit of the gateway for what reads much, the stranger would take the people's requests", async () => {
    const [person, victim] = [await stage.givenUser(), await stage.givenUser()];
    const route = "GET /users/{email}/export";
    expect((await operator.run("api", "limit", route, "--apply")).code).toBe(0);
    const stranger = newEmail("stranger.example");
    await Promise.all([stranger, person].map((email) => stage.tokenFor(email)));
    const flood = times(60, () => stage.api("GET", `/users/${victim}/export`, { as: stranger, once: true }));
    const own = times(5, () => stage.api("GET", "/users/self/export", { as: person, once: true }));
    await Promise.all(flood);
    expect((await Promise.all(own)).some(({ status }) => status === 429)).toBe(true);
    expect((await operator.run("api", "open", route, "--apply")).code).toBe(0);
  });

  test("events of the provider's form that fit no secret ring, a stranger's do not", async () => {
    const { PaymentEventsRefused = 0 } = counted();
    const payload = JSON.stringify({ id: "evt_1", object: "event", type: "x", data: { object: {} } });
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: "whsec_other" });
    await Promise.all(times(5, () => webhook(payload, signature)));
    for (
      const end = Date.now() + patience;
      counted().PaymentEventsRefused !== PaymentEventsRefused + 5;
      await pause(50)
    ) {
      if (Date.now() > end) break;
    }
    expect(counted().PaymentEventsRefused).toBe(PaymentEventsRefused + 5);
  });

  test("an operator shuts out who loops, by the caller of the log, and lets the person in again", async () => {
    const email = newEmail();
    const token = await signUpAndIn(stage, email);
    const { sub: caller } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    expect(await operator.run("shut-out", "nobody")).toMatchObject({ code: 2 });
    expect(await operator.run("shut-out", newEmail())).toMatchObject({ code: 1, text: "There is no sign-in account." });
    expect(await operator.run("shut-out", caller)).toMatchObject({ code: 1, text: expect.stringContaining(email) });
    expect(await signIn(email)).toBe(200);
    expect((await operator.run("shut-out", caller, "--apply")).text).toContain("works for an hour at most");
    expect((await operator.run("shut-out", email, "--apply")).code).toBe(0);
    expect(await signIn(email)).toBe(400);
    // The pool is not asked about it.
    expect((await stage.api("GET", "/users/self", { token })).status).toBe(404);
    expect((await operator.run("shut-out", email, "--undo", "--apply")).code).toBe(0);
    expect(await signIn(email)).toBe(200);
    const { body } = await stage.api("GET", `/audit?email=${email}`, { as: exec });
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      "signInAccount.enabled",
      "signInAccount.disabled",
    ]);
  });
}
