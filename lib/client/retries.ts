/** When the client sends a request again, and after which pause (`docs/contract.md`, "Errors"). */
import { unreachable } from "./api-error.ts";

export interface RetryOptions {
  /** How often a request is sent at most; 4 when absent. */
  readonly mostTries?: number | undefined;
  /** Sends a request; `fetch` when absent. A `TypeError` means that no answer came, as with `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Waits between two tries, and rejects when the signal is aborted. For tests. */
  readonly pause?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** The name of the header that lets the service recognise a repeated request. */
export const keyHeader = "idempotency-key";

const usualTries = 4;
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

/** Decides about one request after each of its tries. */
class Patience {
  readonly #hasKey: boolean;
  /** Whether the request may be carried out twice: it reads, or it has a key. */
  readonly #isSafe: boolean;
  readonly #mostTries: number;
  #tries = 0;
  #underWay = 0;

  constructor({ method, headers }: Request, mostTries: number) {
    this.#hasKey = headers.has(keyHeader);
    this.#isSafe = this.#hasKey || method === "GET";
    this.#mostTries = mostTries;
  }

  /** Milliseconds until the same request makes sense again; undefined when it does not. */
  async pauseAfter({ response }: Tried): Promise<number | undefined> {
    if (this.#hasKey && response && (await isUnderWay(response))) return this.#pauseUnderWay(response);
    this.#tries += 1;
    if (this.#tries >= this.#mostTries) return undefined;
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

/** A `fetch` that sends a request again while that is safe and makes sense. @throws ApiError when no answer came */
export function patientFetch({ mostTries = usualTries, fetch: send = fetch, pause = pauseFor }: RetryOptions) {
  return async (request: Request): Promise<Response> => {
    const patience = new Patience(request, mostTries);
    for (;;) {
      const { response, failure } = await tried(request, send);
      const milliseconds = await patience.pauseAfter({ response, failure });
      if (milliseconds !== undefined) await pause(milliseconds, request.signal);
      else if (response) return response;
      else throw unreachable(failure);
    }
  };
}
