/** Who may call what: the synthesized routes against the route table, the authorizer, CORS and throttling. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { capabilities } from "#api/routes.ts";
import { gatewayKey } from "#kit/request/gateway-key.ts";
import type { GatewayRoute } from "../../lib/http-api.ts";
import type { StageConfig, StageName } from "../../lib/stages.ts";
import {
  broken,
  givenTemplates,
  ofType,
  type StageTemplate,
  stageNames,
  type TemplateResource,
  textOf,
  theOnly,
} from "./stage-templates.ts";

/** The only routes that take no token. */
const publicRoutes = [
  "POST /registrations/check-in/scans",
  "GET /events/{eventId}/{year}/door",
  "POST /events/{eventId}/{year}/door/devices",
  "GET /events/getActiveEvent",
  "POST /payments/webhook",
];

const routeType = "AWS::ApiGatewayV2::Route";
const authorizerType = "AWS::ApiGatewayV2::Authorizer";

let templates: Record<StageName, StageTemplate>;
beforeAll(async () => {
  templates = await givenTemplates();
});

/** Whether the route only lets through tokens of this stack's user pool, made for its web client. */
function hasAuthorizer(template: StageTemplate, route: TemplateResource): boolean {
  const { AuthorizationType, AuthorizerId } = route.Properties;
  const authorizer = AuthorizerId && template.Resources[AuthorizerId.Ref];
  if (AuthorizationType !== "JWT" || authorizer?.Type !== authorizerType) return false;
  const { AuthorizerType, JwtConfiguration, IdentitySource } = authorizer.Properties;
  const [[pool]] = ofType(template, "AWS::Cognito::UserPool") as [[string, TemplateResource]];
  const [[client]] = ofType(template, "AWS::Cognito::UserPoolClient") as [[string, TemplateResource]];
  return (
    AuthorizerType === "JWT" &&
    IdentitySource.join() === "$request.header.Authorization" &&
    textOf(JwtConfiguration.Issuer) === `https://cognito-idp.\${AWS::Region}.amazonaws.com/\${${pool}}` &&
    JwtConfiguration.Audience.map(textOf).join() === `\${${client}}`
  );
}

/** Logical ids of routes without a token that share the requests of all others, or that the stage does not wait for. */
function unlimited(template: StageTemplate): string[] {
  const { Properties, DependsOn } = theOnly(template, "AWS::ApiGatewayV2::Stage") as TemplateResource & {
    DependsOn?: string[];
  };
  return openRoutes(template).flatMap((key) => {
    const settings = Properties.RouteSettings?.[key];
    const [id = ""] = ofType(template, routeType).find(([, route]) => route.Properties.RouteKey === key) ?? [];
    const isLimited =
      settings?.ThrottlingRateLimit < Properties.DefaultRouteSettings.ThrottlingRateLimit &&
      settings?.ThrottlingBurstLimit < Properties.DefaultRouteSettings.ThrottlingBurstLimit &&
      settings?.DetailedMetricsEnabled === Properties.DefaultRouteSettings.DetailedMetricsEnabled;
    return isLimited && DependsOn?.includes(id) ? [] : [key];
  });
}

const routesOf = (template: StageTemplate) => ofType(template, routeType).map(([, route]) => route);
const openRoutes = (template: StageTemplate): string[] =>
  routesOf(template)
    .filter((route) => !hasAuthorizer(template, route))
    .map((route) => route.Properties.RouteKey);

/** Name of the bundle that answers a route. */
function answeredBy(template: StageTemplate, route: TemplateResource): string {
  const integration = template.Resources[textOf(route.Properties.Target).replace(/^integrations\/\$\{(.*)\}$/, "$1")];
  const handler = textOf(integration?.Properties.IntegrationUri).replace(/^\$\{(.*)\.Arn\}$/, "$1");
  return template.Resources[handler]?.Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME;
}

