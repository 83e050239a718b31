/** Who may call what: the synthesized routes against the route table, the authorizer, CORS and throttling. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { App, Stack } from "aws-cdk-lib";
import { capabilities } from "#api/routes.ts";
import { gatewayKey } from "#kit/request/gateway-key.ts";
import { ClubFunction } from "../../lib/function.ts";
import { ClubHttpApi } from "../../lib/http-api.ts";
import type { StageName } from "../../lib/stages.ts";
import { production } from "../stages.ts";
import { hasAuthorizer, openRoutes, publicRoutes, routeType, tokensOf, unlimited } from "./routes.ts";
import { broken, givenTemplates, ofType, type StageTemplate, stageNames, textOf, theOnly } from "./stage-templates.ts";
import { set } from "./template-edits.ts";

let templates: Record<StageName, StageTemplate>;
beforeAll(async () => {
  templates = await givenTemplates();
});

const stageOf = (template: StageTemplate) => theOnly(template, "AWS::ApiGatewayV2::Stage").Properties;
const idOf = (template: StageTemplate, type: string) => ofType(template, type)[0]?.[0];

/** Name of the bundle that answers a route. */
function answeredBy(template: StageTemplate, target: unknown): string {
  const integration = template.Resources[textOf(target).replace(/^integrations\/\$\{(.*)\}$/, "$1")];
  const handler = textOf(integration?.Properties.IntegrationUri).replace(/^\$\{(.*)\.Arn\}$/, "$1");
  return template.Resources[handler]?.Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME;
}

describe.each(stageNames)("gateway, %s", (stage) => {
  test("only the allow-listed routes take no token; the others take those of the pool, made for its web client", () => {
    expect(openRoutes(templates[stage])).toEqual(publicRoutes);
    const pool = idOf(templates[stage], "AWS::Cognito::UserPool");
    expect(tokensOf(templates[stage])).toEqual({
      type: "JWT",
      from: ["$request.header.Authorization"],
      issuer: `https://cognito-idp.\${AWS::Region}.amazonaws.com/\${${pool}}`,
      audience: [`\${${idOf(templates[stage], "AWS::Cognito::UserPoolClient")}}`],
    });
  });

  test("has every route of the table with its aliases, its access and its function, and no other", () => {
    const isOpen = (access: string) => access === "public" || access === "door" || access === "link";
    const declared = Object.entries(capabilities).flatMap(([name, routes]) =>
      routes.flatMap(({ gatewayKeys, access }) => gatewayKeys.map((key) => `${key} ${isOpen(access)} ${name}`)),
    );
    const synthesized = ofType(templates[stage], routeType).map(([, route]) => {
      const { RouteKey, Target } = route.Properties;
      return `${RouteKey} ${!hasAuthorizer(templates[stage], route)} ${answeredBy(templates[stage], Target)}`;
    });
    expect(synthesized.sort()).toEqual(declared.sort());
  });

  test("limits each public route by itself, so that a flood of one does not close the others", () => {
    expect(unlimited(templates[stage])).toEqual([]);
  });

  // The gateway counts a request before it knows the caller: strangers would use the limit up.
  test("gives no route that needs a token a limit of its own", () => {
    const limited = Object.keys(stageOf(templates[stage]).RouteSettings);
    expect(limited.sort()).toEqual([...openRoutes(templates[stage])].sort());
  });

  test("logs every request as JSON without anything about the person, where AWS's policy does not grow", () => {
    const { DestinationArn, Format } = stageOf(templates[stage]).AccessLogSettings;
    // A ":*" at the end would be drift each week: API Gateway drops it.
    const [, id = ""] = /:log-group:\$\{(\w+)\}$/.exec(textOf(DestinationArn)) ?? [];
    const api = idOf(templates[stage], "AWS::ApiGatewayV2::Api");
    const group = textOf(templates[stage].Resources[id]?.Properties.LogGroupName);
    expect(group).toBe(`/aws/vendedlogs/club-events-${stage}/\${${api}}`);
    const variables = Object.values(JSON.parse(Format) as Record<string, string>);
    expect(variables).toContain("$context.requestId");
    // Addresses, user agents, claims and paths with values (an email, for one) are about a person. Only the pool knows whose
    // account a `sub` is.
    const others = variables.filter((variable) => variable !== "$context.authorizer.claims.sub");
    expect(others).toHaveLength(variables.length - 1);
    expect(others.join(" ")).not.toMatch(/identity|claims|principal|sourceIp|userAgent|context\.path|\bsub\b/i);
  });
});

test("no route key ends in a slash, and every greedy route needs a token", () => {
  const keys = ofType(templates.production, routeType).map(([, { Properties }]) => Properties.RouteKey as string);
  expect(keys.filter((key) => key.endsWith("/"))).toEqual([]);
  const needed = Object.values(capabilities).flatMap((routes) => routes.flatMap(({ greedyKeys }) => greedyKeys));
  expect(keys.filter((key) => key.includes("+}")).sort()).toEqual(needed.map(gatewayKey).sort());
});

test("a route key that ends in a slash cannot be synthesized", () => {
  const stack = new Stack(new App(), "Other");
  const handler = new ClubFunction(stack, "Users", { stage: production, bundle: "users", description: "" });
  const routes = [{ gatewayKeys: ["GET /profiles/user/"], access: "caller" }] as const;
  const tokens = { issuer: "https://issuer.example", audience: "client" };
  const build = () =>
    new ClubHttpApi(stack, "Api", { stage: production, tokens, capabilities: { users: { handler, routes } } });
  expect(build).toThrow('not end with a "/"');
});

describe("would be noticed:", () => {
  const webhook = "RouteSettings.POST /payments/webhook";
  test.each([
    ["a public route without a limit", webhook],
    ["a limit that switches something of the default off", `${webhook}.DetailedMetricsEnabled`],
  ])("%s", (_, path) => {
    const changed = broken(templates.production, set("ApiGatewayV2::Stage", /./, path));
    expect(unlimited(changed)).toEqual(["POST /payments/webhook"]);
  });

  test("a stage that does not wait for its limited routes", () => {
    const hasty = broken(templates.production, (template) =>
      Object.assign(theOnly(template, "AWS::ApiGatewayV2::Stage"), { DependsOn: [] }),
    );
    expect(unlimited(hasty)).toEqual(publicRoutes);
  });

  test("a route without its authorizer", () => {
    const unguarded = broken(templates.production, set("ApiGatewayV2::Route", /"GET \/users\/self/, "AuthorizerId"));
    expect(openRoutes(unguarded)).toContain("GET /users/self");
  });
});
