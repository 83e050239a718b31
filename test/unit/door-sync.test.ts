/** How the check-in page exchanges scans and the list with the server. */
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { createSync, type Session, type SyncStore } from "../../client/door/sync.ts";
import { type DoorList, type Result, type Scan, type Ticket, withChanges } from "../../client/door/verdict.ts";

type Row = Pick<Scan, "nonce">;
interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly scans: readonly Row[];
  readonly signal?: AbortSignal | null | undefined;
}

const event = { id: "kick off", year: 2030, ename: "Kickoff" };
const list: DoorList = { event, devices: [], choices: [], tickets: [] };
const json = (value: object, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(value), { status, headers });
const stored = (scans: readonly Row[], outcome: Result["outcome"] = "checkedIn"): Response =>
  json({ receivedAt: 0, results: scans.map(({ nonce }) => ({ nonce, outcome, reason: "busy" })) });

/** A phone's store in memory, with scans that wait. */
function givenStore(count: number) {
  const scans = new Map<string, Scan>();
  const add = (nonce: string) =>
    scans.set(nonce, { nonce, mark: "m", code: `code of ${nonce}`, scannedAt: 0, device: "door 1", admitted: true });
  for (let at = 0; at < count; at += 1) add(`nonce-${at}`);
  const waits = (nonce: string) => scans.has(nonce) && scans.get(nonce)?.result === undefined;
  const state: { session: Session | undefined; list?: DoorList | undefined; etag?: string | undefined } = {
    session: { event, device: { id: "d", name: "door 1" }, token: "token" },
  };
  const store: SyncStore = {
    session: async () => state.session,
    waiting: async () => [...scans.keys()].filter(waits),
    take: async (nonces) =>
      nonces.filter(waits).map((nonce) => {
        scans.set(nonce, { ...(scans.get(nonce) as Scan), isTried: true });
        return scans.get(nonce) as Scan;
      }),
    acknowledge: async (results) => {
      for (const result of results) scans.set(result.nonce, { ...(scans.get(result.nonce) as Scan), result });
    },
    etag: async () => state.etag,
    saveList: async (_token, value, etag) => void Object.assign(state, { list: value, etag }),
    saveChanges: async (_token, changes) => {
      if (state.list) state.list = withChanges(state.list, changes);
      return state.list !== undefined;
    },
    end: async (_token, how) => {
      state.session = { ...(state.session as Session), [how]: true };
      state.list = undefined;
    },
    forget: async () => {
      scans.clear();
      state.session = undefined;
    },
    wipe: async () => {
      if ([...scans.keys()].some(waits)) return;
      scans.clear();
      state.session = undefined;
    },
  };
  return { store, state, scans, add, waiting: () => [...scans.keys()].filter(waits) };
}

/** A phone whose server answers as `answer` says. Without an answer the list is empty and scans are stored. */
function givenPhone(
  count: number,
  answer: (call: Call, calls: readonly Call[]) => Response | Promise<Response> | undefined = () => undefined,
) {
  const calls: Call[] = [];
  let heard = 0;
  const kept = givenStore(count);
  let now = 1_000_000;
  const connected = { isConnected: true, isVisible: true };
  const sync = createSync({
    api: "https://api.example",
    store: kept.store,
    now: () => now,
    random: () => 0.5,
    isConnected: () => connected.isConnected,
    isVisible: () => connected.isVisible,
    onChange: () => {
      heard += 1;
    },
    fetch: async (url, { method = "GET", headers, body, signal } = {}) => {
      const { scans = [] } = JSON.parse(String(body ?? "{}")) as { scans?: Row[] };
      const { pathname, search } = new URL(String(url));
      const call = { method, path: pathname + search, headers: headers as Record<string, string>, scans, signal };
      calls.push(call);
      const given = answer(call, calls);
      if (given) return given;
      return method === "POST" ? stored(scans) : json(list, 200, { etag: '"1"' });
    },
  });
  const sent = () =>
    calls.filter(({ method }) => method === "POST").map(({ scans }) => scans.map(({ nonce }) => nonce));
  const read = () => calls.filter(({ method }) => method === "GET");
  const later = (milliseconds: number) => {
    now += milliseconds;
  };
  return { ...kept, ...sync, ask: sync.sent, heard: () => heard, calls, connected, sent, read, later };
}
const failing = (method: string, status: number, code?: string) => (call: Call) =>
  call.method === method ? json({ message: "No.", code }, status) : undefined;

test("scans go in batches of 50, in order, and then the list is read", async () => {
  const phone = givenPhone(120);
  expect(await phone.round()).toBe(1_500);
  expect(phone.sent().map((nonces) => nonces.length)).toEqual([50, 50, 20]);
  expect(phone.sent().flat()).toEqual(Array.from({ length: 120 }, (_, at) => `nonce-${at}`));
  expect(phone.calls[0]).toMatchObject({
    path: "/registrations/check-in/scans",
    headers: { authorization: "Door token" },
  });
  expect(phone.calls.at(-1)).toMatchObject({ method: "GET", path: "/events/kick%20off/2030/door" });
  expect([phone.waiting(), phone.state.list, phone.contact.isOnline]).toEqual([[], list, true]);
});

