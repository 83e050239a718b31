/** The typed client: token, patience and pages. */
import { describe, expect, test } from "@jest/globals";
import { type ClubClientOptions, clubClient, PageRefused, pages } from "../../lib/client/index.ts";

/** A client whose service answers these responses, one after the other. */
function givenClient(responses: readonly Response[], options: Partial<ClubClientOptions> = {}) {
  const left = [...responses];
  const sent: Request[] = [];
  const pauses: number[] = [];
  const api = clubClient({
    baseUrl: "http://api.example",
    fetch: async (request) => {
      sent.push(request);
      return left.shift() ?? new Response("{}");
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
const busy = (headers: Record<string, string> = { "retry-after": "2" }) =>
  answer({ message: "Please try again.", code: "CONTENDED", requestId: "r" }, 503, headers);
const form = { eventID: "gala", year: 2030, email: "ada@student.example" };

test("a request has path, query, body and the token of that moment", async () => {
  let token = "first";
  const { api, sent } = givenClient([], { token: () => token });
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

test("without a token there is no header", async () => {
  const { api, sent } = givenClient([], { token: async () => undefined });
  await api.GET("/events/getActiveEvent");
  expect(sent[0]?.headers.has("authorization")).toBe(false);
});

describe("patience", () => {
  test("a request that wrote nothing is sent again as it was, after the pause that the service asks for", async () => {
    const { api, sent, pauses } = givenClient([
      busy(),
      busy({ "retry-after": "5" }),
      answer({ message: "Done." }, 201),
    ]);
    const { data, response } = await api.POST("/registrations", { body: form });
    expect([data?.message, response.status, pauses]).toEqual(["Done.", 201, [2_000, 5_000]]);
    expect(await Promise.all(sent.map((request) => request.json()))).toEqual([form, form, form]);
  });

  test("a request that the gateway turned away is sent again after a second", async () => {
    const { api, pauses } = givenClient([answer({ message: "Too Many Requests" }, 429), answer([])]);
    expect((await api.GET("/events")).data).toEqual([]);
    expect(pauses).toEqual([1_000]);
  });

  test("a request that may have been carried out is not sent again", async () => {
    const { api, sent } = givenClient([busy({}), answer({})]);
    const { error, response } = await api.POST("/registrations", { body: form });
    expect([sent.length, response.status, error?.message]).toEqual([1, 503, "Please try again."]);
  });

  test("it ends after four tries, and a pause is never longer than half a minute", async () => {
    const { api, sent, pauses } = givenClient(Array.from({ length: 9 }, () => busy({ "retry-after": "86400" })));
    expect((await api.POST("/registrations", { body: form })).response.status).toBe(503);
    expect([sent.length, pauses]).toEqual([4, [30_000, 30_000, 30_000]]);
  });

  test.each([200, 201, 400, 401, 403, 404, 409, 500])("a %d is the answer", async (status) => {
    const { api, sent } = givenClient([answer({}, status, { "retry-after": "1" })]);
    expect((await api.GET("/users/self")).response.status).toBe(status);
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
    for await (const events of pages((cursor) => api.GET("/events", { params: { query: { cursor, limit: 2 } } }))) {
      ids.push(...events.map(({ id }) => id));
    }
    expect(ids).toEqual(["a", "b", "c"]);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(["?limit=2", "?cursor=c1&limit=2"]);
  });

  test("end with the refusal of a page", async () => {
    const { api } = givenClient([answer({ message: "Unauthorized" }, 401)]);
    const all = pages((cursor) => api.GET("/users", { params: { query: { cursor } } }));
    await expect(all.next()).rejects.toThrow(new PageRefused(401, { message: "Unauthorized" }));
  });
});

test("the compiler knows the API", () => {
  const { api } = givenClient([]);
  const wrong = [
    // @ts-expect-error there is no such path
    () => api.GET("/nothing"),
    // @ts-expect-error this path has no PUT
    () => api.PUT("/events", {}),
    // @ts-expect-error the event of a registration is missing
    () => api.POST("/registrations", { body: { year: 2030, email: "a@b.example" } }),
    // @ts-expect-error a year is a number
    () => api.GET("/events", { params: { query: { year: "2030" } } }),
    // @ts-expect-error an event has no such field
    async () => (await api.GET("/events/getActiveEvent")).data?.capacity,
  ];
  expect(wrong).toHaveLength(5);
});
