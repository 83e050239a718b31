/**
 * A typed client of the API, for browsers and Node. Paths, parameters, bodies, responses and errors are those of
 * `docs/openapi.json`; `npm run generate` writes their types. `client/example.ts` shows its use.
 *
 * All runtime code is in this file, and the others are types, because no extension in imports works everywhere: TypeScript
 * accepts `.ts` only in type imports, unless `allowImportingTsExtensions` is set, and Turbopack does not resolve `.js` to
 * a `.ts` file (https://github.com/vercel/next.js/issues/82945).
 */
import createClient from "openapi-fetch";
import type { paths } from "./paths.ts";
import type {
  DataOf,
  InitArgument,
  InitOf,
  KeyedOperation,
  Method,
  Operation,
  PagedPath,
  PathWith,
  ReadAs,
  RefusalCode,
  RefusalOf,
} from "./types.ts";

export type { components, paths } from "./paths.ts";

/** There was no response. The cause is the error of `fetch`. */
const networkError = "NETWORK_ERROR";

/** Every error code of the service, as listed in `docs/contract.md`, and the client's own `NETWORK_ERROR`. */
export type ErrorCode = RefusalCode | typeof networkError;

/**
 * Why a call failed: a refusal of the service, an error of the gateway, or no response. `message` is readable for people.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  /** HTTP status; 0 when there was no response. */
  readonly status: number;
  /** Absent in errors of the gateway (401, 429 and others), which have only a `status`. */
  readonly code: ErrorCode | undefined;
  /** Identifies the request in the service's logs. Absent when there was no response. */
  readonly requestId: string | undefined;
  /** The complete response body, with the fields of the code: `issues`, or the existing `registration`. */
  readonly body: unknown;

  /** @param body the parsed response body */
  constructor(
    { status, headers }: Pick<Response, "status" | "headers">,
    body: unknown,
    { code, cause }: { readonly code?: ErrorCode; readonly cause?: unknown } = {},
  ) {
    const said = (typeof body === "object" && body !== null ? body : {}) as Partial<Record<string, string>>;
    super(said.message ?? `The API answered ${status}.`);
    // The constructor takes no cause in the library of ES2020, which Vite 5 and 6 choose.
    if (cause !== undefined) Object.assign(this, { cause });
    this.status = status;
    this.code = code ?? (said.code as ErrorCode | undefined);
    this.requestId = said.requestId ?? headers.get("apigw-requestid") ?? undefined;
    this.body = body;
  }
}

type CodeOf<Body> = Body extends { code: infer Code extends ErrorCode } ? Code : undefined;

/** The errors of one route: `code` is one of those in the reference, and determines the type of `body`. */
export type RouteError<M extends Method, P extends PathWith<M>> =
  | (RefusalOf<Operation<P, M>> extends infer Body
      ? Body extends unknown
        ? ApiError & { readonly code: CodeOf<Body>; readonly body: Body }
        : never
      : never)
  | (ApiError & { readonly code: typeof networkError });

/** The result of a call: data, or an error. */
export type Result<Data, Failure = ApiError> =
  | { readonly data: Data; readonly error?: undefined; readonly response: Response }
  | { readonly data?: undefined; readonly error: Failure; readonly response?: Response | undefined };

/** A call of one method, with the path and the route's input. */
type Call<M extends Method> = <P extends PathWith<M>, As extends keyof ReadAs<unknown> = "json">(
  path: P,
  ...init: InitArgument<InitOf<Operation<P, M>, As>>
) => Promise<Result<ReadAs<DataOf<Operation<P, M>>>[As], RouteError<M, P>>>;

/** The pages of a list. */
type Pages = <P extends PagedPath>(
  path: P,
  ...init: InitArgument<InitOf<Operation<P, "get">, "json">>
) => AsyncGenerator<DataOf<Operation<P, "get">>, void, undefined>;