test("the whole list is asked for by its ETag, every half a minute, and by a visible page only", async () => {
  const phone = givenPhone(0, ({ headers }) =>
    headers["if-none-match"] ? new Response(null, { status: 304 }) : undefined,
  );
  const whole = () => phone.read().filter(({ path }) => !path.includes("?"));
  await phone.round();
  phone.later(29_999);
  await phone.round();
  expect(whole()).toHaveLength(1);
  phone.later(1);
  await phone.round();
  expect(whole()[1]?.headers).toMatchObject({ "if-none-match": '"1"' });
  expect(phone.state.list).toEqual(list);
  const before = phone.read().length;
  phone.later(60_000);
  phone.connected.isVisible = false;
  expect(await phone.round()).toBe(30_000);
  expect(phone.read()).toHaveLength(before);
  // The phone's clock was set back.
  phone.later(-10_000_000);
  phone.connected.isVisible = true;
  await phone.round();
  expect(whole()).toHaveLength(3);
});

describe("between two whole lists", () => {
  const ada: Ticket = ["ada", "checkedIn", "Ada L.", [], 5, 0];
  const grace: Ticket = ["grace", "registered", "Grace H.", []];
  const places = { ...list, devices: ["door 1"] };
  const undone: Ticket = ["ada", "registered", "Ada L.", []];

  test("changes are merged by their ETag, an undo within two seconds, and the page hears only of news", async () => {
    const phone = givenPhone(0, ({ path, headers }) => {
      if (!path.includes("?")) return json({ ...places, tickets: [ada, grace] }, 200, { etag: '"1"' });
      if (headers["if-none-match"] === '"2"') return new Response(null, { status: 304 });
      return json({ ...places, tickets: [undone] }, 200, { etag: '"2"' });
    });
    const pause = await phone.round();
    expect(pause).toBeLessThan(2_000);
    phone.later(pause);
    await phone.round();
    expect(phone.state.list?.tickets).toEqual([undone, grace]);
    const heard = phone.heard();
    phone.later(pause);
    await phone.round();
    expect(phone.read().map(({ path }) => path.split("?")[1])).toEqual([undefined, "recent=true", "recent=true"]);
    expect(phone.heard()).toBe(heard);
  });

  test("changes with places of another list are read as a whole list at once", async () => {
    let devices = ["door 1"];
    const phone = givenPhone(0, ({ path }) =>
      json({ ...list, devices, tickets: path.includes("?") ? [ada] : [ada, grace] }),
    );
    await phone.round();
    devices = ["door 1", "door 2"];
    phone.later(1_500);
    await phone.round();
    expect(phone.read().map(({ path }) => path.split("?")[1])).toEqual([undefined, "recent=true", undefined]);
    expect(phone.state.list).toMatchObject({ devices, tickets: [ada, grace] });
  });
});

describe("a scan that asks the server first", () => {
  // No round follows by itself.
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ["setImmediate"] }));
  afterEach(async () => {
    await new Promise(setImmediate);
    jest.useRealTimers();
  });

  test("hears of its answer before the list is read, and ends a reading of changes", async () => {
    let isStuck = false;
    const phone = givenPhone(0, ({ method, signal }) =>
      method === "GET" && isStuck
        ? new Promise((_, fail) => signal?.addEventListener("abort", () => fail(signal.reason)))
        : undefined,
    );
    await phone.round();
    isStuck = true;
    phone.later(1_500);
    const round = phone.wake();
    while (phone.read().length < 2) await Promise.resolve();
    phone.add("late");
    const asked = phone.ask();
    isStuck = false;
    await asked;
    expect(phone.waiting()).toEqual([]);
    await round;
    expect([phone.contact.isOnline, phone.sent()]).toEqual([true, [["late"]]]);
  });

  test.each([
    ["there is no network", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["the server refuses", () => json({ message: "No." }, 429)],
  ])("waits no longer when %s", async (_what, answer) => {
    const phone = givenPhone(1, answer);
    await phone.ask();
    await phone.ask();
    expect(phone.waiting()).toHaveLength(1);
  });
});