describe.each(stageNames)("gateway, %s", (stage) => {
  test("only the allow-listed routes take no token", () => {
    expect(openRoutes(templates[stage])).toEqual(publicRoutes);
  });

  test("has every route of the table with its aliases, its access and its function, and no other", () => {
    const isOpen = (access: string) => access === "public" || access === "door";
    const declared = Object.entries(capabilities).flatMap(([name, routes]) =>
      routes.flatMap(({ gatewayKeys, access }) => gatewayKeys.map((key) => `${key} ${isOpen(access)} ${name}`)),
    );
    const synthesized = routesOf(templates[stage]).map(
      (route) =>
        `${route.Properties.RouteKey} ${!hasAuthorizer(templates[stage], route)} ${answeredBy(templates[stage], route)}`,
    );
    expect(synthesized.sort()).toEqual(declared.sort());
  });

  test("answers browsers of the stage's origins only", () => {
    expect(theOnly(templates[stage], "AWS::ApiGatewayV2::Api").Properties.CorsConfiguration).toEqual({
      AllowCredentials: false,
      AllowHeaders: [
        "Content-Type",
        "Authorization",
        "Idempotency-Key",
        "If-Match",
        "If-None-Match",
        "X-Amz-Date",
        "X-Amz-Security-Token",
        "X-Requested-With",
      ],
      AllowMethods: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
      AllowOrigins: {
        production: ["https://app.club.example"],
        staging: ["https://staging.club.example", "http://localhost:3000"],
        local: ["http://localhost:3000"],
      }[stage],
      ExposeHeaders: ["x-next-cursor", "Retry-After", "Idempotent-Replayed", "ETag"],
      MaxAge: 3600,
    });
  });

  test("takes a rush, and speaks payload format 2.0 to every function", () => {
    const { DefaultRouteSettings, StageName: name } = theOnly(templates[stage], "AWS::ApiGatewayV2::Stage").Properties;
    expect(name).toBe("$default");
    expect(DefaultRouteSettings.ThrottlingRateLimit).toBeGreaterThanOrEqual(1_000);
    expect(DefaultRouteSettings.ThrottlingBurstLimit).toBeGreaterThanOrEqual(2_000);
    for (const [, { Properties }] of ofType(templates[stage], "AWS::ApiGatewayV2::Integration")) {
      expect(Properties).toMatchObject({ IntegrationType: "AWS_PROXY", PayloadFormatVersion: "2.0" });
    }
  });

  test("limits each public route by itself, and waits for it, so that a flood of one does not close the others", () => {
    expect(unlimited(templates[stage])).toEqual([]);
    const { RouteSettings } = theOnly(templates[stage], "AWS::ApiGatewayV2::Stage").Properties;
    const limit = (ThrottlingRateLimit: number, ThrottlingBurstLimit: number) => ({
      ThrottlingRateLimit,
      ThrottlingBurstLimit,
      DetailedMetricsEnabled: false,
    });
    expect(RouteSettings).toEqual({
      "GET /events/getActiveEvent": limit(300, 600),
      "POST /registrations/check-in/scans": limit(30, 100),
      "GET /events/{eventId}/{year}/door": limit(30, 100),
      "POST /events/{eventId}/{year}/door/devices": limit(30, 100),
      "POST /payments/webhook": limit(20, 100),
    });
  });

  test("writes the access log where AWS's policy of log groups does not grow", () => {
    const { AccessLogSettings } = theOnly(templates[stage], "AWS::ApiGatewayV2::Stage").Properties;
    const [, parts] = AccessLogSettings.DestinationArn["Fn::Join"];
    const [{ Ref: id }] = parts.slice(-1);
    // A ":*" at the end would be drift each week: API Gateway drops it.
    expect(textOf(AccessLogSettings.DestinationArn)).toMatch(/:log-group:\$\{\w+\}$/);
    const [[api]] = ofType(templates[stage], "AWS::ApiGatewayV2::Api") as [[string, TemplateResource]];
    const name = textOf(templates[stage].Resources[id]?.Properties.LogGroupName);
    expect(name).toBe(`/aws/vendedlogs/club-events-${stage}/\${${api}}`);
  });

  test("logs every request as JSON without anything about the person", () => {
    const { AccessLogSettings } = theOnly(templates[stage], "AWS::ApiGatewayV2::Stage").Properties;
    const variables = Object.values(JSON.parse(AccessLogSettings.Format) as Record<string, string>);
    expect(variables).toContain("$context.requestId");
    // Addresses, user agents, claims and paths with values (an email, for one) are about somebody.
    expect(variables.join(" ")).not.toMatch(/identity|claims|principal|sourceIp|userAgent|context\.path|\bsub\b/i);
  });
});

test.each<[string, (stage: TemplateResource & { DependsOn?: unknown }) => void]>([
  ["a public route without a limit", ({ Properties }) => delete Properties.RouteSettings["POST /payments/webhook"]],
  [
    "a limit that switches something of the default off",
    ({ Properties }) => delete Properties.RouteSettings["POST /payments/webhook"].DetailedMetricsEnabled,
  ],
])("%s would be noticed", (_, change) => {
  const changed = broken(templates.production, (t) => change(theOnly(t, "AWS::ApiGatewayV2::Stage")));
  expect(unlimited(changed)).toEqual(["POST /payments/webhook"]);
});

test("a stage that does not wait for its limited routes would be noticed", () => {
  const hasty = broken(templates.production, (t) =>
    Object.assign(theOnly(t, "AWS::ApiGatewayV2::Stage"), { DependsOn: [] }),
  );
  expect(unlimited(hasty)).toEqual(publicRoutes);
});

