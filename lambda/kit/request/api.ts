/** The wrapper around every handler of the API: identity, access, validation, ownership, answers and errors, in that order. */
import middy from "@middy/core";
import jsonBodyParser from "@middy/http-json-body-parser";
import validator from "@middy/validator";
import type { APIGatewayProxyEventV2WithJWTAuthorizer, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import { requiredEnv } from "../env.ts";
import {
  AdminsOnly,
  Contended,
  type Issue,
  OutcomeUnknown,
  Refusal,
  TooLarge,
  Unauthenticated,
  ValidationFailed,
} from "../errors.ts";
import { log } from "../log.ts";
import { issuesOf, type RequestParts } from "../schema/validation.ts";
import { forbiddenKeys } from "../text/text.ts";
import type { Answer } from "./answer.ts";
import { type Caller, type Claims, callerFrom } from "./caller.ts";
import { deadlineWithin, type RemainingTime, type RequestContext, systemContext } from "./context.ts";
import type { Bearing, Contract, PublicSetting } from "./contract.ts";
import { parseIfMatch } from "./etag.ts";
import { contractRequest } from "./gateway-key.ts";
import { addressCaller, answerToForeign } from "./owner.ts";
import { internalErrorAnswer, refusalAnswer, refusalOf } from "./problem.ts";
import type { KeptRoute, Route, RouteInput, SignedBody } from "./route.ts";

const maxBodyKilobytes = 256;

type GatewayEvent = APIGatewayProxyEventV2WithJWTAuthorizer;

/** An error of a Middy package (https://middy.js.org/docs/middlewares/validator). */
type MiddyError = Error & { statusCode?: number; cause?: { package?: string; data?: unknown } };

/** The input of a handler: the validated request, the caller, and the time of the request. */
export type Input<C extends Contract, Bearer = undefined> = RouteInput<C> & {
  readonly caller: C extends { readonly access: "public" | Bearing } | { readonly publicWith: PublicSetting }
    ? Caller | undefined
    : Caller;
  /** What the request's own secret opens: a device at a door, or the registration of a link. */
  readonly bearer: Bearer;
  /** Epoch milliseconds at which the gateway received the request. */
  readonly now: number;
  readonly context: RequestContext;
  /** The headers of the request, in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
};

/** An API handler with its route. */
export interface ApiHandler {
  (event: GatewayEvent, lambda?: RemainingTime): Promise<APIGatewayProxyStructuredResultV2>;
  readonly route: Pick<KeptRoute, "key" | "keys" | "greedyKeys" | "publicWith">;
}

/** The settings of this stage that make routes of this function public. */
const publicSettings = new Set((process.env.PUBLIC_ROUTES ?? "").split(","));
const isPublic = ({ publicWith }: Pick<KeptRoute, "publicWith">): boolean =>
  publicWith !== undefined && publicSettings.has(publicWith);

function requireAccess(route: KeptRoute, event: GatewayEvent): void {
  const caller = callerOf(event);
  if (route.access === "admin" && !caller?.isAdmin) throw new AdminsOnly();
  // A token without a usable email is refused on public routes too.
  const needsNone = isPublic(route) && !event.requestContext.authorizer;
  if (route.access === "caller" && !caller && !needsNone) throw new Unauthenticated();
}

/** Throws inside the parser, which then reports a malformed body. */
function reviver(key: string, value: unknown): unknown {
  if (forbiddenKeys.has(key)) throw new SyntaxError("forbidden key");
  return value;
}

/** Bodies are parsed regardless of their content type. Middy's types lack `disableContentTypeCheck`. */
const bodyParserOptions = { disableContentTypeCheck: true, reviver } as Parameters<typeof jsonBodyParser>[0];

const adminDomain = requiredEnv("ADMIN_EMAIL_DOMAIN");
/** Set in a stage with an existing user pool (`lib/existing-identity.ts`). */
const verifiedOnly = process.env.VERIFIED_EMAIL_ONLY === "true";
const callerOf = (event: GatewayEvent) =>
  callerFrom(event.requestContext.authorizer?.jwt?.claims, adminDomain, verifiedOnly);

/**
 * Finds what the secret in an `Authorization` header opens.
 * @throws Unauthenticated it opens nothing
 */
export type BearerReader<Bearer> = (authorization: string | undefined, context: RequestContext) => Promise<Bearer>;

const contextFor = ({ requestContext: { requestId, timeEpoch } }: GatewayEvent, lambda: RemainingTime) =>
  systemContext(requestId, timeEpoch, deadlineWithin(lambda));

const guard = (route: KeptRoute, bearerOf?: BearerReader<unknown>) => ({
  async before({ event, context }: middy.Request<GatewayEvent>) {
    requireAccess(route, event);
    if (bearerOf) {
      const bearer = await bearerOf(event.headers.authorization, contextFor(event, context));
      // As a Lambda authorizer of the gateway passes what it has found.
      Object.assign(event.requestContext, { authorizer: { lambda: bearer } });
    }
    const encoding = event.isBase64Encoded ? "base64" : "utf8";
    if (Buffer.byteLength(event.body ?? "", encoding) > maxBodyKilobytes * 1024) throw new TooLarge(maxBodyKilobytes);
  },
});

/** A missing body counts as `{}`, so that validation reports the missing fields. */
const emptyBody = {
  before({ event }: middy.Request<GatewayEvent>) {
    if (!event.body) Object.assign(event, { body: "{}", isBase64Encoded: false });
  },
};

/**
 * Passes on the signed bytes: parsing and serializing would change them, and the signature would not match.
 */
const unparsedBody = (header: string) => ({
  before({ event }: middy.Request<GatewayEvent>) {
    const bytes = Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");
    const body: SignedBody = { bytes, signature: event.headers[header] };
    Object.assign(event, { body, isBase64Encoded: false });
  },
});

const bodyReader = ({ signedBody }: KeptRoute) =>
  signedBody === undefined ? [emptyBody, jsonBodyParser(bodyParserOptions)] : [unparsedBody(signedBody)];

/** The route's compiled schemas as one for the whole event, which it cleans in place. Its errors are our issues. */
function eventSchemaOf({ validate }: KeptRoute) {
  const schema = (event: GatewayEvent): boolean => {
    schema.errors = issuesOf(validate, event as GatewayEvent & RequestParts);
    return schema.errors.length === 0;
  };
  schema.errors = [] as Issue[];
  return schema;
}

/** A schema has one list of errors, so each request gets a schema of its own: the laptop runs several in one process. */
const validated = (route: KeptRoute): middy.MiddlewareObj<GatewayEvent> => ({
  before: (request) => validator({ eventSchema: eventSchemaOf(route) }).before?.(request),
});

const addressed = ({ owner }: KeptRoute) => ({
  before({ event }: middy.Request<GatewayEvent>) {
    addressCaller(owner, event as GatewayEvent & RequestParts, callerOf(event));
  },
});

/** Answers requests about another person's record before the handler runs. */
const owned = ({ owner }: KeptRoute) => ({
  before({ event }: middy.Request<GatewayEvent>) {
    const answer = answerToForeign(owner, event as GatewayEvent & RequestParts, callerOf(event));
    return answer && toGateway(answer);
  },
});

/** The refusal of an error that a Middy package has thrown. */
function refusalOfMiddy({ statusCode, cause }: MiddyError): ValidationFailed | undefined {
  if (statusCode === 415) return new ValidationFailed([{ path: "/", message: "must be JSON" }]);
  return cause?.package === "@middy/validator" ? new ValidationFailed(cause.data as readonly Issue[]) : undefined;
}

function answerTo(error: Error, route: KeptRoute, requestId: string): Answer {
  const refusal = refusalOfMiddy(error as MiddyError) ?? refusalOf(error);
  if (refusal instanceof Contended) log.warn("contended", { route: route.key, requestId });
  if (refusal instanceof OutcomeUnknown) log.error("outcome unknown", { route: route.key, requestId });
  if (refusal instanceof Refusal) return refusalAnswer(refusal, requestId);
  log.error("request failed", { route: route.key, requestId, error });
  return internalErrorAnswer(requestId);
}

const toGateway = ({ statusCode, headers, body, isText }: Answer): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
  body: isText ? String(body) : JSON.stringify(body),
});

