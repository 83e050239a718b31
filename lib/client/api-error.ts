/** The one error of the client: a refusal of the service, an answer of the gateway, or no answer at all. */
import type { components } from "./paths.ts";

type Schemas = components["schemas"];

/** No answer came. The cause is the error of `fetch`. */
const networkError = "NETWORK_ERROR";

/** Every code that the service answers, as `docs/contract.md` lists them, and `NETWORK_ERROR` of the client itself. */
export type ErrorCode =
  | Extract<Schemas[keyof Schemas], { code: string; requestId: string }>["code"]
  | typeof networkError;

type CodeOf<Body> = Body extends { code: infer Code extends ErrorCode } ? Code : undefined;

/**
 * Why a call did not succeed. `message` is a sentence that a person can read.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** Absent in answers of the gateway (401, 429 and others): `status` says what they are. */
  readonly code: ErrorCode | undefined;
  /** Names the request in the logs of the service. Absent when no answer came. */
  readonly requestId: string | undefined;
  /** The whole body of the answer, with what a code brings along: `issues`, or the existing `registration`. */
  readonly body: unknown;

  /** @param body the parsed body of the answer */
  constructor(
    { status, headers }: Pick<Response, "status" | "headers">,
    body: unknown,
    { code, cause }: { readonly code?: ErrorCode; readonly cause?: unknown } = {},
  ) {
    const said = (typeof body === "object" && body !== null ? body : {}) as Partial<Record<string, string>>;
    super(said.message ?? `The API answered ${status}.`, { cause });
    this.status = status;
    this.code = code ?? (said.code as ErrorCode | undefined);
    this.requestId = said.requestId ?? headers.get("apigw-requestid") ?? undefined;
    this.body = body;
  }
}

/** The error of a call that got no answer. */
export const unreachable = (cause: unknown): ApiError =>
  new ApiError(
    { status: 0, headers: new Headers() },
    { message: "The API cannot be reached." },
    { code: networkError, cause },
  );

/** The errors of one route: `code` is one of those that the reference lists, and decides what `body` is. */
export type RouteError<Body> =
  | (Body extends unknown ? ApiError & { readonly code: CodeOf<Body>; readonly body: Body } : never)
  | (ApiError & { readonly code: typeof networkError });