test("a route without its authorizer would be noticed", () => {
  const unguarded = broken(templates.production, (template) => {
    const route = routesOf(template).find(({ Properties }) => Properties.RouteKey === "GET /users/self")!;
    delete route.Properties.AuthorizerId;
    route.Properties.AuthorizationType = "NONE";
  });
  expect(openRoutes(unguarded)).toContain("GET /users/self");
});

test.each([
  ["trusts somebody else's tokens", "Issuer", "https://accounts.example"],
  ["accepts the tokens of another client", "Audience", ["another-client"]],
])("an authorizer that %s would be noticed", (_, property, value) => {
  const misled = broken(templates.production, (template) => {
    theOnly(template, authorizerType).Properties.JwtConfiguration[property] = value;
  });
  expect(openRoutes(misled)).toHaveLength(routesOf(misled).length);
});

/** The template of a stack with other routes, or other values of its stage. */
async function templateOf(
  routes?: Readonly<Record<string, readonly GatewayRoute[]>>,
  values: Partial<StageConfig> = {},
): Promise<StageTemplate> {
  const { ClubStack } = await import("../../lib/club-stack.ts");
  const { local } = await import("../stages.ts");
  const stage = { ...local, ...values };
  const stack = new ClubStack(new App(), "Other", { stage, ...(routes && { routes }) });
  return Template.fromStack(stack).toJSON() as StageTemplate;
}

const [eventRoutes, profileRoutes] = [
  ["GET /events", "GET /events/{eventId}/{year}"],
  ["GET /profiles/profile/{profileID}"],
];

test.each<[Partial<StageConfig>, string[], Record<string, string>]>([
  [{ publicEvents: true }, eventRoutes, { events: "publicEvents" }],
  [{ publicProfiles: true }, profileRoutes, { profiles: "publicProfiles" }],
  [
    { publicEvents: true, publicProfiles: true },
    [...eventRoutes, ...profileRoutes],
    { events: "publicEvents", profiles: "publicProfiles" },
  ],
])("a stage with %j takes no token on %j either, and its functions check sent ones", async (values, open, told) => {
  const template = await templateOf(undefined, values);
  expect(openRoutes(template).sort()).toEqual([...publicRoutes, ...open].sort());
  expect(unlimited(template)).toEqual([]);
  const functions = ofType(template, "AWS::Lambda::Function").flatMap(([, { Properties }]) => {
    const { POWERTOOLS_SERVICE_NAME, PUBLIC_ROUTES, TOKEN_ISSUER, TOKEN_AUDIENCE } = Properties.Environment.Variables;
    if (PUBLIC_ROUTES === undefined) {
      expect([TOKEN_ISSUER, TOKEN_AUDIENCE]).toEqual([undefined, undefined]);
      return [];
    }
    const { Issuer, Audience } = theOnly(template, authorizerType).Properties.JwtConfiguration;
    expect([TOKEN_ISSUER, [TOKEN_AUDIENCE]]).toEqual([Issuer, Audience]);
    return [[POWERTOOLS_SERVICE_NAME, PUBLIC_ROUTES]];
  });
  expect(Object.fromEntries(functions)).toEqual(told);
});

test("no route key ends in a slash, and every greedy route needs a token", () => {
  const keys = routesOf(templates.production).map(({ Properties }) => Properties.RouteKey as string);
  expect(keys.filter((key) => key.endsWith("/"))).toEqual([]);
  const greedy = keys.filter((key) => key.includes("+}"));
  const needed = Object.values(capabilities).flatMap((routes) => routes.flatMap(({ greedyKeys }) => greedyKeys));
  expect(greedy.sort()).toEqual(needed.map(gatewayKey).sort());
  expect(openRoutes(templates.production).filter((key) => key.includes("+}"))).toEqual([]);
});

test("a path that ends in a slash and its alias have the same authorizer and function", async () => {
  const gatewayKeys = ["GET /profiles/{proxy+}", "GET /profiles/user"];
  const template = await templateOf({ users: [{ gatewayKeys, access: "caller" }] });
  expect(routesOf(template).map(({ Properties }) => Properties.RouteKey)).toEqual(gatewayKeys);
  expect(openRoutes(template)).toEqual([]);
  expect(routesOf(template).map((route) => answeredBy(template, route))).toEqual(["users", "users"]);
});

test("a route key that ends in a slash cannot be synthesized", async () => {
  const routes: readonly GatewayRoute[] = [{ gatewayKeys: ["GET /profiles/user/"], access: "caller" }];
  await expect(templateOf({ users: routes })).rejects.toThrow('not end with a "/"');
});

test("routes that no function answers cannot be synthesized", async () => {
  await expect(templateOf({ quizzes: [] })).rejects.toThrow(/"quizzes"/);
});
