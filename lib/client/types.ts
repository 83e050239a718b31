/** The types of the client's calls, made of the types of `docs/openapi.json`. */
import type { FetchOptions } from "openapi-fetch";
import type { ApiError, RouteError } from "./api-error.ts";
import type { paths } from "./paths.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

type PathWith<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, object> ? P : never }[keyof paths];
type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;

/** The JSON bodies of the answers with these statuses. */
type BodyOf<Responses, Status extends keyof Responses> = {
  [S in Status]: Responses[S] extends { content: { "application/json": infer Body } } ? Body : never;
}[Status];
type Done = 200 | 201 | 202;
type DataOf<O> = O extends { responses: infer R } ? BodyOf<R, keyof R & Done> : never;
type RefusalOf<O> = O extends { responses: infer R } ? BodyOf<R, Exclude<keyof R, Done>> : never;

/** An answer that is no JSON, such as a table, is read with `parseAs`. */
interface ReadAs<Data> {
  readonly json: Data;
  readonly text: string;
  readonly blob: Blob;
}

/** Parameters and body of a request, and the options of `fetch`. They may be left out when none is required. */
type InitOf<O, As> = FetchOptions<O> & { readonly parseAs?: As };
type InitArgument<Init> = Record<never, never> extends Init ? [init?: Init] : [init: Init];

/** What a call resolves to: the answer, or the reason why there is none. */
export type Result<Data, Failure = ApiError> =
  | { readonly data: Data; readonly error?: undefined; readonly response: Response }
  | { readonly data?: undefined; readonly error: Failure; readonly response?: Response | undefined };

/** A call of one method: path, then what the route takes. */
export type Call<M extends Method> = <P extends PathWith<M>, As extends keyof ReadAs<unknown> = "json">(
  path: P,
  ...init: InitArgument<InitOf<Operation<P, M>, As>>
) => Promise<Result<ReadAs<DataOf<Operation<P, M>>>[As], RouteError<RefusalOf<Operation<P, M>>>>>;

type QueryOf<P extends PathWith<"get">> =
  Operation<P, "get"> extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never;

/** The lists that come in pages: their query has a cursor. */
type PagedPath = {
  [P in PathWith<"get">]: [QueryOf<P>] extends [never] ? never : "cursor" extends keyof QueryOf<P> ? P : never;
}[PathWith<"get">];

/** The pages of a list. */
export type Pages = <P extends PagedPath>(
  path: P,
  ...init: InitArgument<InitOf<Operation<P, "get">, "json">>
) => AsyncGenerator<DataOf<Operation<P, "get">>, void, undefined>;
