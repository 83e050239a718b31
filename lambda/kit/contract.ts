/** What a route promises: the types of the declarations in every `routes.ts`. */
import type { TObject, TSchema } from "typebox";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Who may call: `public` needs no token, `caller` anybody who is signed in, `admin` the admin domain only. Everything
 * but `public` has the gateway's authorizer.
 */
export type Access = "public" | "caller" | "admin";

export interface Contract {
  readonly method: Method;
  /** Gateway path with `{parameters}`. */
  readonly path: string;
  /** Further paths with the same meaning, kept because the web application calls them. */
  readonly aliases?: readonly string[];
  readonly access: Access;
  readonly summary: string;
  /** Path parameters; strings are made numbers where the schema says so. */
  readonly params?: TObject;
  /** Query parameters; strings are made numbers and booleans where the schema says so. */
  readonly query?: TObject;
  /** JSON body; a number is a number here. */
  readonly body?: TSchema;
  /**
   * Instead of `body`: somebody has signed the body as they sent it, in the header of this name (lower case). The handler
   * gets its bytes, unparsed, and the signature, unverified.
   */
  readonly signedBody?: string;
  readonly responses: Readonly<Record<number, TSchema>>;
}
