/**
 * A route as data. The CDK constructs, the dispatcher, the local stage, the reference (`tools/reference`) and the test of
 * `docs/contract.md` use the same declaration. In bundles, the build replaces the `routes.ts` of a capability with the same
 * routes with compiled validators. Elsewhere (tests, synthesis) validators are compiled on first use.
 */
import type { Static, TSchema } from "typebox";
import { compileValidator } from "../schema/compile.ts";
import type { RequestValidator } from "../schema/validation.ts";
import type { Contract, Method, Owner } from "./contract.ts";
import type { IfMatch } from "./etag.ts";
import { gatewayKey, needsGreed, withoutGreed } from "./gateway-key.ts";

/** A body whose signature is not verified yet. */
export interface SignedBody {
  /** The body as sent. */
  readonly bytes: Uint8Array;
  /** Undefined when the header is missing. */
  readonly signature: string | undefined;
}

type Shape<S> = S extends TSchema ? Static<S> : undefined;

/** The input that a handler of this route gets. */
export interface RouteInput<C extends Contract> {
  readonly params: Shape<C["params"]>;
  readonly query: Shape<C["query"]>;
  readonly body: C["signedBody"] extends string ? SignedBody : Shape<C["body"]>;
  /** Undefined also when the request has no such header. */
  readonly ifMatch: C["ifMatch"] extends true ? IfMatch | undefined : undefined;
}

export type Route<C extends Contract = Contract> = C & {
  /** `METHOD /path`, as in the contract. */
  readonly key: string;
  readonly method: Method;
  /** Path with `{parameters}`. */
  readonly path: string;
  /** The key and those of the aliases. */
  readonly keys: readonly string[];
  /** The keys in the form that API Gateway accepts, with those for HEAD. */
  readonly gatewayKeys: readonly string[];
  /** The declared keys that need a greedy route there. */
  readonly greedyKeys: readonly string[];
  readonly validate: RequestValidator;
};

/** The parts of a declaration that bundles keep, apart from the validator. The rest is documentation. */
export const keptParts = [
  "key",
  "keys",
  "greedyKeys",
  "access",
  "publicWith",
  "owner",
  "signedBody",
  "ifMatch",
] as const;
/** What the wrapper of a handler may read of its route. */
export type KeptRoute = Pick<Route, (typeof keptParts)[number] | "validate">;

type KeysOf<S> = Shape<S> extends infer T ? (T extends unknown ? keyof T : never) : never;
type NamesPerson<K, C extends Contract> = K extends `${string}{email${string}`
  ? true
  : "email" extends KeysOf<C["params"]> | KeysOf<C["query"]> | KeysOf<C["body"]>
    ? true
    : false;

/** Demands an `owner` (`contract.ts`) of a route whose requests name a person, unless only admins may call it. */
type OwnerDeclared<K, C extends Contract> = C["access"] extends "admin"
  ? { readonly owner?: never }
  : NamesPerson<K, C> extends true
    ? { readonly owner: C["access"] extends "caller" ? Owner : { readonly who: "anybody" } }
    : unknown;

/**
 * @param key `METHOD /path` with `{parameters}`, as in API Gateway and `docs/contract.md`. A last parameter that is ignored
 * is greedy, `{name+}`: it may be empty and contain slashes.
 */
export function route<const C extends Contract, K extends `${Method} /${string}`>(
  key: K,
  contract: C & OwnerDeclared<K, C>,
): Route<C> {
  const [method, path] = key.split(" ", 2) as [Method, string];
  const declared = [path, ...(contract.aliases ?? [])].map((one) => `${method} ${one}`);
  // "GET" matches no HEAD request: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
  const heads = contract.head ? declared.map((one) => one.replace("GET", "HEAD")) : [];
  let validator: RequestValidator | undefined;
  return {
    ...contract,
    key: withoutGreed(key),
    method,
    path: withoutGreed(path),
    keys: declared.map(withoutGreed),
    gatewayKeys: [...declared, ...heads].map(gatewayKey),
    greedyKeys: declared.filter(needsGreed),
    get validate() {
      validator ??= compileValidator(contract);
      return validator;
    },
  };
}
