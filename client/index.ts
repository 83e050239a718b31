/**
 * A typed client of the API, for browsers and Node. Paths, parameters, bodies, answers and errors are those of
 * `docs/openapi.json`; `npm run generate` writes their types. `client/example.ts` shows it at work.
 *
 * All that runs is in this file, and the others are types, because no ending of an import suits everybody: TypeScript
 * takes `.ts` in imports of types only, unless `allowImportingTsExtensions` is set, and Turbopack finds no `.ts` file
 * under the name `.js` (https://github.com/vercel/next.js/issues/82945).
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

/** No answer came. The cause is the error of `fetch`. */
const networkError = "NETWORK_ERROR";

/** Every code that the service answers, as `docs/contract.md` lists them, and `NETWORK_ERROR` of the client itself. */
export type ErrorCode = RefusalCode | typeof networkError;

/**
 * Why a call did not succeed: a refusal of the service, an answer of the gateway, or no answer at all. `message` is a
 * sentence that a person can read.
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

type CodeOf<Body> = Body extends { code: infer Code extends ErrorCode } ? Code : undefined;

/** The errors of one route: `code` is one of those that the reference lists, and decides what `body` is. */
export type RouteError<M extends Method, P extends PathWith<M>> =
  | (RefusalOf<Operation<P, M>> extends infer Body
      ? Body extends unknown
        ? ApiError & { readonly code: CodeOf<Body>; readonly body: Body }
        : never
      : never)
  | (ApiError & { readonly code: typeof networkError });

/** What a call resolves to: the answer, or the reason why there is none. */
export type Result<Data, Failure = ApiError> =
  | { readonly data: Data; readonly error?: undefined; readonly response: Response }
  | { readonly data?: undefined; readonly error: Failure; readonly response?: Response | undefined };

/** A call of one method: path, then what the route takes. */
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
  /** How often a request is sent at most; 4 when absent. A page sends one without an answer twice at most. */
  readonly maxTries?: number | undefined;
  /** Sends a request; `fetch` when absent. A `TypeError` means that no answer came, as with `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Waits between two tries, and rejects when the signal is aborted. For tests. */
  readonly pause?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

export interface ClubClientOptions extends RetryOptions {
  /** Address of the API. */
  readonly baseUrl: string;
  /**
   * Gives the ID token of the signed-in person, before each request. With Amplify:
   * `async () => (await fetchAuthSession()).tokens?.idToken?.toString()`
   */
  readonly token?: () => Promise<string | undefined> | string | undefined;
  /** Operations that get a key, as `POST /registrations`; those of the reference when absent. For tests. */
  readonly keyed?: readonly string[];
}

/**
 * The client. A call resolves to `{ data, response }`, or to `{ error }` with an `ApiError` whose `code` is one of the
 * route's. Requests that change something and take an `Idempotency-Key` get a random one, if the caller gives none
 * (`headers: { "idempotency-key": key }`); with it they are sent again also when their outcome is unknown.
 */
export interface ClubClient {
  readonly GET: Call<"get">;
  readonly POST: Call<"post">;
  readonly PUT: Call<"put">;
  readonly PATCH: Call<"patch">;
  readonly DELETE: Call<"delete">;
  /**
   * The pages of a list, one after the other: `for await (const events of api.pages("/events")) …`. The iteration
   * throws the `ApiError` of a page that is refused.
   */
  readonly pages: Pages;
}

/** The operations that get a key. The compiler compares them with those of the reference. */
const keyedOperations: Readonly<Record<KeyedOperation, true>> = {
  "POST /btx/market/buy": true,
  "POST /btx/market/sell": true,
  "POST /emails/send": true,
  "POST /members/grant": true,
  "POST /payments": true,
  "POST /registrations": true,
};

/** The name of the header that lets the service recognise a repeated request. */
const keyHeader = "idempotency-key";

const usualTries = 4;
/** How often a request is sent at most that a browser may have refused for its origin: it would refuse it again. */
const maxMaybeRefused = 2;
/** Milliseconds. */
const shortestPause = 500;
/** Milliseconds: no answer asks for a longer pause. */
const longestPause = 30_000;
/** Milliseconds that the client waits for the end of a request that is still under way. None takes longer. */
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

/** Half a second, then one, then two, and up to half as much again: a crowd does not come back at one moment. */
const ownPause = (tries: number): number =>
  Math.min(shortestPause * 2 ** (tries - 1) * (1 + Math.random() / 2), longestPause);

/** A response whose body is here: a body that breaks off counts as no answer. */
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

/** What came of one try: a response, or the error of `fetch`. */
interface Tried {
  readonly response?: Response | undefined;
  readonly failure?: unknown;
}

