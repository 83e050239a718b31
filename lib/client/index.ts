/**
 * A typed client of the API, for browsers and Node. Paths, parameters, bodies, answers and errors are those of
 * `docs/openapi.json`; `npm run client` writes their types anew. `lib/client/example.ts` shows it at work.
 */
import createClient from "openapi-fetch";
import { ApiError } from "./api-error.ts";
import { keyedOperations } from "./keyed-operations.ts";
import type { paths } from "./paths.ts";
import { keyHeader, patientFetch, type RetryOptions } from "./retries.ts";
import type { Call, Method, Pages, Result } from "./types.ts";

export { ApiError, type ErrorCode } from "./api-error.ts";
export type { components, paths } from "./paths.ts";
export type { Result } from "./types.ts";

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

/** Makes a client. */
export function clubClient({ baseUrl, token, keyed = keyedOperations, ...retries }: ClubClientOptions): ClubClient {
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
