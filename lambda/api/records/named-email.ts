import { ValidationFailed } from "#kit/errors.ts";

/**
 * The email of the person that a body names: by `email` or, as the web application does, by `id`.
 * @param usual the person who is meant when the body names none
 * @throws ValidationFailed the body names no person, or two
 */
export function emailIn({ email, id }: { readonly email?: string; readonly id?: string }, usual?: string): string {
  const named = email ?? id ?? usual;
  if (named === undefined) throw new ValidationFailed([{ path: "/email", message: "is required" }]);
  if (id !== undefined && id !== named)
    throw new ValidationFailed([{ path: "/id", message: "must be the same as email" }]);
  return named;
}