/**
 * Makes a Lambda handler from a route and the function that answers it. `problem.ts` converts each `Refusal` to a
 * response. Any other error is logged and answered with a plain 500.
 * @param bearerOf required by routes for devices and links
 */
export function api<C extends Contract, Bearer = undefined>(
  declaration: Route<C>,
  answer: (input: Input<C, Bearer>) => Answer | Promise<Answer>,
  bearerOf?: BearerReader<Bearer>,
): ApiHandler {
  const route: KeptRoute = declaration;
  const needsBearer = route.access === "door" || route.access === "link";
  if (needsBearer !== (bearerOf !== undefined)) throw new Error(`${route.key}: who checks the secret?`);
  const handler = middy<GatewayEvent, APIGatewayProxyStructuredResultV2>({ timeoutEarlyInMillis: 0 })
    .use(guard(route, bearerOf))
    .use(bodyReader(route))
    .use(addressed(route))
    .use(validated(route))
    .use(owned(route))
    .onError((request) => {
      const { requestId } = request.event.requestContext;
      request.response = toGateway(answerTo(request.error as Error, route, requestId));
    });
  handler.handler(async (event, lambda) => {
    const caller = callerOf(event);
    const unnamed = contextFor(event, lambda);
    const context = caller ? { ...unnamed, actor: caller.email } : unnamed;
    const input = {
      params: event.pathParameters,
      query: event.queryStringParameters,
      body: event.body as unknown,
      ifMatch: route.ifMatch && parseIfMatch(event.headers["if-match"]),
      caller,
      bearer: (event.requestContext as { authorizer?: { lambda?: unknown } }).authorizer?.lambda,
      now: context.now,
      headers: event.headers,
      context,
    };
    return toGateway(await answer(input as unknown as Input<C, Bearer>));
  });
  const { key, keys, greedyKeys, publicWith } = route;
  return Object.assign(
    (event: GatewayEvent, lambda: RemainingTime = {}) => handler(withParts(event), lambda as never),
    { route: { key, keys, greedyKeys, ...(publicWith && { publicWith }) } },
  );
}

