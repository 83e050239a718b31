/** The typed client: token, errors, patience, keys and pages. */
import { describe, expect, test } from "@jest/globals";
import { ApiError, type ClubClientOptions, clubClient, unwrap } from "../../client/index.ts";

type Step = Response | Error;

/** A client whose service answers these responses, one after the other. An error stands for a try without an answer. */
function givenClient(steps: readonly Step[], options: Partial<ClubClientOptions> = {}) {
  const left = [...steps];
  const sent: Request[] = [];
  const pauses: number[] = [];
  const api = clubClient({
    baseUrl: "http://api.example",
    fetch: async (request) => {
      sent.push(request);
      const step = left.shift() ?? new Response("{}");
      if (step instanceof Error) throw step;
      return step;
    },
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
    },
    ...options,
  });
  return { api, sent, pauses };
}

const answer = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json", ...headers } });
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  answer({ message: "A sentence.", code, requestId: "r-1" }, status, headers);
const busy = (headers: Record<string, string> = { "retry-after": "2" }) => refusal(503, "CONTENDED", headers);
const offline = () => new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
const form = { eventID: "gala", year: 2030, email: "ada@student.example" };

test("a request has path, query, body and the token of that moment", async () => {
  let token = "first";
  const { api, sent } = givenClient([], { token: () => token, baseUrl: "http://api.example/" });
  await api.GET("/events/{eventId}/{year}", {
    params: { path: { eventId: "a b", year: 2030 }, query: { count: true } },
  });
  token = "second";
  await api.POST("/registrations", { body: form });
  expect(sent.map(({ method, url, headers }) => [method, url, headers.get("authorization")])).toEqual([
    ["GET", "http://api.example/events/a%20b/2030?count=true", "Bearer first"],
    ["POST", "http://api.example/registrations", "Bearer second"],
  ]);
  expect(await sent[1]?.json()).toEqual(form);
});

test("each try has the token of its moment: one may expire during a pause", async () => {
  let tokens = 0;
  const { api, sent } = givenClient([busy()], { token: () => `token ${++tokens}` });
  await api.GET("/events");
  expect(sent.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer token 1", "Bearer token 2"]);
});

test("the error of the token hook is the caller's", async () => {
  const { api, sent } = givenClient([], { token: () => Promise.reject(new TypeError("not signed in")) });
  await expect(api.GET("/users/self")).rejects.toThrow("not signed in");
  expect(sent).toEqual([]);
});

describe("an error", () => {
  test("has status, code, sentence and request id, and what its code brings along", async () => {
    const registration = { email: form.email, registrationStatus: "registered" };
    const body = { message: "You are registered already.", code: "DUPLICATE", requestId: "r-1", registration };
    const { api } = givenClient([answer(body, 409)]);
    const { error, data, response } = await api.POST("/registrations", { body: form });
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 409, code: "DUPLICATE", requestId: "r-1", message: body.message, body });
    expect([data, response?.status]).toEqual([undefined, 409]);
    // The compiler knows what the body of this code has.
    expect(error?.code === "DUPLICATE" && error.body.registration.registrationStatus).toBe("registered");
  });

  test("may have any body", async () => {
    const { api } = givenClient([new Response("<h1>Bad gateway</h1>", { status: 502 }), answer(null, 502)]);
    for (const { error } of [await api.GET("/users/self"), await api.GET("/users/self")])
      expect([error?.status, error?.code, error?.message]).toEqual([502, undefined, "The API answered 502."]);
  });

  test("is thrown by unwrap, which answers data otherwise", async () => {
    const { api } = givenClient([answer({ email: form.email }), refusal(404, "NOT_FOUND")]);
    const { email } = await unwrap(api.GET("/users/self"));
    expect(email).toBe(form.email);
    await expect(unwrap(api.GET("/users/self"))).rejects.toMatchObject({ code: "NOT_FOUND", status: 404 });
  });
});

