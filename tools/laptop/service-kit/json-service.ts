/** AWS JSON 1.0 and 1.1 over HTTP: one operation for each request, named by the header `X-Amz-Target`. */
import { randomUUID } from "node:crypto";
import { accessKeyIdOf } from "./authorize.ts";
import { readJsonObject } from "./http-server.ts";
import { type HttpReply, type HttpService, startHttpService } from "./http-service.ts";

/** An error answer, with AWS's name for the error. */
export class ServiceProblem extends Error {
  readonly type: string;
  readonly status: number;

  constructor(type: string, message: string, status = 400) {
    super(message);
    this.type = type;
    this.status = status;
  }
}

/** The fields of a request, as they came. */
export type Fields = Readonly<Record<string, unknown>>;

export interface JsonServiceOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** The service's name in the header, before the operation, for example `AWSEvents`. */
  readonly target: string;
  /** Of the protocol; 1.1 when absent. */
  readonly version?: "1.0" | "1.1";
  /** The operations by name, called with the access key that signed the request. They throw ServiceProblem when the request is wrong. */
  readonly operations: Readonly<Record<string, (fields: Fields, accessKeyId: string) => object | Promise<object>>>;
}

/** Bytes; the requests of these services are far smaller. */
const maximumBody = 16 * 1024 * 1024;

export function startJsonService(options: JsonServiceOptions): Promise<HttpService> {
  const { port, target, version = "1.1", operations } = options;
  const reply = (status: number, body: object, headers: Record<string, string> = {}): HttpReply => ({
    status,
    headers: { "content-type": `application/x-amz-json-${version}`, "x-amzn-requestid": randomUUID(), ...headers },
    body: JSON.stringify(body),
  });
  return startHttpService({
    port,
    maximumBody,
    answer: async ({ method, headers, body }) => {
      try {
        if (method !== "POST") throw unknown("Only POST is served.");
        const [service, name = ""] = String(headers["x-amz-target"] ?? "").split(".");
        const operation = service === target && Object.hasOwn(operations, name) ? operations[name] : undefined;
        if (!operation) throw unknown(`The local stage does not serve the operation ${service}.${name}.`);
        return reply(200, await operation(fieldsIn(body), accessKeyIdOf(headers.authorization)));
      } catch (problem) {
        if (!(problem instanceof ServiceProblem)) throw problem;
        const { type, message, status } = problem;
        return reply(status, { __type: type, message }, { "x-amzn-errortype": type });
      }
    },
  });
}

/** The answer to a caller without permission. @param refusal AWS's message */
export const accessDenied = (refusal: string): ServiceProblem => new ServiceProblem("AccessDeniedException", refusal);

const unknown = (message: string): ServiceProblem => new ServiceProblem("UnknownOperationException", message);

/** The fields of a request's body, undefined for one that is too large. @throws ServiceProblem SerializationException */
export function fieldsIn(body: string | undefined): Fields {
  if (body === undefined) throw new ServiceProblem("RequestEntityTooLargeException", "The request is too large.", 413);
  const fields = readJsonObject(body);
  if (fields) return fields;
  throw new ServiceProblem("SerializationException", "The request body is not a JSON object.");
}