export interface RetryOptions {
  /** Maximum tries, by default 4. In browsers, at most two without a response, until the API has answered once. */
  readonly maxTries?: number | undefined;
  /** Sends a request, by default `fetch`. A `TypeError` means that there was no response, as with `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Waits between two tries, and rejects when the signal is aborted. For tests. */
  readonly pause?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

export interface ClubClientOptions extends RetryOptions {
  /** Base URL of the API. */
  readonly baseUrl: string;
  /**
   * Returns the ID token of the signed-in person, before each try of a request. With Amplify:
   * `async () => (await fetchAuthSession()).tokens?.idToken?.toString()`
   */
  readonly token?: () => Promise<string | undefined> | string | undefined;
  /** Operations that get a key, such as `POST /registrations`; by default those of the reference. For tests. */
  readonly keyed?: readonly string[];
}

/**
 * The client. A call resolves to `{ data, response }`, or to `{ error }` with an `ApiError` whose `code` is one of the
 * route's. Writes that accept an `Idempotency-Key` get a random one, unless the caller sets one
 * (`headers: { "idempotency-key": key }`); with a key they are retried even when their outcome is unknown.
 */
export interface ClubClient {
  readonly GET: Call<"get">;
  readonly POST: Call<"post">;
  readonly PUT: Call<"put">;
  readonly PATCH: Call<"patch">;
  readonly DELETE: Call<"delete">;
  /**
   * Iterates over the pages of a list: `for await (const events of api.pages("/events")) …`. Throws the `ApiError` of a
   * failed page.
   */
  readonly pages: Pages;
}

/** The operations that get a key. The compiler compares them with those of the reference. */
const keyedOperations: Readonly<Record<KeyedOperation, true>> = {
  "POST /btx/market/buy": true,
  "POST /btx/market/sell": true,
  "POST /emails/send": true,
  "POST /links/registration": true,
  "POST /members/grant": true,
  "POST /payments": true,
  "POST /payments/by-hand": true,
  "POST /payments/{paymentId}/decisions": true,
  "POST /payments/{paymentId}/refunds": true,
  "POST /payments/{paymentId}/reversals": true,
  "POST /payments/journal/closings": true,
  "POST /registrations": true,
};

const keyHeader = "idempotency-key";

const usualTries = 4;
/** Maximum tries of a request that the browser may have blocked because of the page's origin: it would block it again. */
const maxMaybeRefused = 2;
/** Milliseconds. */
const shortestPause = 500;
/** Milliseconds. The service requests no longer pause. */
const longestPause = 30_000;
/** Milliseconds for which the client waits for a request that is still in progress. None takes longer. */
const longestUnderWay = 35_000;

const pauseFor = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });

/** Milliseconds of `Retry-After`; undefined without that header. */
function askedPause({ headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0) * 1_000, longestPause) : undefined;
}

/** Half a second, then one, then two, each with up to 50% jitter, so that a crowd does not retry simultaneously. */
const ownPause = (tries: number): number =>
  Math.min(shortestPause * 2 ** (tries - 1) * (1 + Math.random() / 2), longestPause);

/** Reads the complete body: an aborted body counts as no response. */
async function whole(response: Response): Promise<Response> {
  const { status, statusText, headers } = response;
  const body = await response.arrayBuffer();
  return new Response(body.byteLength === 0 ? null : body, { status, statusText, headers });
}

async function isUnderWay(response: Response): Promise<boolean> {
  if (response.status !== 409 || askedPause(response) === undefined) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return (body as { readonly code?: unknown } | undefined)?.code === "REQUEST_IN_PROGRESS";
}

/** The result of one try: a response, or the error of `fetch`. */
interface Tried {
  readonly response?: Response | undefined;
  readonly failure?: unknown;
}

/** @param send as in `RetryOptions` */
async function tried(request: Request, send: NonNullable<RetryOptions["fetch"]>): Promise<Tried> {
  try {
    // A request can be sent only once, so each try sends a clone.
    return { response: await whole(await send(request.clone())) };
  } catch (failure) {
    // Compared by name, because the error may be from another frame.
    if ((failure as Error).name === "TypeError") return { failure };
    throw failure;
  }
}

/** The origin of the page, if the request needs CORS; undefined in Node. */
function askingOrigin({ url }: Request): string | undefined {
  const { location } = globalThis as { readonly location?: { readonly origin: string } };
  return location?.origin === new URL(url).origin ? undefined : location?.origin;
}

/** Decides after each try whether and when to retry a request. */
class RetryPolicy {
  readonly #hasKey: boolean;
  /** Whether the request may be carried out twice: it reads, or it has a key. */
  readonly #isSafe: boolean;
  readonly #maxTries: number;
  readonly #maxUnanswered: number;
  #tries = 0;
  #underWay = 0;

  /** @param mayBeRefused whether the API may take no calls from pages of this origin */
  constructor(request: Request, maxTries: number, mayBeRefused: boolean) {
    this.#hasKey = request.headers.has(keyHeader);
    this.#isSafe = this.#hasKey || request.method === "GET";
    this.#maxUnanswered = mayBeRefused ? maxMaybeRefused : maxTries;
    this.#maxTries = maxTries;
  }