describe("nothing is lost", () => {
  test.each([429, 400])("after a %d, and the list is read nevertheless", async (status) => {
    const phone = givenPhone(3, failing("POST", status));
    const pause = await phone.round();
    expect(pause).toBeLessThan(5_000);
    expect([phone.waiting().length, phone.read().length, phone.contact.problem]).toEqual([3, 1, "No."]);
  });

  test("without a network, and the pauses grow to a minute", async () => {
    const phone = givenPhone(2, () => {
      throw new TypeError("Failed to fetch");
    });
    const pauses: number[] = [];
    for (let round = 0; round < 8; round += 1) pauses.push(await phone.round());
    expect(pauses).toEqual([1_500, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000, 45_000]);
    expect([phone.waiting().length, phone.read().length, phone.contact.isOnline]).toEqual([2, 0, false]);
  });

  test("by a page of the Wi-Fi that wants a login", async () => {
    const phone = givenPhone(2, () => new Response("<html>", { status: 200 }));
    await phone.round();
    expect([phone.waiting().length, phone.state.list, phone.contact.isOnline]).toEqual([2, undefined, false]);
    const other = givenPhone(0, () => json({}));
    await other.round();
    expect(other.state.list).toBeUndefined();
  });

  test("while there is no network nothing is tried, so that no question counts as asked", async () => {
    const phone = givenPhone(1);
    phone.connected.isConnected = false;
    await phone.round();
    expect([phone.calls, phone.scans.get("nonce-0")?.isTried]).toEqual([[], undefined]);
  });

  test("whatever fails in between, a scan is given up only when it is acknowledged, and its nonce stays", async () => {
    const failures = fc.constantFrom("none", "lost request", "lost answer", "failed", 400, 429, 503);
    await fc.assert(
      fc.asyncProperty(fc.array(failures, { maxLength: 12 }), fc.integer({ min: 0, max: 130 }), async (plan, count) => {
        const known = new Set<string>();
        const left = [...plan];
        const phone = givenPhone(count, ({ method, scans }) => {
          if (method === "GET") return undefined;
          const failure = left.shift() ?? "none";
          if (failure === "lost request") throw new TypeError("Failed to fetch");
          if (typeof failure === "number") return json({ message: "No." }, failure);
          if (failure === "failed") return stored(scans, "failed");
          for (const { nonce } of scans) known.add(nonce);
          if (failure === "lost answer") throw new TypeError("Failed to fetch");
          return stored(scans);
        });
        for (let round = 0; round <= plan.length; round += 1) {
          await phone.round();
          for (const { nonce, result } of phone.scans.values()) if (result) expect(known.has(nonce)).toBe(true);
        }
        expect(phone.waiting()).toEqual([]);
        expect([...known].sort()).toEqual([...phone.scans.keys()].sort());
        expect(phone.sent().every((nonces) => nonces.length <= 50)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

test("one row that the server does not understand stops no other, and is shown", async () => {
  const phone = givenPhone(120, ({ method, scans }) =>
    method === "POST" && scans.some(({ nonce }) => nonce === "nonce-7") ? json({ message: "Odd." }, 400) : undefined,
  );
  await phone.round();
  expect([phone.waiting(), phone.contact.problem, phone.read().length]).toEqual([["nonce-7"], "Odd.", 1]);
  // Halves of 50 until the row is alone, not one request for each row.
  expect(phone.sent().length).toBeLessThan(20);
});

test("a revoked phone forgets the list, keeps its scans, and stops", async () => {
  const phone = givenPhone(2, failing("POST", 401));
  await phone.round();
  expect([phone.state.session?.isRevoked, phone.waiting().length, phone.read().length]).toEqual([true, 2, 0]);
  await phone.round();
  expect(phone.calls).toHaveLength(1);
});

describe("after the event", () => {
  test.each([
    [403, "DOOR_CLOSED"],
    [404, "NOT_FOUND"],
  ])("a %d %s of the list deletes it, and all else when every scan is sent", async (status, code) => {
    let isBusy = true;
    const phone = givenPhone(2, (call) => {
      if (call.method === "POST") return isBusy ? json({ message: "Busy." }, 503) : undefined;
      return json({ message: "Over.", code }, status);
    });
    phone.state.list = list;
    await phone.round();
    expect([phone.state.list, phone.state.session?.isClosed, phone.waiting().length]).toEqual([undefined, true, 2]);
    isBusy = false;
    await phone.round();
    expect([phone.state.session, phone.scans.size, phone.sent().at(-1)?.length]).toEqual([undefined, 0, 2]);
    expect(phone.read()).toHaveLength(1);
  });

  test.each([
    [403, undefined],
    [404, undefined],
  ])("control: %d %p of the list deletes nothing", async (status, code) => {
    const phone = givenPhone(0, failing("GET", status, code));
    phone.state.list = list;
    await phone.round();
    expect([phone.state.list, phone.state.session?.isClosed]).toEqual([list, undefined]);
  });

  test("scans that the service takes no more go with everything else", async () => {
    const phone = givenPhone(1, failing("POST", 403, "DOOR_CLOSED"));
    await phone.round();
    expect([phone.state.session, phone.waiting()]).toEqual([undefined, []]);
  });
});
