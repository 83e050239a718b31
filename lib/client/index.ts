/**
 * A typed client of the API, for browsers and Node. Paths, parameters, bodies and answers are those of
 * `docs/openapi.json`; `npm run client` writes their types anew.
 */
import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./paths.ts";

export type { paths } from "./paths.ts";

/** The client: `await api.GET("/events/{eventId}/{year}", { params: { path: { eventId: "gala", year: 2030 } } })`. */
export type ClubClient = Client<paths>;

export interface ClubClientOptions {
  /** Address of the API, without a slash at the end. */
  readonly baseUrl: string;
  /**
   * Gives the ID token of the signed-in person, before each request. With Amplify:
   * `async () => (await fetchAuthSession()).tokens?.idToken?.toString()`
   */
  readonly token?: () => Promise<string | undefined> | string | undefined;
  /** How often a request is sent at most; 4 when absent. */
  readonly mostTries?: number;
  /** Sends a request; `fetch` when absent. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Waits between two tries. For tests. */
  readonly pause?: (milliseconds: number) => Promise<void>;
}

const usualTries = 4;
/** No answer asks for a longer pause. */
const longestPause = 30_000;

const pauseFor = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

/**
 * Milliseconds until the same request makes sense again; undefined when it does not. A 503 without `Retry-After` may have
 * been carried out: the caller looks before the next try. A 429 never reached the service.
 */
function pauseAfter({ status, headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  if (status === 503 && Number.isFinite(seconds)) return Math.min(seconds * 1_000, longestPause);
  return status === 429 ? 1_000 : undefined;
}

/** A `fetch` that sends a request again while the service asks for it. */
function patientFetch({ mostTries = usualTries, fetch: send = fetch, pause = pauseFor }: ClubClientOptions) {
  return async (request: Request): Promise<Response> => {
    for (let tries = 1; ; tries += 1) {
      // A request can be sent once only, so each try sends a copy.
      const response = await send(request.clone());
      const milliseconds = pauseAfter(response);
      if (milliseconds === undefined || tries >= mostTries) return response;
      await response.body?.cancel();
      await pause(milliseconds);
    }
  };
}

/** Makes a client. Its calls resolve to `{ data, response }`, or for a refused request to `{ error, response }`. */
export function clubClient(options: ClubClientOptions): ClubClient {
  const client = createClient<paths>({ baseUrl: options.baseUrl, fetch: patientFetch(options) });
  client.use({
    async onRequest({ request }) {
      const token = await options.token?.();
      if (token) request.headers.set("authorization", `Bearer ${token}`);
      return request;
    },
  });
  return client;
}

/** A result of the client. */
interface Result {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** An answer that is no page: the request was refused. */
export class PageRefused extends Error {
  readonly status: number;
  /** The body of the answer. */
  readonly problem: unknown;
  constructor(status: number, problem: unknown) {
    super(`The list ended with status ${status}: ${(problem as { message?: string } | undefined)?.message ?? ""}`);
    this.status = status;
    this.problem = problem;
  }
}

/**
 * The pages of a list, one after the other:
 * `for await (const events of pages((cursor) => api.GET("/events", { params: { query: { cursor } } })))`.
 * @throws PageRefused when a page is refused
 */
export async function* pages<R extends Result>(
  read: (cursor: string | undefined) => Promise<R>,
): AsyncGenerator<NonNullable<R["data"]>, void, undefined> {
  let cursor: string | undefined;
  do {
    const { data, error, response } = await read(cursor);
    if (data === undefined) throw new PageRefused(response.status, error);
    yield data as NonNullable<R["data"]>;
    cursor = response.headers.get("x-next-cursor") ?? undefined;
  } while (cursor !== undefined);
}
