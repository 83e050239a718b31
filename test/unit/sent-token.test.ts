/** The keys of the user pool, which check tokens on public routes. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, jest, test } from "@jest/globals";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

const issuer = "https://cognito-idp.ca-central-1.amazonaws.com/ca-central-1_Pool";
const audience = "client";

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>;
let keys: KeyPair;
let server: Server;
/** The requests for keys. */
const asked: (string | undefined)[] = [];
let isDown = false;

beforeAll(async () => {
  keys = await generateKeyPair("RS256");
  const jwks = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: "one", alg: "RS256", use: "sig" }] };
  server = createServer((request, response) => {
    asked.push(request.url);
    response.writeHead(isDown ? 500 : 200).end(JSON.stringify(jwks));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  process.env.TOKEN_ISSUER = issuer;
  process.env.TOKEN_AUDIENCE = audience;
  process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked.length = 0;
  isDown = false;
  jest.resetModules();
});

const token = (kid = "one", claims: object = {}) =>
  new SignJWT({ email: "ada@student.example", token_use: "id", ...claims })
    .setProtectedHeader({ alg: "RS256", kid })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(keys.privateKey);

/** A function that has just started: it has no keys yet. */
const freshly = async () => (await import("#kit/request/sent-token.ts")).claimsOf;

/** What a token leads to: its email, or the code of the refusal. */
const outcomeOf = (read: Promise<{ readonly email?: unknown }>): Promise<unknown> =>
  read.then(
    ({ email }) => email,
    ({ code }: { readonly code?: string }) => code,
  );

test("the keys are read where the SDK's calls go: of all services, unless this one has an address of its own", async () => {
  const { AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: own } = process.env;
  delete process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER;
  process.env.AWS_ENDPOINT_URL = own;
  try {
    const { claimsOf } = await import("#kit/request/sent-token.ts");
    expect(await claimsOf(await token())).toMatchObject({ email: "ada@student.example" });
    expect(asked).toHaveLength(1);
  } finally {
    delete process.env.AWS_ENDPOINT_URL;
    process.env.AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER = own;
  }
});

test("the keys are read once for many tokens, at the pool's address", async () => {
  const claimsOf = await freshly();
  for (let n = 0; n < 20; n += 1) expect(await outcomeOf(claimsOf(await token()))).toBe("ada@student.example");
  expect(asked).toEqual(["/ca-central-1_Pool/.well-known/jwks.json"]);
});

test("while the keys cannot be read, the answer asks the caller to come again; then it works", async () => {
  const claimsOf = await freshly();
  isDown = true;
  expect(await outcomeOf(claimsOf(await token()))).toBe("UNAVAILABLE");
  isDown = false;
  expect(await outcomeOf(claimsOf(await token()))).toBe("ada@student.example");
});

test("tokens with keys that do not exist do not make the function ask again and again", async () => {
  const claimsOf = await freshly();
  for (let n = 0; n < 20; n += 1) expect(await outcomeOf(claimsOf(await token("unknown")))).toBe("UNAUTHENTICATED");
  expect(asked.length).toBeLessThan(3);
  expect(await outcomeOf(claimsOf(await token()))).toBe("ada@student.example");
});

test("an access token is refused, and so is one for another client", async () => {
  const claimsOf = await freshly();
  expect(await outcomeOf(claimsOf(await token("one", { token_use: "access" })))).toBe("UNAUTHENTICATED");
  process.env.TOKEN_AUDIENCE = "other";
  jest.resetModules();
  expect(await outcomeOf((await freshly())(await token()))).toBe("UNAUTHENTICATED");
  process.env.TOKEN_AUDIENCE = audience;
});
