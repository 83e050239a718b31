import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { JWK } from "jose";
import { readBody, readJsonObject } from "../service-kit/http-server.ts";
import { confirmPage, isConfirmPage } from "./confirm-page.ts";
import { accountOperations } from "./operations/account.ts";
import { administrationOperations } from "./operations/administration.ts";
import { forgottenPasswordOperations } from "./operations/forgotten-password.ts";
import { mfaOperations } from "./operations/mfa.ts";
import { signInOperations } from "./operations/sign-in.ts";
import { signOutOperations } from "./operations/sign-out.ts";
import { signUpOperations } from "./operations/sign-up.ts";
import type { Operation, Pool } from "./pool/pool.ts";
import { IdentityProblem } from "./pool/problem.ts";
import type { Fields } from "./pool/request-fields.ts";

const TARGET_PREFIX = "AWSCognitoIdentityProviderService.";
/** Bytes; a real request has at most a few kilobytes of token. */
const MAXIMUM_BODY = 128 * 1024;

const operations: ReadonlyMap<string, Operation> = new Map(
  [
    signUpOperations,
    forgottenPasswordOperations,
    signInOperations,
    accountOperations,
    mfaOperations,
    signOutOperations,
  ].flatMap((part) => Object.entries(part)),
);

const signedOperations: ReadonlyMap<string, Operation> = new Map(Object.entries(administrationOperations));

/** The documents that token verifiers fetch, and the check of signed requests. */
export interface Discovery {
  poolId: string;
  issuer: string;
  jwks: { keys: JWK[] };
  /** Whether an `Authorization` header belongs to one of the account's own functions. */
  isSigned(authorization: string): boolean;
  /** Authorizes a signed request. @returns AWS's error message when its signer may not do this operation */
  refusalOf(authorization: string, operation: string): string | undefined;
}

/** Makes the HTTP server of a pool; it does not listen yet. */
export function createIdentityServer(pool: Pool, discovery: Discovery): Server {
  return createServer((request, response) => {
    answer(pool, discovery, request, response).catch((problem: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(response, problem);
    });
  });
}

async function answer(
  pool: Pool,
  discovery: Discovery,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.setHeader("x-amzn-requestid", randomUUID());
  response.setHeader("access-control-allow-origin", "*");
  response.setHeader("access-control-expose-headers", "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date");
  if (request.method === "OPTIONS") return preflight(request, response);
  if (request.method === "GET" && isConfirmPage(request.url)) return confirm(pool, request, response);
  if (request.method === "GET") return send(response, 200, "application/json", document(discovery, request));
  if (request.method !== "POST") throw new IdentityProblem("UnknownOperationException", "Only POST is served.", 405);

  const body = await readBody(request, MAXIMUM_BODY);
  if (!body) throw new IdentityProblem("RequestEntityTooLargeException", "The request is too large.", 413);
  const operation = operationOf(discovery, request);
  send(response, 200, "application/x-amz-json-1.1", await operation(pool, fieldsOf(body)));
}

/**
 * @throws IdentityProblem UnknownOperationException; for an operation that must be signed also
 * MissingAuthenticationTokenException and AccessDeniedException
 */
function operationOf(discovery: Discovery, request: IncomingMessage): Operation {
  const target = String(request.headers["x-amz-target"] ?? "");
  const name = target.startsWith(TARGET_PREFIX) ? target.slice(TARGET_PREFIX.length) : "";
  const signed = signedOperations.get(name);
  const { authorization = "" } = request.headers;
  if (signed && !discovery.isSigned(authorization)) {
    throw new IdentityProblem("MissingAuthenticationTokenException", "Missing Authentication Token");
  }
  const refusal = signed && discovery.refusalOf(authorization, name);
  if (refusal) throw new IdentityProblem("AccessDeniedException", refusal);
  const operation = signed ?? operations.get(name);
  if (!operation)
    throw new IdentityProblem("UnknownOperationException", "The local stage does not serve this operation.");
  return operation;
}

/** @throws IdentityProblem SerializationException */
function fieldsOf(body: Buffer): Fields {
  const fields = readJsonObject(body.toString("utf8"));
  if (!fields) throw new IdentityProblem("SerializationException", "The request body is not a JSON object.");
  return fields;
}

function preflight(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("access-control-allow-methods", "POST, GET, OPTIONS");
  const wanted = request.headers["access-control-request-headers"];
  response.setHeader("access-control-allow-headers", wanted ?? "content-type, x-amz-target, x-amz-user-agent");
  response.setHeader("access-control-max-age", "7200");
  response.writeHead(200).end();
}

/** Opening the link confirms, even when a mail program prefetches it, as in AWS. */
async function confirm(pool: Pool, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body, headers } = await confirmPage(pool, request.url ?? "");
  response.removeHeader("access-control-allow-origin");
  response.writeHead(status, headers).end(body);
}

/** @throws IdentityProblem ResourceNotFoundException */
function document({ poolId, issuer, jwks }: Discovery, request: IncomingMessage): object {
  const [path = ""] = (request.url ?? "").split("?");
  const name = path.startsWith(`/${poolId}/`) ? path.slice(poolId.length + 1) : path;
  if (name === "/.well-known/jwks.json") return jwks;
  if (name === "/.well-known/openid-configuration") {
    return {
      id_token_signing_alg_values_supported: ["RS256"],
      issuer,
      jwks_uri: `http://${request.headers.host}/${poolId}/.well-known/jwks.json`,
      response_types_supported: ["code", "token"],
      scopes_supported: ["openid", "email", "phone", "profile"],
      subject_types_supported: ["public"],
    };
  }
  throw new IdentityProblem("ResourceNotFoundException", "There is no such document.", 404);
}

function refuse(response: ServerResponse, problem: unknown): void {
  const known = problem instanceof IdentityProblem;
  if (!known) console.error("identity: unexpected failure", problem);
  const { type, message, status } = known
    ? problem
    : new IdentityProblem("InternalErrorException", "Internal error", 500);
  response.setHeader("x-amzn-errortype", `${type}:`);
  response.setHeader("x-amzn-errormessage", message.replace(/[^\x20-\x7e]/g, "?"));
  send(response, status, "application/x-amz-json-1.1", { __type: type, message });
}

function send(response: ServerResponse, status: number, type: string, body: object): void {
  response.writeHead(status, { "content-type": type }).end(JSON.stringify(body));
}
