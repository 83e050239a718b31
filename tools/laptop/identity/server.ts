/** The pool's HTTP service: its operations, the keys that verifiers of tokens fetch, and the page behind a mailed link. */
import { randomUUID } from "node:crypto";
import type { JWK } from "jose";
import { type HttpReply, type HttpRequest, type HttpService, startHttpService } from "../service-kit/http-service.ts";
import { accessDenied, fieldsIn, ServiceProblem } from "../service-kit/json-service.ts";
import { confirmPage, confirmPath } from "./confirm-page.ts";
import { accountOperations } from "./operations/account.ts";
import { administrationOperations } from "./operations/administration.ts";
import { forgottenPasswordOperations } from "./operations/forgotten-password.ts";
import { mfaOperations } from "./operations/mfa.ts";
import { signInOperations } from "./operations/sign-in.ts";
import { signOutOperations } from "./operations/sign-out.ts";
import { signUpOperations } from "./operations/sign-up.ts";
import type { Operation, Pool } from "./pool/pool.ts";

const targetPrefix = "AWSCognitoIdentityProviderService.";
/** Bytes; a real request has at most a few kilobytes of token. */
const maximumBody = 128 * 1024;

const operations: ReadonlyMap<string, Operation> = new Map(
  Object.entries({
    ...signUpOperations,
    ...forgottenPasswordOperations,
    ...signInOperations,
    ...accountOperations,
    ...mfaOperations,
    ...signOutOperations,
  }),
);

const signedOperations: ReadonlyMap<string, Operation> = new Map(Object.entries(administrationOperations));

export interface IdentityServerOptions {
  /** 0 or absent: any free port. */
  readonly port: number | undefined;
  readonly jwks: { readonly keys: JWK[] };
  /** Whether an `Authorization` header belongs to one of the account's own functions. */
  isSigned(authorization: string): boolean;
  /** Authorizes a signed request. @returns AWS's error message when its signer may not do this operation */
  refusalOf(authorization: string, operation: string): string | undefined;
}

/** What a browser of another origin may read. */
const shared = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "x-amzn-RequestId,x-amzn-ErrorType,x-amzn-ErrorMessage,Date",
};

const reply = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): HttpReply => ({
  status,
  headers: { ...shared, "content-type": "application/x-amz-json-1.1", "x-amzn-requestid": randomUUID(), ...headers },
  body: JSON.stringify(body),
});

/** Serves the pool on the loopback interface. @throws Error when the port is taken */
export function startIdentityServer(pool: Pool, options: IdentityServerOptions): Promise<HttpService> {
  return startHttpService({
    port: options.port,
    maximumBody,
    answer: async (request) => {
      try {
        return await answer(pool, options, request);
      } catch (problem) {
        if (!(problem instanceof ServiceProblem)) throw problem;
        const { type, message, status } = problem;
        const shown = message.replace(/[^\x20-\x7e]/g, "?");
        const headers = { "x-amzn-errortype": `${type}:`, "x-amzn-errormessage": shown };
        return reply(status, { __type: type, message }, headers);
      }
    },
  });
}

async function answer(pool: Pool, options: IdentityServerOptions, request: HttpRequest): Promise<HttpReply> {
  const { method, path, query, headers, body } = request;
  if (method === "OPTIONS") return preflight(headers["access-control-request-headers"]);
  // Cognito's guide has the address of the page with a trailing slash, its mails without. Opening it confirms, even when a mail
  // program prefetches it, as in AWS.
  if (method === "GET" && path.replace(/\/$/, "") === confirmPath) return confirmPage(pool, query);
  if (method === "GET" && path === `/${pool.id}/.well-known/jwks.json`) return reply(200, options.jwks);
  if (method === "GET") throw new ServiceProblem("ResourceNotFoundException", "There is no such document.", 404);
  if (method !== "POST") throw new ServiceProblem("UnknownOperationException", "Only POST is served.", 405);
  const operation = operationOf(options, request);
  return reply(200, await operation(pool, fieldsIn(body)));
}

/**
 * @throws ServiceProblem UnknownOperationException; for an operation that must be signed also
 * MissingAuthenticationTokenException and AccessDeniedException
 */
function operationOf({ isSigned, refusalOf }: IdentityServerOptions, { headers }: HttpRequest): Operation {
  const target = String(headers["x-amz-target"] ?? "");
  const name = target.startsWith(targetPrefix) ? target.slice(targetPrefix.length) : "";
  const signed = signedOperations.get(name);
  const { authorization = "" } = headers;
  if (signed && !isSigned(authorization)) {
    throw new ServiceProblem("MissingAuthenticationTokenException", "Missing Authentication Token");
  }
  const refusal = signed && refusalOf(authorization, name);
  if (refusal) throw accessDenied(refusal);
  const operation = signed ?? operations.get(name);
  if (operation) return operation;
  throw new ServiceProblem("UnknownOperationException", "The local stage does not serve this operation.");
}

const preflight = (wanted = "content-type, x-amz-target, x-amz-user-agent"): HttpReply => ({
  status: 200,
  headers: {
    ...shared,
    "access-control-allow-methods": "POST, GET, OPTIONS",
    "access-control-allow-headers": wanted,
    "access-control-max-age": "7200",
  },
  body: "",
});
