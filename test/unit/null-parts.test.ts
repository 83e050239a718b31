/**
 * What a caller of a function may leave out may also be null, as some gateways and emulators send it. Each function gets
 * both, and must do the same.
 */

import { readFileSync } from "node:fs";
import { CognitoIdentityProviderClient } from "@aws-sdk/client-cognito-identity-provider";
import { S3Client } from "@aws-sdk/client-s3";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { beforeAll, expect, jest, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { capabilities } from "#api/routes.ts";
import { consumer } from "#consumers/consumer.ts";
import { ok } from "#kit/request/answer.ts";
import { api, dispatch } from "#kit/request/api.ts";
import { route } from "#kit/request/route.ts";
import { Type } from "#kit/schema/schema.ts";
import { type FunctionName, functionEntries } from "../../lib/entries.ts";
import { givenSettings } from "../settings.ts";
import { table } from "./mocked-table.ts";

type Call = (event: never) => unknown;

/** A function with an event that has no part that may be absent, and those parts as paths. */
interface Case {
  readonly name: string;
  readonly handler: () => Promise<Call>;
  readonly event: object;
  readonly optional: readonly string[];
}

const entry = (name: FunctionName) => async () => (await import(`../../${functionEntries[name]}`)).handler as Call;

const ofGateway = [
  "headers",
  "cookies",
  "pathParameters",
  "queryStringParameters",
  "body",
  "isBase64Encoded",
  "stageVariables",
];
const inContext = ["requestContext.authorizer", "requestContext.authentication"];
const request = (routeKey: string, authorizer?: object) => ({
  routeKey,
  requestContext: { requestId: "r", timeEpoch: 1_800_000_000_000, ...(authorizer && { authorizer }) },
});

const echo = route("POST /echo", {
  access: "caller",
  idempotent: true,
  ifMatch: true,
  summary: "Tells what it got.",
  params: Type.Object({ id: Type.Optional(Type.String()) }),
  query: Type.Object({ q: Type.Optional(Type.String()) }),
  body: Type.Object({ text: Type.Optional(Type.String()) }),
  responses: { 200: Type.Unknown() },
});
const claims = { email: "ada@club.example", email_verified: "true", token_use: "id" };

const cases: readonly Case[] = [
  ...Object.entries(capabilities).flatMap(([name, routes]) =>
    // All routes of a function begin in the same way.
    routes.slice(0, 1).map(({ gatewayKeys: [key = ""] }) => ({
      name: key,
      handler: entry(name as FunctionName),
      event: request(key),
      optional: [...ofGateway, ...inContext],
    })),
  ),
  {
    name: "a route with a token",
    handler: async () =>
      dispatch([api(echo, ({ params, query, body, headers }) => ok({ params, query, body, headers }))]),
    event: request(echo.key, { jwt: { claims } }),
    optional: [...ofGateway, "requestContext.authorizer.jwt.scopes", "requestContext.authorizer.jwt.claims.given_name"],
  },
  {
    name: "a route without claims",
    handler: async () => dispatch([api(echo, () => ok({}))]),
    event: request(echo.key, { jwt: {} }),
    optional: ["requestContext.authorizer.jwt.claims"],
  },
  {
    name: "consumer",
    handler: async () =>
      consumer(
        (body) => ({ ...JSON.parse(body), type: "t", requestId: "r" }),
        async () => undefined,
      ),
    event: { Records: [{ messageId: "m", body: '{"id":"1"}' }] },
    optional: ["Records.0.attributes", "Records.0.messageAttributes", "Records.0.attributes.ApproximateReceiveCount"],
  },
  {
    name: "relay",
    handler: entry("relay"),
    event: { Records: [{ eventID: "1" }] },
    optional: [
      "Records.0.dynamodb",
      "Records.0.dynamodb.NewImage",
      "Records.0.dynamodb.Keys",
      "Records.0.dynamodb.SequenceNumber",
    ],
  },
  {
    name: "pre-sign-up",
    handler: entry("pre-sign-up"),
    event: { triggerSource: "PreSignUp_SignUp", userName: "u", userPoolId: "p", request: { userAttributes: {} } },
    optional: [
      "request.userAttributes",
      "request.userAttributes.email",
      "request.userAttributes.email_verified",
      "request.clientMetadata",
    ],
  },
  {
    name: "pre-sign-up with Google",
    handler: entry("pre-sign-up"),
    event: {
      ...{ triggerSource: "PreSignUp_ExternalProvider", userName: "Google_1", userPoolId: "p" },
      request: { userAttributes: { email: "ada@x.example" } },
    },
    optional: ["request.userAttributes.email_verified", "request.validationData"],
  },
  {
    name: "cache-header",
    handler: entry("cache-header"),
    event: { id: "e", detail: { object: { key: "event-thumbnails/e/original/1.jpg" } } },
    optional: ["detail.object.size", "detail.object.etag", "resources"],
  },
  { name: "sweeper", handler: entry("sweeper"), event: {}, optional: ["detail", "resources"] },
];

/** A copy of the event with one part as null. The objects around it are there. */
function withNull(event: object, path: string): object {
  const copy = structuredClone(event) as Record<string, unknown>;
  const names = path.split(".");
  const last = names.pop() as string;
  const holder = names.reduce<Record<string, unknown>>((part, name) => {
    part[name] ??= {};
    return part[name] as Record<string, unknown>;
  }, copy);
  holder[last] = null;
  return copy;
}

const without = (event: object, path: string): object =>
  JSON.parse(JSON.stringify(withNull(event, path), (_, value) => (value === null ? undefined : value)));

const outcome = async (handler: Call, event: object): Promise<unknown> => {
  try {
    return (await handler(event as never)) ?? "done";
  } catch (error) {
    return `throws ${error}`;
  }
};

givenSettings({
  BUS_NAME: "b",
  DOOR_PAGE: "https://door.example",
  IMAGE_BUCKET: "i",
  IMAGE_PUBLIC_URL: "https://i.example",
});
beforeAll(() => {
  table.onAnyCommand().resolves({ Items: [] } as never);
  mockClient(S3Client).resolves({});
  mockClient(SecretsManagerClient).resolves({ SecretString: "secret" });
  mockClient(CognitoIdentityProviderClient).resolves({});
  jest.spyOn(console, "error").mockReturnValue(undefined);
});

test.each(cases)("$name", async ({ handler, event, optional }) => {
  const call = await handler();
  for (const path of optional) {
    const [asNull, asAbsent] = [await outcome(call, withNull(event, path)), await outcome(call, without(event, path))];
    expect([path, asNull]).toEqual([path, asAbsent]);
    expect([path, JSON.stringify(asNull)]).toEqual([path, expect.not.stringMatching(/TypeError/)]);
  }
});

test("each function is here; all others read queues through `consumer`, or nothing of their event", () => {
  const named = new Set<string>([...Object.keys(capabilities), ...cases.map(({ name }) => name)]);
  for (const [name, path] of Object.entries(functionEntries)) {
    if (!named.has(name))
      expect(readFileSync(path, "utf8")).toMatch(/export const handler = consumer\(|handler\(_event: unknown/);
  }
});
