/** API Gateway's HTTP API, as the template describes it: routes, authorizers, CORS, throttle. */
import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Resource, Template } from "../template/index.ts";
import { createCors, refusedOrigin } from "./cors.ts";
import { createJwtAuthorizer, type JwtAuthorizer, type VerifierFactory } from "./jwt-authorizer.ts";
import type { RecentRequests } from "./recent-requests.ts";
import { type ApiIdentity, type GatewayRequest, newRequestId, requestEvent } from "./request-event.ts";
import { type GatewayResponse, gatewayError, responseOf } from "./response.ts";
import { routeKeyProblem } from "./route-key.ts";
import { createRouter, decodedPath, type GatewayRoute, type RouteMatch } from "./routing.ts";
import { startServer } from "./server.ts";
import { StageLimits } from "./stage-limits.ts";

export type { VerifierFactory } from "./jwt-authorizer.ts";

export interface HttpApiOptions {
  /** 0: any free port. */
  readonly port: number;
  readonly template: Template;
  readonly functions: {
    invoke(logicalId: string, event: unknown, context?: { readonly requestId: string }): Promise<unknown>;
    idOf(arn: string): string | undefined;
  };
  /** Makes the check of the tokens of one issuer. */
  readonly verifier: VerifierFactory;
  /**
   * Whether the gateway's own answers (401, 429, 5xx) have CORS headers. True when absent. AWS promises them for answers of
   * integrations only: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html
   */
  readonly errorCors?: boolean | undefined;
  /** Notified of each request when it arrives, and of its outcome. */
  readonly observer?: Pick<RecentRequests, "arrived" | "learned">;
  /**
   * Answers requests that the template does not route, or only with a greedy route for all paths; undefined: no page has
   * the path. CORS, throttle and observer do not apply to them.
   */
  readonly pages?: (request: GatewayRequest, body: Buffer | undefined) => Promise<GatewayResponse | undefined>;
  /**
   * What stands in front of the API for some paths: where they lead in it, and headers of the answer. Undefined for a path that
   * does not come this way.
   */
  readonly edge?: (
    path: string,
  ) => { readonly path: string; readonly headers: Readonly<Record<string, string>> } | undefined;
}

export interface LocalHttpApi {
  /** Without a trailing slash. */
  readonly url: string;
  /** Changes take effect at once. */
  readonly limits: StageLimits;
  /** Stops listening; requests under way still get their answer, for at most `grace` milliseconds. */
  close(grace?: number): Promise<void>;
}

/** Id of the API; resources of the template refer to it. */
export const apiId = "clublocal0";

/** Default timeout of an integration, in milliseconds. */
const integrationTimeout = 30_000;

/** Names the API's resources, so that they can refer to each other. Call it before anything reads the template. */
export function nameHttpApi(template: Template): void {
  const domain = `${apiId}.execute-api.${template.place.region}.amazonaws.com`;
  for (const { logicalId } of template.resourcesOf("AWS::ApiGatewayV2::Api")) {
    template.provide(logicalId, { ref: apiId, attributes: { ApiId: apiId, ApiEndpoint: `https://${domain}` } });
  }
  const types = ["AWS::ApiGatewayV2::Integration", "AWS::ApiGatewayV2::Authorizer"] as const;
  for (const type of types) {
    for (const { logicalId } of template.resourcesOf(type)) template.provide(logicalId, { ref: logicalId });
  }
}