describe("patience", () => {
  test("a request that wrote nothing is sent again as it was, after the pause that the service asks for", async () => {
    const { api, sent, pauses } = givenClient([
      busy(),
      busy({ "retry-after": "5" }),
      answer({ message: "Done." }, 201),
    ]);
    const { data, response } = await api.POST("/registrations", { body: form });
    expect([data?.message, response?.status, pauses]).toEqual(["Done.", 201, [2_000, 5_000]]);
    expect(await Promise.all(sent.map((request) => request.json()))).toEqual([form, form, form]);
  });

  test("a request that the gateway turned away is sent again soon", async () => {
    const { api, pauses } = givenClient([answer({ message: "Too Many Requests" }, 429), answer([])]);
    expect((await api.GET("/events")).data).toEqual([]);
    expect(pauses).toHaveLength(1);
    expect(pauses[0]).toBeGreaterThanOrEqual(500);
    expect(pauses[0]).toBeLessThanOrEqual(750);
  });

  test.each<[string, () => Step]>([
    ["an unknown outcome", () => refusal(503, "OUTCOME_UNKNOWN")],
    ["the gateway's own 503", () => answer({ message: "Service Unavailable" }, 503)],
    ["no answer", offline],
    ["a body that breaks off", () => new Response(new ReadableStream({ pull: (to) => to.error(offline()) }))],
  ])("a change without a key is not sent again after %s; a read is", async (_name, step) => {
    const change = givenClient([step(), answer({})]);
    const { error } = await change.api.PUT("/registrations/massUpdate", {
      body: { eventID: "gala", year: 2030, updates: [] },
    });
    expect([change.sent.length, error?.status]).toEqual([1, error?.code === "NETWORK_ERROR" ? 0 : 503]);
    const read = givenClient([step(), step(), step(), answer([])]);
    expect((await read.api.GET("/events")).data).toEqual([]);
    expect(read.pauses.map((each) => Math.floor(Math.log2(each / 500)))).toEqual([0, 1, 2]);
  });

  test.each<[string, string | undefined, Step[], number, RegExp]>([
    ["of a page elsewhere ends soon, and names it", "http://a.example", [], 2, /pages of http:..a.example/],
    ["of such a page goes on once the API has answered", "http://a.example", [answer([])], 4, /too many requests/],
    ["of a page of the API's own blames no origin", "http://api.example", [], 4, /cannot be reached\.$/],
    ["of Node blames no origin", undefined, [], 4, /cannot be reached\.$/],
  ])("a request %s", async (_name, origin, first, tries, message) => {
    if (origin !== undefined) Object.assign(globalThis, { location: { origin } });
    const { api, sent } = givenClient([...first, ...Array.from({ length: 4 }, offline)]);
    if (first.length > 0) await api.GET("/events");
    const { error } = await api.GET("/events");
    Reflect.deleteProperty(globalThis, "location");
    expect([sent.length - first.length, error?.status, error?.code]).toEqual([tries, 0, "NETWORK_ERROR"]);
    expect(error?.cause).toBeInstanceOf(TypeError);
    expect(error?.message).toMatch(message);
  });

  test("it ends after four tries, and a pause is never longer than half a minute", async () => {
    const { api, sent, pauses } = givenClient(Array.from({ length: 9 }, () => busy({ "retry-after": "86400" })));
    expect((await api.POST("/registrations", { body: form })).error?.status).toBe(503);
    expect([sent.length, pauses]).toEqual([4, [30_000, 30_000, 30_000]]);
  });

  test("any other status is the answer, also a 429 of the service itself", async () => {
    for (const status of [200, 201, 400, 401, 403, 404, 409, 429, 500]) {
      const { api, sent } = givenClient([answer({}, status, { "retry-after": "1" })]);
      await api.GET("/users/self");
      expect([status, sent.length]).toEqual([status, 1]);
    }
  });

  test("a caller who aborts need not wait for the end of a pause", async () => {
    const aborted = new AbortController();
    const { api, sent } = givenClient([busy({ "retry-after": "30" })], { pause: undefined });
    const waiting = api.GET("/events", { signal: aborted.signal });
    while (sent.length === 0) await new Promise(setImmediate);
    aborted.abort(new Error("the page was left"));
    await expect(waiting).rejects.toThrow("the page was left");
    expect(sent).toHaveLength(1);
  });
});

describe("a key", () => {
  const header = "idempotency-key";
  const keyed = { keyed: ["POST /registrations"] };
  const register = (api: ReturnType<typeof clubClient>, headers = {}) =>
    api.POST("/registrations", { body: form, headers });
  const keysOf = (sent: readonly Request[]) => sent.map(({ headers }) => headers.get(header));

  test("is new for each call, and the same in each of its tries", async () => {
    const { api, sent } = givenClient([busy(), answer({}, 201), answer({}, 201)], keyed);
    await register(api);
    await register(api);
    const [first, again, second] = keysOf(sent);
    expect(first).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect([again === first, second === first]).toEqual([true, false]);
  });

  test("is the caller's, when there is one, and is not sent to other operations", async () => {
    const { api, sent } = givenClient([], keyed);
    await register(api, { "Idempotency-Key": "order-7" });
    await api.GET("/registrations");
    await api.POST("/registrations/resend-ticket", { body: form });
    expect(keysOf(sent)).toEqual(["order-7", null, null]);
  });

  test.each<[string, () => Step]>([
    ["no answer", offline],
    ["an unknown outcome", () => refusal(503, "OUTCOME_UNKNOWN")],
  ])("lets a change be sent again after %s; control: without it, it is not", async (_name, step) => {
    const withKey = givenClient([step(), answer({ message: "Done." }, 201)], keyed);
    expect((await register(withKey.api)).data?.message).toBe("Done.");
    expect(new Set(keysOf(withKey.sent)).size).toBe(1);
    const without = givenClient([step(), answer({ message: "Done." }, 201)], { keyed: [] });
    expect((await register(without.api)).data).toBeUndefined();
    expect(without.sent).toHaveLength(1);
  });

  const underWay = () => refusal(409, "REQUEST_IN_PROGRESS", { "retry-after": "1" });

  test("waits for the end of a first try that is still at work", async () => {
    const steps = [offline(), ...Array.from({ length: 20 }, underWay), answer({ message: "Done." }, 201)];
    const { api, sent, pauses } = givenClient(steps, keyed);
    expect((await register(api)).data?.message).toBe("Done.");
    expect([sent.length, pauses.slice(1)]).toEqual([22, Array.from({ length: 20 }, () => 1_000)]);
  });

  test.each<[string, () => Response]>([
    ["another conflict", () => refusal(409, "DUPLICATE", { "retry-after": "1" })],
    ["a conflict that is no JSON", () => new Response("no", { status: 409, headers: { "retry-after": "1" } })],
  ])("changes nothing about %s", async (_name, step) => {
    const { api, sent } = givenClient([step()], keyed);
    expect((await register(api)).error).toBeInstanceOf(ApiError);
    expect(sent).toHaveLength(1);
  });
});

describe("pages", () => {
  const event = (id: string) => ({ id });

  test("follow the cursor to the end", async () => {
    const { api, sent } = givenClient([
      answer([event("a"), event("b")], 200, { "x-next-cursor": "c1" }),
      answer([event("c")]),
    ]);
    const ids: string[] = [];
    for await (const events of api.pages("/events", { params: { query: { limit: 2 } } })) {
      ids.push(...events.map(({ id }) => id));
    }
    expect(ids).toEqual(["a", "b", "c"]);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(["?limit=2", "?limit=2&cursor=c1"]);
  });
});
