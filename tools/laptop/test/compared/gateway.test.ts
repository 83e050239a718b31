/**
 * HTTP API: routes, the event of payload format 2.0, the function's answers, CORS and the JWT authorizer, as API Gateway's
 * developer guide has them. MiniStack is no judge of it: it answers a third of these requests otherwise.
 */
import { type OutgoingHttpHeaders, request } from "node:http";
import { expect } from "@jest/globals";
import { UnsecuredJWT } from "jose";
import { givenGateway, givenSigner, type SmallGateway } from "../small-gateway.ts";
import { answersAsAws, type Operation } from "./compare.ts";

const options = {
  functions: {
    Echo: `export const handler = async (event) => {
      if (event.rawPath === "/throw") throw new RangeError("inner secret");
      return event.rawPath === "/answer" ? JSON.parse(event.body)
        : { statusCode: 200, headers: { "access-control-allow-origin": "*", "x-next-cursor": "c" }, body: JSON.stringify(event) };
    };`,
  },
  routes: {
    "GET /events": "Echo",
    "POST /events": "Echo",
    "GET /events/getActiveEvent": "Echo",
    "GET /events/{eventId}/{year}": "Echo",
    "GET /profiles/user/{proxy+}": "Echo",
    "PATCH /profiles/user": "Echo",
    "GET /users/{email}": "Echo",
    "POST /answer": "Echo",
    "GET /throw": "Echo",
    "GET /private": "Echo + jwt",
  },
  cors: {
    AllowOrigins: ["http://localhost:3000", "https://app.club.example"],
    AllowMethods: ["GET", "POST", "OPTIONS"],
    AllowHeaders: ["Content-Type", "Authorization"],
    ExposeHeaders: ["x-next-cursor", "Retry-After"],
    MaxAge: 3_600,
  },
};

