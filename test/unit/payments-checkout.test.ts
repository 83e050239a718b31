/** One person has one open checkout for one purpose, wherever a try breaks off and however many requests ask. */
import { beforeEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { LatestCheckout } from "#domain/payments/checkout/checkout.ts";
import { ticketHashOf } from "#domain/registrations/links/ticket-code.ts";
import { Crash, email, eventKey, minutes, PaymentsWorld, start } from "./payments-world.ts";

const { readCheckout } = await import("#domain/payments/checkout/store.ts");
const { closeOfPerson } = await import("#domain/payments/checkout/close-obsolete.ts");
const { provider } = await import("#domain/payments/provider/provider.ts");
const { systemContext } = await import("#kit/request/context.ts");

let world: PaymentsWorld;
beforeEach(() => {
  world = new PaymentsWorld();
});

const nothingToPay = expect.objectContaining({ code: "NOTHING_TO_PAY" });
const latestOfEvent = () => world.item<LatestCheckout>(`USER#${email}`, "CHECKOUT#EVENT#gala#2030") as LatestCheckout;
const latestOfMembership = () => world.item<LatestCheckout>(`USER#${email}`, "CHECKOUT#MEMBER") as LatestCheckout;
const form = (firstName: string) => ({ kind: "membership", form: { firstName } }) as const;
/** Changes the stored registration, as another request would. */
const changeRegistration = (changes: object) => {
  const { version = 0, ...rest } = world.registration ?? { version: 0 };
  world.put({ ...rest, ...changes, version: version + 1 });
};

describe("the checkout of an event", () => {
  beforeEach(() => world.givenSeat());

  test("is recorded, asked for at the provider, and prolongs the hold until its end", async () => {
    const url = await world.pay();
    expect(world.calls).toEqual([
      "table BatchGetCommand",
      "table TransactWriteCommand",
      "provider POST /v1/checkout/sessions",
      "table TransactWriteCommand",
    ]);
    const expiresAt = start + 40 * minutes;
    expect(await readCheckout(latestOfEvent().id)).toMatchObject({
      email,
      purpose: { kind: "event", event: eventKey, queueKey: "w" },
      ...{ amount: 1_234, currency: "cad", product: "Gala", expiresAt, createdAt: start },
      ...{ sessionId: world.sessions[0]?.id, url, ttl: expiresAt / 1_000 + 35 * 86_400 },
    });
    expect(world.registration).toMatchObject({
      checkoutLink: url,
      holdExpiresAt: expiresAt + 2 * minutes,
      heldWithoutCheckout: start + 30 * minutes,
      version: 2,
    });
    expect(world.hold(expiresAt + 2 * minutes)).toBeDefined();
    expect(world.hold(start + 30 * minutes)).toBeUndefined();
  });

  test("is replaced when the price changes, and cannot be paid twice", async () => {
    const url = await world.pay();
    world.givenSeat({ event: { pricing: { member: 5, nonMember: 20 } }, registration: world.registration ?? {} });
    const other = await world.pay();
    expect(other).not.toBe(url);
    expect(world.sessions.map(({ status }) => status)).toEqual(["expired", "open"]);
    expect(latestOfEvent()).toMatchObject({ amount: 2_000, url: other });
    expect(world.registration?.checkoutLink).toBe(other);
  });

  test("of a registration that ended while the session was made leaves nothing to pay", async () => {
    world.meanwhile = () => changeRegistration({ status: "cancelled", holdExpiresAt: undefined });
    await expect(world.pay()).rejects.toEqual(nothingToPay);
    expect(world.openSessions).toEqual([]);
    expect(world.registration?.checkoutLink).toBeUndefined();
  });

  test.each([
    ["by the person who is signed in", {}],
    ["by a link", { linked: { ticketHash: ticketHashOf("t") } }],
  ])("is opened until the hold's end, %s", async (_, asked) => {
    world.now = start + 30 * minutes;
    await expect(world.pay(undefined, asked)).rejects.toMatchObject({ code: "NOTHING_TO_PAY" });
    expect(world.sessions).toEqual([]);
    world.now -= 1;
    expect(await world.pay(undefined, asked)).toBe(world.sessions[0]?.url);
  });

  test("is not made again to prolong a hold that would be over", async () => {
    await world.pay();
    world.now = start + 41 * minutes; // The session has ended, but the hold that it prolonged has not.
    await expect(world.pay()).rejects.toEqual(nothingToPay);
    expect(world.registration?.holdExpiresAt).toBe(start + 42 * minutes);
  });
});

describe("a try that comes late", () => {
  beforeEach(() => world.givenSeat({ registration: { holdExpiresAt: start + 24 * 60 * minutes } }));
  const crashAt = async (call: string, carriedOut: boolean) => {
    world.crash = { at: ["read", "record", call].length - 1, carriedOut };
    await expect(world.pay()).rejects.toBeInstanceOf(Crash);
    world.crash = undefined;
  };

  test("makes another checkout when no session exists and the recorded end is too near", async () => {
    await crashAt("session", false);
    const first = latestOfEvent().id;
    world.now += 15 * minutes;
    const url = await world.pay();
    expect(world.openSessions.map((session) => session.url)).toEqual([url]);
    expect(latestOfEvent().id).not.toBe(first);
  });
});

test("a session that was made but not recorded is ended when another price replaces it", async () => {
  world.givenSeat();
  world.crash = { at: 3, carriedOut: false };
  await expect(world.pay()).rejects.toBeInstanceOf(Crash);
  world.crash = undefined;
  world.put({ PK: `USER#${email}`, SK: "USER", email, isMember: true });
  const url = await world.pay();
  expect(world.openSessions.map((session) => session.url)).toEqual([url]);
});

describe("the checkout of a membership", () => {
  test("sends no field of the form to the provider", async () => {
    await world.pay(form("Ada"));
    expect(await readCheckout(latestOfMembership().id)).toMatchObject({
      purpose: form("Ada"),
      ...{ amount: 1_500, currency: "cad", product: "Membership", email },
    });
    expect(JSON.stringify([world.sessions, latestOfMembership()])).not.toContain("Ada");
  });

  test("is kept 35 days after its session; without a session, only a day, because nothing empties its form", async () => {
    const kept = async ({ id, expiresAt }: LatestCheckout) => {
      const checkout = (await readCheckout(id)) as { ttl?: number } | undefined;
      return ((checkout?.ttl ?? 0) - expiresAt / 1_000) / 86_400;
    };
    world.crash = { at: 2, carriedOut: false };
    await expect(world.pay(form("Ada"))).rejects.toThrow(Crash);
    world.crash = undefined;
    const first = latestOfMembership();
    expect([first.sessionId, await kept(first)]).toEqual([undefined, 1]);
    world.now += 41 * minutes;
    await world.pay(form("Ada"));
    const second = latestOfMembership();
    expect(second.id).not.toBe(first.id);
    expect([await kept(first), await kept(second)]).toEqual([1, 35]);
  });

  test("keeps its page when the form is corrected", async () => {
    const url = await world.pay(form("Ada"));
    expect(await world.pay(form("Grace"))).toBe(url);
    expect((await readCheckout(latestOfMembership().id))?.purpose).toEqual(form("Grace"));
    expect(world.sessions).toHaveLength(1);
  });
});

/** The calls of a first checkout, and those of a checkout that replaces another one. */
const breaks = (
  [
    ["event", 4],
    ["membership", 4],
    ["replacement", 5],
  ] as const
).flatMap(([kind, calls]) => Array.from({ length: 2 * calls }, (_, n) => [kind, n >> 1, n % 2 === 1] as const));
test.each(breaks)(
  "after a break the next try ends with one session and one link: %s, call %i, carried out: %s",
  async (kind, at, carriedOut) => {
    world.givenSeat();
    const pay = () => world.pay(kind === "membership" ? form("Ada") : undefined);
    if (kind === "replacement") {
      await pay();
      world.put({ PK: `USER#${email}`, SK: "USER", email, isMember: true });
    }
    world.crash = { at: world.calls.length + at, carriedOut };
    await expect(pay()).rejects.toBeInstanceOf(Crash);
    world.crash = undefined;
    const url = await pay();
    expect(world.sessions).toHaveLength(kind === "replacement" ? 2 : 1);
    expect(world.openSessions.map((session) => session.url)).toEqual([url]);
    expect(await pay()).toBe(url);
    if (kind !== "membership") expect(world.registration?.checkoutLink).toBe(url);
  },
);

describe("an obsolete checkout", () => {
  const close = (now = world.now) =>
    closeOfPerson({ email, eventID: eventKey.id, year: eventKey.year }, provider, systemContext("close", now));
  const statuses = () => world.sessions.map(({ status }) => status);
  beforeEach(async () => {
    world.givenSeat();
    await world.pay();
  });

  test("is left alone while its payment is wanted, and when its session is over anyway", async () => {
    await close();
    expect([statuses(), latestOfEvent().closed]).toEqual([["open"], undefined]);
    changeRegistration({ status: "cancelled", holdExpiresAt: undefined });
    await close(latestOfEvent().expiresAt);
    expect([statuses(), latestOfEvent().closed]).toEqual([["open"], undefined]);
  });

  test("is closed, and its session ended", async () => {
    changeRegistration({ status: "cancelled", holdExpiresAt: undefined });
    await close(latestOfEvent().expiresAt - 1);
    expect([statuses(), latestOfEvent().closed]).toEqual([["expired"], true]);
  });

  test("of an earlier registration is closed although the person has a seat again", async () => {
    changeRegistration({ queueKey: "later" });
    await close();
    expect(statuses()).toEqual(["expired"]);
  });

  test("without a session ends the one of the checkout that it replaces", async () => {
    const { sessionId: replaces, url: _, ...latest } = latestOfEvent();
    world.put({ PK: `USER#${email}`, SK: "CHECKOUT#EVENT#gala#2030", ...latest, replaces });
    changeRegistration({ status: "cancelled", holdExpiresAt: undefined });
    await close();
    expect(statuses()).toEqual(["expired"]);
  });

  test("is not ended at the provider once it is settled", async () => {
    const { sessionId } = latestOfEvent();
    world.put({ PK: `PAY#${sessionId}`, SK: "SETTLED", as: "seat", payment: "pi_1" });
    changeRegistration({ status: "registered", holdExpiresAt: undefined });
    await close();
    expect([statuses(), latestOfEvent().closed]).toEqual([["open"], true]);
  });
});

describe("ten requests at once", () => {
  /** The answers to ten requests at once, in an order of calls that fast-check picks. */
  const race = async (scheduler: fc.Scheduler, kind: "event" | "membership", idempotency: boolean) => {
    world = new PaymentsWorld({ idempotency, turn: () => scheduler.schedule(Promise.resolve()) });
    world.givenSeat();
    const answers = Array.from({ length: 10 }, () => world.pay(kind === "event" ? undefined : form("Ada")));
    return scheduler.waitFor(Promise.all(answers));
  };

  test.each(["event", "membership"] as const)("for one %s get one session and one link", async (kind) => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        const urls = await race(scheduler, kind, true);
        expect(world.sessions).toHaveLength(1);
        expect(new Set(urls)).toEqual(new Set([world.sessions[0]?.url]));
        if (kind === "event") expect(world.registration).toMatchObject({ checkoutLink: urls[0], version: 2 });
      }),
      { numRuns: 25 },
    );
  });

  test("would get several sessions if each request used a key of its own", async () => {
    const counts = new Set<number>();
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), async (scheduler) => {
        await race(scheduler, "event", false);
        counts.add(world.sessions.length);
      }),
      { numRuns: 10 },
    );
    expect(Math.max(...counts)).toBeGreaterThan(1);
  });
});

test("a try that breaks off would leave a second session if its session were not asked for by its key", async () => {
  world = new PaymentsWorld({ idempotency: false });
  world.givenSeat();
  world.crash = { at: 2, carriedOut: true };
  await expect(world.pay()).rejects.toBeInstanceOf(Crash);
  world.crash = undefined;
  await world.pay();
  expect(world.openSessions).toHaveLength(2);
});
