/** A schema with its validator. In bundles, the build replaces the module that declares it with compiled validators. */
import type { TSchema } from "typebox";
import { compileValidator } from "./compile.ts";
import type { RequestValidator } from "./validation.ts";

export interface BodySchema<S extends TSchema = TSchema> {
  readonly body: S;
  readonly validate: RequestValidator;
}

/** Outside bundles (tests), the validator is compiled on first use. */
export function bodySchema<S extends TSchema>(body: S): BodySchema<S> {
  let validator: RequestValidator | undefined;
  return {
    body,
    get validate() {
      validator ??= compileValidator({ body });
      return validator;
    },
  };
}
