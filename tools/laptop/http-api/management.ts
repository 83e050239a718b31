/**
 * The operations of API Gateway's management API that change a stage's limits: GetStage, UpdateStage, DeleteRouteSettings.
 * https://docs.aws.amazon.com/apigatewayv2/latest/api-reference/apis-apiid-stages-stagename.html
 */
import { randomUUID } from "node:crypto";
import { type Authorize, accessKeyIdOf, allowAll } from "../service-kit/authorize.ts";
import { readJsonObject } from "../service-kit/http-server.ts";
import { type HttpReply, type HttpRequest, type HttpService, startHttpService } from "../service-kit/http-service.ts";
import { accessDenied, ServiceProblem } from "../service-kit/json-service.ts";
import { type Limits, RouteNotFound, type StageLimits } from "./stage-limits.ts";

export interface ManagementOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  readonly region: string;
  readonly apiId: string;
  readonly stageName: string;
  readonly limits: StageLimits;
  /** Authorizes every request. Absent: every caller may do everything. */
  readonly authorize?: Authorize;
}

type Fields = Readonly<Record<string, unknown>>;

/** The settings of a route for HTTP APIs, by their name on the wire; the others are for WebSocket APIs. */
const settings: Readonly<Record<string, (value: unknown) => boolean>> = {
  detailedMetricsEnabled: (value) => typeof value === "boolean",
  throttlingBurstLimit: (value) => Number.isInteger(value) && (value as number) >= 0,
  throttlingRateLimit: (value) => typeof value === "number" && value >= 0,
};

const badRequest = (message: string): ServiceProblem => new ServiceProblem("BadRequestException", message);
const notFound = (message: string): ServiceProblem => new ServiceProblem("NotFoundException", message, 404);

/** Bytes; settings of all routes are far smaller. */
const maximumBody = 1024 * 1024;

export function startManagement(options: ManagementOptions): Promise<HttpService> {
  const { port, region, apiId, stageName, limits, authorize = allowAll } = options;
  const stagePath = `/apis/${apiId}/stages/${stageName}`;
  const stage = () => ({ stageName, autoDeploy: true, ...onWire(limits.limits) });

  /** The answer's body. @throws ServiceProblem RouteNotFound */
  function operate({ method, path, body }: HttpRequest): object | undefined {
    const [, , , id, , name, , routeKey] = path.split("/").map(decoded);
    if (id !== apiId) throw notFound(`Invalid API identifier specified ${id}`);
    if (name !== stageName) throw notFound(`Unable to find Stage by name ${name} within the provided API`);
    if (method === "DELETE" && routeKey !== undefined) {
      limits.remove(routeKey);
      return undefined;
    }
    if (method === "PATCH" && routeKey === undefined) limits.add(update(readJsonObject(body ?? "")));
    else if (method !== "GET" || routeKey !== undefined) throw badRequest(`The local stage does not serve ${method}.`);
    return stage();
  }

  return startHttpService({
    ...(port !== undefined && { port }),
    maximumBody,
    answer: (request) => {
      try {
        if (!isStagePath.test(request.path)) throw badRequest(`The local stage does not serve ${request.path}.`);
        const caller = accessKeyIdOf(request.headers.authorization);
        const refusal = authorize(caller, `apigateway:${request.method}`, `arn:aws:apigateway:${region}::${stagePath}`);
        if (refusal) throw accessDenied(refusal);
        return reply(operate(request));
      } catch (problem) {
        if (problem instanceof RouteNotFound) return refused(notFound(problem.message));
        if (problem instanceof ServiceProblem) return refused(problem);
        throw problem;
      }
    },
  });
}

const isStagePath = /^\/v2\/apis\/[^/]+\/stages\/[^/]+(\/routesettings\/[^/]+)?$/;

/** @throws ServiceProblem */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badRequest(`${part} is not encoded correctly.`);
  }
}

const headers = () => ({ "content-type": "application/json", "x-amzn-requestid": randomUUID() });

const reply = (body: object | undefined): HttpReply =>
  body === undefined
    ? { status: 204, headers: headers(), body: "" }
    : { status: 200, headers: headers(), body: JSON.stringify(body) };

const refused = ({ type, message, status }: ServiceProblem): HttpReply => ({
  status,
  headers: { ...headers(), "x-amzn-errortype": type },
  body: JSON.stringify({ message }),
});

/** Settings in the template begin with a capital letter, on the wire with a small one. */
const renamed = (fields: object, first: (letter: string) => string): object =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [first(name.charAt(0)) + name.slice(1), value]));
const lower = (letter: string): string => letter.toLowerCase();
const upper = (letter: string): string => letter.toUpperCase();

const onWire = ({ DefaultRouteSettings = {}, RouteSettings = {} }: Limits): object => ({
  defaultRouteSettings: renamed(DefaultRouteSettings, lower),
  routeSettings: Object.fromEntries(
    Object.entries(RouteSettings).map(([key, ofRoute]) => [key, renamed(ofRoute, lower)]),
  ),
});

/** What UpdateStage is to add. @throws ServiceProblem */
function update(fields: Fields | undefined): Limits {
  if (!fields) throw badRequest("The request body is not a JSON object.");
  const { defaultRouteSettings, routeSettings = {}, ...others } = fields;
  const [other] = Object.keys(others);
  if (other !== undefined) throw badRequest(`The local stage does not change ${other}.`);
  return {
    ...(defaultRouteSettings !== undefined && { DefaultRouteSettings: settingsOf(defaultRouteSettings) }),
    RouteSettings: Object.fromEntries(
      Object.entries(routeSettings as Fields).map(([key, ofRoute]) => [key, settingsOf(ofRoute)]),
    ),
  };
}

/** @throws ServiceProblem */
function settingsOf(fields: unknown): object {
  for (const [name, value] of Object.entries(fields as Fields)) {
    const isValid = Object.hasOwn(settings, name) ? settings[name] : undefined;
    if (!isValid?.(value)) throw badRequest(`Invalid value for ${name}: ${JSON.stringify(value)}`);
  }
  return renamed(fields as Fields, upper);
}
