import { afterAll, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { UnsecuredJWT } from "jose";
import { givenGateway, type SmallGateway } from "./small-gateway.ts";

const code = "export const handler = async (event) => event.requestContext.authorizer ?? null;";

let gateway: SmallGateway;
let stranger: SmallGateway;
beforeAll(async () => {
  const routes = { "GET /public": "Who", "GET /private": "Who + jwt" };
  gateway = await givenGateway({ functions: { Who: code }, routes });
  stranger = await givenGateway({ functions: { Who: code }, routes });
});
afterAll(async () => {
  await gateway.close();
  await stranger.close();
});

const withHeader = (authorization: string): Promise<Response> =>
  gateway.fetch("/private", { headers: { authorization } });

describe("a route with the authorizer", () => {
  test("hands the claims on, all as strings", async () => {
    const claims = { email: "a@student.example", email_verified: true, auth_time: 5, "cognito:groups": ["x", "y"] };
    const response = await withHeader(`Bearer ${await gateway.token(claims)}`);

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      jwt: {
        claims: expect.objectContaining({
          email: "a@student.example",
          email_verified: "true",
          auth_time: "5",
          "cognito:groups": "[x y]",
        }),
        scopes: null,
      },
    });
  });

  test.each(["", "Bearer ", "bearer "])("takes a token after %j", async (prefix) => {
    expect((await withHeader(prefix + (await gateway.token()))).status).toBe(200);
  });

  test("takes an access token too: the function must tell them apart", async () => {
    const token = await gateway.token({ aud: undefined, client_id: "small-client", token_use: "access" });
    expect((await withHeader(`Bearer ${token}`)).status).toBe(200);
  });

  const seconds = (): number => Math.floor(Date.now() / 1_000);
  test.each<[string, () => Promise<string>]>([
    ["nothing but the scheme", async () => "Bearer "],
    ["no token", async () => "Bearer nonsense"],
    ["another scheme", async () => `Basic ${await gateway.token()}`],
    ["an expired token", async () => gateway.token({ exp: seconds() - 1 })],
    ["a token for later", async () => gateway.token({ nbf: seconds() + 60 })],
    ["another audience", async () => gateway.token({ aud: "other" })],
    ["another issuer", async () => gateway.token({ iss: "https://elsewhere.example" })],
    ["a stranger's signature", async () => stranger.token()],
    [
      "no signature",
      async () => new UnsecuredJWT(JSON.parse(atob((await gateway.token()).split(".")[1] ?? ""))).encode(),
    ],
    [
      "changed claims",
      async () => {
        const [head, claims = "", signature] = (await gateway.token()).split(".");
        const changed = { ...JSON.parse(atob(claims)), email: "exec@club.example" };
        return [head, Buffer.from(JSON.stringify(changed)).toString("base64url"), signature].join(".");
      },
    ],
  ])("refuses %s", async (_, header) => {
    const response = await withHeader(await header());
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ message: "Unauthorized" });
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
  });

  test("refuses a request without the header, with any body", async () => {
    const response = await gateway.fetch("/private");
    expect(response.status).toBe(401);
    expect(response.headers.get("content-type")).toBe("application/json");
  });

  test("checks a signature once, and the expiry each time", async () => {
    const { now } = Date;
    let ahead = 0;
    const clock = jest.spyOn(Date, "now").mockImplementation(() => now() + ahead);
    const own = await givenGateway({ functions: { Who: code }, routes: { "GET /": "Who + jwt" } });
    try {
      const token = await own.token({ exp: seconds() + 60 });
      const status = async () => (await own.fetch("/", { headers: { authorization: `Bearer ${token}` } })).status;
      expect(new Set(await Promise.all(Array.from({ length: 200 }, status)))).toEqual(new Set([200]));
      expect(own.verifications()).toBe(1);
      ahead = 61_000;
      expect(await status()).toBe(401);
    } finally {
      clock.mockRestore();
      await own.close();
    }
  });
});

test("a route without the authorizer takes no token, and does not look at one", async () => {
  expect(await (await gateway.fetch("/public")).json()).toBeNull();
  expect((await gateway.fetch("/public", { headers: { authorization: "Bearer nonsense" } })).status).toBe(200);
});

test("a scope that the route wants and the token lacks is a 403", async () => {
  const scoped = await givenGateway({
    functions: { Who: code },
    routes: { "GET /": "Who + jwt" },
    scopes: ["club/write"],
  });
  const call = async (scope: string) =>
    scoped.fetch("/", { headers: { authorization: `Bearer ${await scoped.token({ scope })}` } });
  const refused = await call("club/read");
  const allowed = await call("club/read club/write");
  await scoped.close();

  expect(refused.status).toBe(403);
  expect(await refused.json()).toEqual({ message: "Forbidden" });
  expect(allowed.status).toBe(200);
});
