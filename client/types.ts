/** What the operations of `docs/openapi.json` take and answer, as types. */
import type { FetchOptions } from "openapi-fetch";
import type { components, paths } from "./paths.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

export type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];
export type Operation<P extends keyof paths, M extends Method> = NonNullable<paths[P][M]>;

/** The JSON bodies of the answers with these statuses. */
type BodyOf<Responses, Status extends keyof Responses> = {
  [S in Status]: Responses[S] extends { content: { "application/json": infer Body } } ? Body : never;
}[Status];
/** The statuses of an answer that is no refusal. */
type Done = 200 | 201 | 202;
/** What an operation answers. */
export type DataOf<O> = O extends { responses: infer R } ? BodyOf<R, keyof R & Done> : never;
/** The bodies of an operation's refusals, the gateway's among them. */
export type RefusalOf<O> = O extends { responses: infer R } ? BodyOf<R, Exclude<keyof R, Done>> : never;

/** An answer that is no JSON, such as a table, is read with `parseAs`. */
export interface ReadAs<Data> {
  readonly json: Data;
  readonly text: string;
  readonly blob: Blob;
}

/** Parameters and body of a request, and the options of `fetch`. They may be left out when none is required. */
export type InitOf<O, As> = FetchOptions<O> & { readonly parseAs?: As };
export type InitArgument<Init> = Record<never, never> extends Init ? [init?: Init] : [init: Init];

/** Whether an operation takes this parameter. */
type Takes<O, Place extends "query" | "header", Name> = O extends { parameters: { [K in Place]?: infer All } }
  ? [NonNullable<All>] extends [never]
    ? false
    : Name extends keyof NonNullable<All>
      ? true
      : false
  : false;

/** The lists that come in pages: their query has a cursor. */
export type PagedPath = {
  [P in PathWith<"get">]: Takes<Operation<P, "get">, "query", "cursor"> extends true ? P : never;
}[PathWith<"get">];

/** The operations that take an `Idempotency-Key`, as `POST /registrations`. */
export type KeyedOperation = {
  [M in Method]: {
    [P in PathWith<M>]: Takes<Operation<P, M>, "header", "Idempotency-Key"> extends true
      ? `${Uppercase<M>} ${P}`
      : never;
  }[PathWith<M>];
}[Method];

/** Every code of a refusal. */
export type RefusalCode = Extract<
  components["schemas"][keyof components["schemas"]],
  { code: string; requestId: string }
>["code"];