/** A request as it is sent. */
interface Sent {
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

interface GatewaySide extends Pick<SmallGateway, "issuer" | "token"> {
  /** Sends `GET /path?query`, of which not a byte is changed. */
  ask(line: string, sent?: Sent): Promise<Answer>;
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: an event is looked at field by field
type Event = any;
const eventOf = ({ body }: Answer): Event => JSON.parse(body.toString());
const messageOf = ({ status, body }: Answer) => [status, eventOf({ body } as Answer).message];

/** The route and its parameters, or the gateway's own error. */
const routed = (line: string, answer: unknown): Operation<GatewaySide> => [
  `routes ${line}`,
  async (side) => {
    const answered = await side.ask(line);
    if (answered.status !== 200) return line.startsWith("HEAD") ? answered.status : messageOf(answered);
    const { routeKey, pathParameters } = eventOf(answered);
    return [routeKey, { ...pathParameters }];
  },
  answer,
];
const notFound = [404, "Not Found"];
const routes = [
  routed("GET /events", ["GET /events", {}]),
  routed("GET /events/getActiveEvent", ["GET /events/getActiveEvent", {}]),
  routed("GET /events/getActiveEvent/2026", [
    "GET /events/{eventId}/{year}",
    { eventId: "getActiveEvent", year: "2026" },
  ]),
  routed("GET /events/", notFound),
  routed("GET /events//2026", notFound),
  routed("HEAD /events", 404),
  routed("GET /profiles/user/", ["GET /profiles/user/{proxy+}", { proxy: "" }]),
  routed("GET /profiles/user", notFound),
  routed("GET /users/a%2Bb%40student.example", ["GET /users/{email}", { email: "a+b@student.example" }]),
  routed("GET /users/a+b@student.example", ["GET /users/{email}", { email: "a+b@student.example" }]),
  routed("GET /users/%7Bx%7D%3A%C3%A9", ["GET /users/{email}", { email: "{x}:é" }]),
  routed("GET /users/a%2Fb", notFound),
  routed("GET /users/a%3Fb", ["GET /users/{email}", { email: "a" }]),
  routed("GET /users/%zz", [400, "Bad Request"]),
  routed("GET /profiles/user/a/b%20c", ["GET /profiles/user/{proxy+}", { proxy: "a/b c" }]),
];

const event = (
  name: string,
  line: string,
  pick: (event: Event) => unknown,
  answer: unknown,
  sent?: Sent,
): Operation<GatewaySide> => [`tells ${name}`, async (side) => pick(eventOf(await side.ask(line, sent))), answer];
const typed = (type: string | undefined, body: string, isText: boolean): Operation<GatewaySide> =>
  event(
    `a body of type ${type}`,
    "POST /events",
    ({ body, isBase64Encoded }) => [body, isBase64Encoded],
    [isText ? body : Buffer.from(body).toString("base64"), !isText],
    { body, headers: type ? { "content-type": type } : {} },
  );
const context = ({ requestContext }: Event) => requestContext;
const events = [
  event("no more than AWS documents", "GET /events", (all) => Object.keys(all).sort(), [
    "headers",
    "isBase64Encoded",
    "rawPath",
    "rawQueryString",
    "requestContext",
    "routeKey",
    "version",
  ]),
  event(
    "all that there is",
    "POST /events?a=1",
    (all) => Object.keys(all).sort(),
    [
      "body",
      "cookies",
      "headers",
      "isBase64Encoded",
      "queryStringParameters",
      "rawPath",
      "rawQueryString",
      "requestContext",
      "routeKey",
      "version",
    ],
    { headers: { cookie: "a=1", "content-type": "text/plain" }, body: "x" },
  ),
  event(
    "where it is",
    "GET /events",
    (all) => {
      const { accountId, apiId, domainName, domainPrefix } = context(all);
      return [accountId, domainPrefix === apiId, domainName.startsWith(`${apiId}.execute-api.`)];
    },
    ["000000000000", true, true],
  ),
  event(
    "the request",
    "GET /users/a%20b?x=1",
    (all) => [all.rawPath, context(all).routeKey, context(all).http],
    [
      "/users/a b",
      "GET /users/{email}",
      { method: "GET", path: "/users/a b", protocol: "HTTP/1.1", sourceIp: "127.0.0.1", userAgent: "test" },
    ],
    { headers: { "user-agent": "test" } },
  ),
  event(
    "id and time",
    "GET /events",
    (all) => [context(all).requestId, context(all).time, Math.abs(Date.now() - context(all).timeEpoch) < 60_000],
    [
      expect.stringMatching(/^[A-Za-z0-9+/_-]{15}=$/),
      expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
      true,
    ],
  ),
  event(
    "a repeated parameter, decoded",
    "GET /events?tag=a&tag=b&plus=a+b&enc=%2B&empty=",
    ({ queryStringParameters, rawQueryString }) => [queryStringParameters, rawQueryString],
    [{ tag: "a,b", plus: "a b", enc: "+", empty: "" }, "tag=a&tag=b&plus=a+b&enc=%2B&empty="],
  ),
  event("a repeated header", "GET /events", ({ headers }) => headers["x-twice"], "a,b", {
    headers: { "X-Twice": ["a", "b"] },
  }),
  event(
    "cookies apart from the headers",
    "GET /events",
    ({ cookies, headers }) => [cookies, headers.cookie ?? "none"],
    [["one=1", "two=2"], "none"],
    { headers: { Cookie: "one=1; two=2" } },
  ),
  typed("application/json", '{"a":"é"}', true),
  typed("image/png", "\u0001", false),
  typed(undefined, "{}", false),
];

/** JSON however it is spaced, or the text. */
function readable(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
const answering = (
  name: string,
  result: unknown,
  answer: unknown,
  pick: (answer: Answer) => unknown = ({ status, headers, body }) => [
    status,
    headers["content-type"],
    readable(body.toString()),
  ],
): Operation<GatewaySide> => [
  `answers with ${name}`,
  async (side) =>
    pick(
      await side.ask("POST /answer", { headers: { "content-type": "application/json" }, body: JSON.stringify(result) }),
    ),
  answer,
];
const failed = [500, "application/json", { message: "Internal Server Error" }];
const base64 = Buffer.from([0, 255]).toString("base64");
const answers: readonly Operation<GatewaySide>[] = [
  answering(
    "status, headers and cookies",
    { statusCode: 201, headers: { "X-Next-Cursor": "c" }, cookies: ["a=1", "b=2"], body: "{}" },
    [201, "c", ["a=1", "b=2"]],
    ({ status, headers, cookies }) => [status, headers["x-next-cursor"], cookies],
  ),
  answering("no type", { statusCode: 200, body: "x" }, [200, "text/plain;charset=utf-8", "x"]),
  answering("bytes", { statusCode: 200, body: base64, isBase64Encoded: true }, [0, 255], ({ body }) => [...body]),
  answering("a status that is no number", { statusCode: "many", body: "" }, failed),
  answering("a body that is no text", { statusCode: 200, body: { a: 1 } }, failed),
  answering("a header of two lines", { statusCode: 200, headers: { "x-broken": "line\nbreak" } }, failed),
  [
    "answers with no detail of an exception",
    async (side: GatewaySide) => messageOf(await side.ask("GET /throw")),
    [500, "Internal Server Error"],
  ],
];

const origin = "https://app.club.example";
const corsOf = ({ headers }: Answer) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("access-control-")));
const cors = (
  name: string,
  line: string,
  from: string | undefined,
  pick: (answer: Answer) => unknown,
  answer: unknown,
): Operation<GatewaySide> => [
  `cors: ${name}`,
  async (side: GatewaySide) =>
    pick(await side.ask(line, { headers: { ...(from && { origin: from }), "access-control-request-method": "GET" } })),
  answer,
];
const preflight = {
  "access-control-allow-origin": origin,
  "access-control-allow-methods": "GET,POST,OPTIONS",
  "access-control-allow-headers": "Content-Type,Authorization",
  "access-control-expose-headers": "x-next-cursor,Retry-After",
  "access-control-max-age": "3600",
};
const exposed = {
  "access-control-allow-origin": origin,
  "access-control-expose-headers": "x-next-cursor,Retry-After",
};
const strangers = [`${origin}.evil.example`, `${origin}:444`, "http://app.club.example", "null"];
const crossOrigin: readonly Operation<GatewaySide>[] = [
  ...["/events", "/private", "/unknown"].map((path) =>
    cors(`a preflight for ${path}`, `OPTIONS ${path}`, origin, (all) => [all.status, all.body.length, corsOf(all)], [
      204,
      0,
      preflight,
    ]),
  ),
  ...strangers.flatMap((from) => [
    cors(`no preflight of ${from}`, "OPTIONS /events", from, corsOf, {}),
    cors(`no answer for ${from}`, "GET /events", from, corsOf, {}),
  ]),
  cors("replaces the function's headers", "GET /events", origin, corsOf, exposed),
  cors("drops the function's headers without an origin", "GET /events", undefined, corsOf, {}),
];

const seconds = () => Math.floor(Date.now() / 1_000);
const scope = "club/write";
const guarded = (
  name: string,
  header: (side: GatewaySide) => unknown,
  answer: unknown,
  pick: (answer: Answer) => unknown = messageOf,
): Operation<GatewaySide> => [
  `authorizer: ${name}`,
  async (side) => {
    const authorization = (await header(side)) as string | undefined;
    return pick(await side.ask("GET /private", { headers: authorization === undefined ? {} : { authorization } }));
  },
  answer,
];
const refused = [401, "Unauthorized"];
const challenged = ({ headers }: Answer) => headers["www-authenticate"];
const jwtOf = (all: Answer) => context(eventOf(all)).authorizer?.jwt;
const authorizer: readonly Operation<GatewaySide>[] = [
  guarded(
    "claims as texts",
    async ({ token }) =>
      `Bearer ${await token({ scope, email: "a@b.example", email_verified: true, auth_time: 5, "cognito:groups": ["x", "y"] })}`,
    expect.objectContaining({
      email: "a@b.example",
      email_verified: "true",
      auth_time: "5",
      "cognito:groups": "[x y]",
    }),
    (all) => jwtOf(all).claims,
  ),
  ...["", "Bearer ", "bearer "].map((scheme) =>
    guarded(
      `a token after "${scheme}"`,
      async ({ token }) => scheme + (await token({ scope })),
      200,
      ({ status }) => status,
    ),
  ),
  guarded(
    "an access token",
    ({ token }) => token({ scope, aud: undefined, client_id: "small-client", token_use: "access" }),
    200,
    ({ status }) => status,
  ),
  guarded("no token", () => "Bearer nonsense", refused),
  guarded("an expired token", ({ token }) => token({ scope, exp: seconds() - 1 }), refused),
  guarded("a token without an end", ({ token }) => token({ scope, exp: undefined }), refused),
  guarded("a token of the future", ({ token }) => token({ scope, iat: seconds() + 60 }), refused),
  guarded("another audience", ({ token }) => token({ scope, aud: "other" }), refused),
  guarded("another issuer", ({ token }) => token({ scope, iss: "https://elsewhere.example" }), refused),
  guarded("a stranger's signature", async ({ issuer }) => (await givenSigner(issuer)).token({ scope }), refused),
  guarded("no signature", async ({ token }) => new UnsecuredJWT(claimsOf(await token({ scope }))).encode(), refused),
  guarded(
    "changed claims",
    async ({ token }) => {
      const [head, claims = "", signature] = (await token({ scope })).split(".");
      const changed = { ...claimsOf(`.${claims}`), email: "exec@club.example" };
      return [head, Buffer.from(JSON.stringify(changed)).toString("base64url"), signature].join(".");
    },
    refused,
  ),
  [
    "authorizer: tells no scopes where none is wanted",
    async (side: GatewaySide) =>
      jwtOf(await side.ask("GET /private", { headers: { authorization: await side.token({ scope }) } })).scopes,
    null,
  ],
  guarded("says how to authenticate", () => undefined, "Bearer", challenged),
  guarded("says what is wrong with a token", () => "x", 'Bearer error="invalid_token"', challenged),
];
function claimsOf(token: string) {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
}

answersAsAws([...routes, ...events, ...answers, ...crossOrigin, ...authorizer], async (): Promise<GatewaySide> => {
  const { url, issuer, token, close } = await givenGateway(options);
  const { hostname, port } = new URL(url);
  const ask: GatewaySide["ask"] = (line, { headers, body } = {}) =>
    new Promise((resolve, reject) => {
      const [method = "GET", path = "/"] = line.split(" ");
      const sent = request({ hostname, port, method, path, headers, agent: false }, async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const { "set-cookie": cookies = [], ...more } = response.headers;
        const answered = { headers: more as Record<string, string>, cookies, body: Buffer.concat(chunks) };
        resolve({ status: response.statusCode ?? 0, ...answered });
      });
      sent.on("error", reject).end(body);
    });
  return { issuer, token, ask, close };
});
