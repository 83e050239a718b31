/** A schema with its validator. In a bundle, the build replaces the module that declares it by compiled validators. */
import type { TSchema } from "typebox";
import { compileValidator } from "./compile.ts";
import type { RequestValidator } from "./validation.ts";

export interface BodySchema<S extends TSchema = TSchema> {
  readonly body: S;
  readonly validate: RequestValidator;
}

/** In source form (tests), the validator is compiled at its first use. */
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
