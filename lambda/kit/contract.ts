/** The contract of a route: the types of the declarations in every `routes.ts`. */
import type { TObject, TProperties, TSchema } from "typebox";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call: `public` needs no token, `caller` is every signed-in person, `admin` is the admin domain only
 * (`docs/contract.md`, "Access"). Every route but the public ones has the gateway's authorizer.
 */
export type Access = "public" | "caller" | "admin";

/** The settings of a stage that make routes public (`lib/stages.ts`). */
export type PublicSetting = "publicEvents" | "publicProfiles";

export interface Contract {
  /** Further paths with the same meaning, kept because the web application calls them. */
  readonly aliases?: readonly string[];
  readonly access: Access;
  /**
   * In a stage with this setting the route needs no token. A token that is sent all the same must be valid
   * (`kit/sent-token.ts`). Only for routes whose access is `caller`.
   */
  readonly publicWith?: PublicSetting;
  readonly summary: string;
  /** Path parameters. Strings become numbers where the schema says so. */
  readonly params?: TObject;
  /** Query parameters. Strings become numbers and booleans where the schema says so. */
  readonly query?: TObject;
  /** JSON body. Strings do not become numbers. */
  readonly body?: TSchema;
  /**
   * Fields of the body that may only repeat a parameter of the path: `{ id: "eventId" }`. They name the thing, and the
   * request cannot change them.
   */
  readonly fixedByPath?: Readonly<Record<string, string>>;
  /**
   * Instead of `body`: the sender has signed the body, and the signature is in the header of this name (lower case).
   * The handler gets the unparsed bytes and the unverified signature.
   */
  readonly signedBody?: string;
  /** The bodies of the answers by their status, for requests that are carried out. */
  readonly responses: Readonly<Record<number, TSchema>>;
  /** `true`: the route honours `Idempotency-Key` (`kit/idempotency.ts`). */
  readonly idempotent?: true;
  /** `true`: the answers have the `ETag` of the record that they show or have written (`kit/etag.ts`). */
  readonly etag?: true;
  /** `true`: the write is made only for a record that fits the header `If-Match`, if the request has one. */
  readonly ifMatch?: true;
  /** `true`: the 200 may also be a table, as `text/csv`. */
  readonly csv?: true;
  /** The codes of the refusals, beside those that every route of its kind may answer (`api/refusals.ts`). */
  readonly refusals?: readonly string[];
  /** Further fields of the body of a refusal, by its code. */
  readonly details?: Readonly<Record<string, TProperties>>;
}
