/**
 * A route's contract as data: one declaration that the CDK construct, the dispatcher, the OpenAPI document and the
 * local stage all read. In a bundle the build replaces the `routes.ts` of a capability by the same routes with their
 * validators compiled ahead of time; in source form (tests, synthesis) a validator is compiled when first asked for.
 */
import type { Static, TSchema } from "typebox";
import { compileValidator } from "./compile.ts";
import type { Contract } from "./contract.ts";
import type { RequestValidator } from "./validation.ts";

/** A body whose signature nobody has looked at yet. */
export interface SignedBody {
  /** As they were sent. */
  readonly bytes: Uint8Array;
  /** Undefined when there is none. */
  readonly signature: string | undefined;
}

type Shape<S> = S extends TSchema ? Static<S> : undefined;

/** What a handler of this route receives. */
export interface RouteInput<C extends Contract> {
  readonly params: Shape<C["params"]>;
  readonly query: Shape<C["query"]>;
  readonly body: C["signedBody"] extends string ? SignedBody : Shape<C["body"]>;
}

export type Route<C extends Contract = Contract> = C & {
  /** `METHOD /path`, as the gateway names it. */
  readonly key: string;
  /** The key and those of the aliases. */
  readonly keys: readonly string[];
  readonly validate: RequestValidator;
};

export function route<const C extends Contract>(contract: C): Route<C> {
  const keys = [contract.path, ...(contract.aliases ?? [])].map((path) => `${contract.method} ${path}`);
  let validator: RequestValidator | undefined;
  return {
    ...contract,
    key: `${contract.method} ${contract.path}`,
    keys,
    get validate() {
      validator ??= compileValidator(contract);
      return validator;
    },
  };
}