/** @param send as in `RetryOptions` */
async function tried(request: Request, send: NonNullable<RetryOptions["fetch"]>): Promise<Tried> {
  try {
    // A request can be sent once only, so each try sends a copy.
    return { response: await whole(await send(request.clone())) };
  } catch (failure) {
    // By its name, because the error may come from another frame.
    if ((failure as Error).name === "TypeError") return { failure };
    throw failure;
  }
}

/** The origin of the page that sends the request, when the API must allow it; undefined in Node. */
function askingOrigin({ url }: Request): string | undefined {
  const { location } = globalThis as { readonly location?: { readonly origin: string } };
  return location?.origin === new URL(url).origin ? undefined : location?.origin;
}

/** Decides about one request after each of its tries. */
class Patience {
  readonly #hasKey: boolean;
  /** Whether the request may be carried out twice: it reads, or it has a key. */
  readonly #isSafe: boolean;
  readonly #maxTries: number;
  readonly #maxUnanswered: number;
  #tries = 0;
  #underWay = 0;

  constructor(request: Request, maxTries: number) {
    this.#hasKey = request.headers.has(keyHeader);
    this.#isSafe = this.#hasKey || request.method === "GET";
    this.#maxUnanswered = askingOrigin(request) === undefined ? maxTries : maxMaybeRefused;
    this.#maxTries = maxTries;
  }

  /** Milliseconds until the same request makes sense again; undefined when it does not. */
  async pauseAfter({ response }: Tried): Promise<number | undefined> {
    if (this.#hasKey && response && (await isUnderWay(response))) return this.#pauseUnderWay(response);
    this.#tries += 1;
    if (this.#tries >= this.#maxTries) return undefined;
    if (response === undefined && this.#tries >= this.#maxUnanswered) return undefined;
    const asked = response && askedPause(response);
    // The gateway turned it away before the service saw it. With `Retry-After` the service itself says: not this hour.
    if (response?.status === 429) return asked === undefined ? ownPause(this.#tries) : undefined;
    if (response !== undefined && response.status !== 503) return undefined;
    // With `Retry-After` the service says that nothing was written. Without it, the request may have been carried out.
    return asked ?? (this.#isSafe ? ownPause(this.#tries) : undefined);
  }

  /** A try that only finds the first one at work is not counted. */
  #pauseUnderWay(response: Response): number | undefined {
    if (this.#underWay >= longestUnderWay) return undefined;
    const milliseconds = Math.max(askedPause(response) ?? 0, shortestPause);
    this.#underWay += milliseconds;
    return milliseconds;
  }
}

/** The error of a request that got no answer. A page is told as little of a refused origin as of a broken network. */
function unreachable(request: Request, cause: unknown): ApiError {
  const api = new URL(request.url).origin;
  const page = askingOrigin(request);
  const message =
    page === undefined
      ? `The API at ${api} cannot be reached.`
      : `The API at ${api} cannot be reached, or takes no calls from pages of ${page}: then that origin is missing in ` +
        "ALLOWED_ORIGINS of the local stage, or in allowedOrigins of the deployed one.";
  return new ApiError({ status: 0, headers: new Headers() }, { message }, { code: networkError, cause });
}

/** A `fetch` that sends a request again while that is safe and makes sense. @throws ApiError when no answer came */
export function patientFetch({ maxTries = usualTries, fetch: send = fetch, pause = pauseFor }: RetryOptions) {
  return async (request: Request): Promise<Response> => {
    const patience = new Patience(request, maxTries);
    for (;;) {
      const { response, failure } = await tried(request, send);
      const milliseconds = await patience.pauseAfter({ response, failure });
      if (milliseconds !== undefined) await pause(milliseconds, request.signal);
      else if (response) return response;
      else throw unreachable(request, failure);
    }
  };
}

/** Makes a client. */
export function clubClient({
  baseUrl,
  token,
  keyed = Object.keys(keyedOperations),
  ...retries
}: ClubClientOptions): ClubClient {
  const client = createClient<paths>({ baseUrl, fetch: patientFetch(retries) });
  client.use({
    async onRequest({ request, schemaPath }) {
      const idToken = await token?.();
      if (idToken) request.headers.set("authorization", `Bearer ${idToken}`);
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

/** The data of an answer: `const { registration } = await unwrap(api.POST(…))`. @throws ApiError when it was refused */
export async function unwrap<Data>(result: Result<Data> | Promise<Result<Data>>): Promise<Data> {
  const { data, error } = await result;
  if (error) throw error;
  return data as Data;
}