/** Starts the gateway. @throws Error when the template has something that the gateway does not support */
export async function startHttpApi(options: HttpApiOptions): Promise<LocalHttpApi> {
  const { template, functions, observer, pages, edge } = options;
  const { region, accountId } = template.place;
  const identity: ApiIdentity = { apiId, accountId, domainName: `${apiId}.execute-api.${region}.amazonaws.com` };
  const stage = template.theOnly("AWS::ApiGatewayV2::Stage");
  const cors = createCors(
    template.theOnly("AWS::ApiGatewayV2::Api").get("CorsConfiguration"),
    options.errorCors ?? true,
  );
  const routes = routesOf(template, functions);
  const match = createRouter(routes);
  const authorizers = authorizersOf(template, options.verifier);
  const limits = limitsOf(stage, routes);

  /** The answer before CORS. */
  const handle = async (request: GatewayRequest, body: Buffer | undefined): Promise<GatewayResponse> => {
    const method = request.message.method ?? "";
    const matched = match(method, request.path);
    if (!limits.mayPass(matched?.route.RouteKey)) return gatewayError(429);
    if (!matched) return gatewayError(404);
    const { route } = matched;
    const authorizer = route.AuthorizationType === "JWT" ? authorizers.get(route.AuthorizerId ?? "") : undefined;
    const found = await authorizer?.(request.message);
    if (found && !found.allowed) return gatewayError(401, { "www-authenticate": found.challenge });
    if (!body) return gatewayError(413);
    const invocationId = randomUUID();
    observer?.learned(request.requestId, { invocationId, who: found?.jwt.claims.email });
    const event = requestEvent(identity, request, matched, body, found?.jwt);
    return answerOf(functions.invoke(route.functionId, event, { requestId: invocationId }), route.timeout);
  };

  const { server, url } = await startServer(options.port, async (message, body) => {
    const started = performance.now();
    const asked = gatewayRequest(message);
    const behind = asked && edge?.(asked.path);
    const request = behind ? { ...asked, path: behind.path } : asked;
    const { method = "" } = message;
    const mayBePage = request && !behind && !isRouted(match(method, request.path));
    const page = mayBePage ? await pages?.(request, body) : undefined;
    if (page) return page;
    if (request) observer?.arrived({ requestId: request.requestId, method, path: request.path, at: request.time });
    const origin = message.headers.origin;
    const preflight = method === "OPTIONS" ? cors.preflight(origin) : undefined;
    const handled = preflight ?? (request === undefined ? gatewayError(400) : await handle(request, body));
    const response = preflight ? handled : cors.apply(handled, origin);
    if (request) {
      const latency = Math.round(performance.now() - started);
      const refused = response.isOwn ? undefined : refusedOrigin(response, message.headers);
      observer?.learned(request.requestId, { status: response.status, latency, refusedOrigin: refused });
    }
    const headers = { ...response.headers, ...behind?.headers };
    return { ...response, headers: { ...headers, "apigw-requestid": request?.requestId ?? newRequestId() } };
  });

  return {
    url,
    limits,
    close: async (grace = 2_000) => {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), grace);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** @throws Error API Gateway would refuse the stage */
function limitsOf(stage: Resource<"AWS::ApiGatewayV2::Stage">, routes: readonly GatewayRoute[]): StageLimits {
  const limits = {
    DefaultRouteSettings: stage.get("DefaultRouteSettings") ?? {},
    RouteSettings: stage.get("RouteSettings") ?? {},
  };
  try {
    return new StageLimits(
      limits,
      routes.map(({ RouteKey }) => RouteKey),
    );
  } catch (cause) {
    throw new Error(`API Gateway refuses the stage: ${(cause as Error).message}`, { cause });
  }
}

/** Whether a route is more than one for all paths. */
const isRouted = (match: RouteMatch | undefined): boolean =>
  match !== undefined && !/^[A-Z]+ \/\{\w+\+\}$/.test(match.route.RouteKey);

function routesOf(template: Template, functions: HttpApiOptions["functions"]): GatewayRoute[] {
  const integrations = new Map(
    template.resourcesOf("AWS::ApiGatewayV2::Integration").map((integration) => {
      const { IntegrationType, IntegrationUri, PayloadFormatVersion, TimeoutInMillis } = integration.all();
      const functionId = functions.idOf(IntegrationUri);
      if (IntegrationType !== "AWS_PROXY" || PayloadFormatVersion !== "2.0" || !functionId) {
        throw new Error(`${integration.logicalId}: the local stage only calls functions, with payload format 2.0.`);
      }
      return [integration.logicalId, { functionId, timeout: TimeoutInMillis ?? integrationTimeout }] as const;
    }),
  );
  return template.resourcesOf("AWS::ApiGatewayV2::Route").map((route) => {
    const properties = route.all();
    const { RouteKey } = properties;
    const problem = routeKeyProblem(RouteKey);
    if (problem) throw new Error(`API Gateway refuses the route "${RouteKey}": ${problem}`);
    const integration = integrations.get(properties.Target?.split("/")[1] ?? "");
    if (!integration) throw new Error(`${RouteKey} leads to no integration.`);
    return { ...properties, ...integration };
  });
}

/**
 * Every authorizer that a route names must exist, or the gateway does not start: a missing authorizer must never mean
 * an open route.
 */
function authorizersOf(template: Template, verifier: VerifierFactory): ReadonlyMap<string, JwtAuthorizer> {
  const authorizers = new Map(
    template
      .resourcesOf("AWS::ApiGatewayV2::Authorizer")
      .map((authorizer) => [authorizer.logicalId, createJwtAuthorizer(authorizer.all(), verifier)] as const),
  );
  for (const route of template.resourcesOf("AWS::ApiGatewayV2::Route")) {
    const { RouteKey, AuthorizationType = "NONE", AuthorizerId = "", AuthorizationScopes } = route.all();
    if (AuthorizationScopes) throw new Error(`${RouteKey}: the local stage does not check scopes.`);
    if (AuthorizationType !== "NONE" && !(AuthorizationType === "JWT" && authorizers.has(AuthorizerId))) {
      throw new Error(`${RouteKey}: the local stage does not know its authorizer.`);
    }
  }
  return authorizers;
}

/** @returns undefined when the URL is malformed */
function gatewayRequest(message: IncomingMessage): GatewayRequest | undefined {
  // Proxies send the absolute URL.
  const address = (message.url ?? "/").replace(/^https?:\/\/[^/?]*/i, "");
  const [rawPath = "", ...query] = address.split("?");
  const path = decodedPath(rawPath || "/");
  if (path === undefined) return undefined;
  const sourceIp = message.socket.remoteAddress ?? "127.0.0.1";
  return { message, path, query: query.join("?"), sourceIp, time: Date.now(), requestId: newRequestId() };
}

/** The function's response: 500 when the function failed, 503 when it took too long for the gateway. */
async function answerOf(invocation: Promise<unknown>, timeout: number): Promise<GatewayResponse> {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<GatewayResponse>((resolve) => {
    timer = setTimeout(() => resolve(gatewayError(503)), timeout);
  });
  // Lambda accepts smaller payloads than the gateway.
  const answered = invocation.then(responseOf, (problem: Error & { errorType?: string }) =>
    gatewayError(problem.errorType === "RequestEntityTooLarge" ? 413 : 500),
  );
  try {
    return await Promise.race([answered, timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