  /** Milliseconds until the retry; undefined for no retry. */
  async pauseAfter({ response }: Tried): Promise<number | undefined> {
    if (this.#hasKey && response && (await isUnderWay(response))) return this.#pauseUnderWay(response);
    this.#tries += 1;
    if (this.#tries >= this.#maxTries) return undefined;
    if (response === undefined && this.#tries >= this.#maxUnanswered) return undefined;
    const asked = response && askedPause(response);
    // The gateway throttled it before the service got it. With `Retry-After`, the service refuses it for longer.
    if (response?.status === 429) return asked === undefined ? ownPause(this.#tries) : undefined;
    if (response !== undefined && response.status !== 503) return undefined;
    // With `Retry-After` nothing was written. Without it, the request may have been executed.
    return asked ?? (this.#isSafe ? ownPause(this.#tries) : undefined);
  }

  /** A try that finds an earlier one in progress is not counted. */
  #pauseUnderWay(response: Response): number | undefined {
    if (this.#underWay >= longestUnderWay) return undefined;
    const milliseconds = Math.max(askedPause(response) ?? 0, shortestPause);
    this.#underWay += milliseconds;
    return milliseconds;
  }
}

/**
 * The error of a request without a response. Pages cannot distinguish a network error from a forbidden origin, nor from an
 * error of the gateway itself, which may lack the CORS headers that AWS promises for answers of functions only
 * (https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-cors.html).
 */
function unreachable(request: Request, cause: unknown, hasAnswered: boolean): ApiError {
  const api = new URL(request.url).origin;
  const page = askingOrigin(request);
  const message =
    page === undefined
      ? `The API at ${api} cannot be reached.`
      : hasAnswered
        ? `The API at ${api} cannot be reached, has too many requests, or wants a new sign-in.`
        : `The API at ${api} cannot be reached, wants a new sign-in, or takes no calls from pages of ${page}: then that ` +
          "origin is missing in ALLOWED_ORIGINS of the local stage, or in allowedOrigins of the deployed one.";
  return new ApiError({ status: 0, headers: new Headers() }, { message }, { code: networkError, cause });
}

/**
 * A `fetch` that retries when that is safe and useful.
 * @param beforeRetry may change the headers of the request
 * @throws ApiError there was no response
 */
export function retryingFetch(
  { maxTries = usualTries, fetch: send = fetch, pause = pauseFor }: RetryOptions,
  beforeRetry?: (request: Request) => Promise<void>,
) {
  let hasAnswered = false;
  return async (request: Request): Promise<Response> => {
    const policy = new RetryPolicy(request, maxTries, !hasAnswered && askingOrigin(request) !== undefined);
    for (;;) {
      const { response, failure } = await tried(request, send);
      hasAnswered ||= response !== undefined;
      const milliseconds = await policy.pauseAfter({ response, failure });
      if (milliseconds !== undefined) {
        await pause(milliseconds, request.signal);
        await beforeRetry?.(request);
      } else if (response) return response;
      else throw unreachable(request, failure, hasAnswered);
    }
  };
}

export function clubClient({
  baseUrl,
  token,
  keyed = Object.keys(keyedOperations),
  ...retries
}: ClubClientOptions): ClubClient {
  async function authorize(request: Request): Promise<void> {
    const idToken = await token?.();
    if (idToken) request.headers.set("authorization", `Bearer ${idToken}`);
  }
  const client = createClient<paths>({ baseUrl, fetch: retryingFetch(retries, authorize) });
  client.use({
    async onRequest({ request, schemaPath }) {
      await authorize(request);
      const needsKey = keyed.includes(`${request.method} ${schemaPath}`) && !request.headers.has(keyHeader);
      if (needsKey) request.headers.set(keyHeader, crypto.randomUUID());
      return request;
    },
  });

  async function call(method: Method, path: string, init: object = {}): Promise<Result<unknown>> {
    try {
      // The types of the calls are those of `ClubClient`.
      const { data, error, response } = await client.request(method, path as never, init as never);
      return response.ok ? { data, response } : { error: new ApiError(response, error), response };
    } catch (error) {
      if (error instanceof ApiError) return { error };
      throw error;
    }
  }

  async function* pages(path: string, init: { readonly params?: { readonly query?: object } } = {}) {
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const query = { ...init.params?.query, ...(cursor !== undefined && { cursor }) };
      const { data, error, response } = await call("get", path, { ...init, params: { ...init.params, query } });
      if (error) throw error;
      yield data;
      cursor = response.headers.get("x-next-cursor");
    }
  }

  const calling = (method: Method) => (path: string, init?: object) => call(method, path, init);
  return {
    GET: calling("get"),
    POST: calling("post"),
    PUT: calling("put"),
    PATCH: calling("patch"),
    DELETE: calling("delete"),
    pages,
  } as ClubClient;
}

/** The data of a result: `const { registration } = await unwrap(api.POST(…))`. @throws ApiError the call failed */
export async function unwrap<Data>(result: Result<Data> | Promise<Result<Data>>): Promise<Data> {
  const { data, error } = await result;
  if (error) throw error;
  return data as Data;
}
