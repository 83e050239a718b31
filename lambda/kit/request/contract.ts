/** The contract of a route: the types of the declarations in every `routes.ts`. */
import type { TProperties, TSchema } from "typebox";
import type { RequestSchemas } from "../schema/compile.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call: `public`: everybody, without a token; `caller`: signed-in people; `admin`: the admin domain only; `door`: a
 * device with a token of the service; `link`: who has a sealed link of a mail (`docs/contract.md`, "Access"). Routes for
 * callers and admins have the gateway's authorizer; the function checks devices and links.
 */
export type Access = "public" | "caller" | "admin" | Bearing;

/** Access by a secret that the service has made itself: `Authorization: Door ...` or `Authorization: Link ...`. */
export type Bearing = "door" | "link";

/** The settings of a stage that make routes public (`lib/stages.ts`). */
export type PublicSetting = "publicEvents" | "publicProfiles";

/** A field of a request with a person's email. */
export type PersonField = `${"path" | "query" | "body"}.${string}`;

/**
 * Whose record a request is about. The wrapper enforces it before the handler runs (`owner.ts`).
 *
 * - `self`: the caller's, whatever the request says.
 * - `self unless admin`: an admin's request names any person in the path. All others are about the caller.
 * - `self or admin`: an admin names any person. Another caller's request names only the caller: the first field is the
 *   caller's when it is absent. `foreign` is the message of the 403 for naming another person, or the body of a 200.
 * - `anybody`: any person's, for everybody who may call the route.
 */
export type Owner =
  | { readonly who: "self" | "anybody" }
  | { readonly who: "self unless admin"; readonly of: readonly ["path.email"] }
  | {
      readonly who: "self or admin";
      readonly of: readonly [PersonField, ...PersonField[]];
      readonly foreign: string | object;
    };

export interface Contract extends RequestSchemas {
  /** Alternative paths that the web application calls. */
  readonly aliases?: readonly string[];
  readonly access: Access;
  /**
   * In a stage with this setting the route needs no token. A token that is sent must still be valid
   * (`sent-token.ts`). Only for routes whose access is `caller`.
   */
  readonly publicWith?: PublicSetting;
  /** Required where a request of a caller who need not be an admin has an email. */
  readonly owner?: Owner;
  readonly summary: string;
  /**
   * Instead of `body`: the name (lower case) of the header with the sender's signature of the body. The handler gets the
   * unparsed bytes and the unverified signature.
   */
  readonly signedBody?: string;
  /** The bodies of successful responses, by status. */
  readonly responses: Readonly<Record<number, TSchema>>;
  /** `true`: the route supports `Idempotency-Key` (`idempotency.ts`). */
  readonly idempotent?: true;
  /** `true`: responses have the `ETag` of the record that was read or written (`etag.ts`). */
  readonly etag?: true;
  /** `true`: the write is conditional on the header `If-Match`, if the request has one. */
  readonly ifMatch?: true;
  /** `true`: with the header `If-None-Match` of its `ETag`, an unchanged response is a 304 without a body. */
  readonly ifNoneMatch?: true;
  /** `true`: HEAD is answered, too, as programs ask that do not want the body yet. */
  readonly head?: true;
  /** The 200 is text of this type, not JSON. */
  readonly mediaType?: "text/calendar" | "text/html";
  /** `true`: the 200 may also be `text/csv`. */
  readonly csv?: true;
  /** `true`: the 200 may also be `text/html`. */
  readonly html?: true;
  /** The codes of the route's refusals, in addition to those of every route of its kind (`api/refusals.ts`). */
  readonly refusals?: readonly string[];
  /** For the reference, what the route answers about, if not what its group does. Each of them may be not found. */
  readonly about?: readonly string[];
  /**
   * For the reference, the sentences of a success by its status, where it is not said that what it is about was created,
   * updated or deleted, and those of a refusal by its code, where it says something else than elsewhere.
   */
  readonly says?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Additional fields in the body of a refusal, by code. */
  readonly details?: Readonly<Record<string, TProperties>>;
}
