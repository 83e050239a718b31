import { ValidationFailed } from "#kit/errors.ts";

/**
 * The email in a body: `email` or, as the web application sends it, `id`.
 * @param usual the default when the body names no person
 * @throws ValidationFailed the body names no person, or two
 */
export function emailIn({ email, id }: { readonly email?: string; readonly id?: string }, usual?: string): string {
  const named = email ?? id ?? usual;
  if (named === undefined) throw new ValidationFailed([{ path: "/email", message: "is required" }]);
  if (id !== undefined && id !== named)
    throw new ValidationFailed([{ path: "/id", message: "must be the same as email" }]);
  return named;
}