/** AWS omits the parts that a request does not have; other gateways send null. */
const withParts = (event: GatewayEvent): GatewayEvent => ({
  ...event,
  headers: event.headers ?? {},
  pathParameters: event.pathParameters ?? {},
  queryStringParameters: event.queryStringParameters ?? {},
});

/** The response for an unknown path, equal to the gateway's own. */
const noSuchPath = () => toGateway({ statusCode: 404, body: { message: "Not Found" } });

/** Reads the claims of a valid token. @throws Unauthenticated the token is not valid @throws Unavailable */
type ClaimsReader = (token: string) => Promise<Claims>;

/** Adds the claims of a token that the gateway has not verified, because the route is public there. */
async function withSentToken(event: GatewayEvent, claimsOf: ClaimsReader): Promise<GatewayEvent> {
  const { authorization } = event.headers;
  if (event.requestContext.authorizer || authorization === undefined) return event;
  const claims = await claimsOf(authorization.trim().replace(/^bearer +/i, ""));
  return { ...event, requestContext: { ...event.requestContext, authorizer: { jwt: { claims } } as never } };
}

/**
 * One Lambda entry for several handlers, selected by the gateway's `routeKey`.
 * @param claimsOf verifies the tokens of requests to routes that the stage has made public
 */
export function dispatch(handlers: readonly ApiHandler[], claimsOf?: ClaimsReader) {
  const byKey = new Map(handlers.flatMap((handler) => handler.route.keys.map((key) => [key, handler] as const)));
  const greedyKeys = handlers.flatMap((handler) => handler.route.greedyKeys);
  return async (sent: GatewayEvent, lambda?: RemainingTime): Promise<APIGatewayProxyStructuredResultV2> => {
    const event = withParts(sent);
    const request = contractRequest(event.routeKey, event.pathParameters ?? {}, greedyKeys);
    if (!request) return noSuchPath();
    const isHead = request.key.startsWith("HEAD ");
    const handler = byKey.get(request.key.replace(/^HEAD/, "GET"));
    if (!handler) {
      throw new Error(
        `No handler for the route ${event.routeKey}: name it in dispatch([...]) of the capability's index.ts.`,
      );
    }
    const named = { ...event, pathParameters: request.parameters };
    const answer = async () => {
      if (!claimsOf || !isPublic(handler.route)) return handler(named, lambda);
      try {
        return await handler(await withSentToken(named, claimsOf), lambda);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return toGateway(refusalAnswer(error, event.requestContext.requestId));
      }
    };
    return isHead ? { ...(await answer()), body: "" } : answer();
  };
}
