import { ValidationFailed } from "#kit/errors.ts";

/**
 * Whom a body is about: it names them by `email` or, as the web application does, by `id`.
 * @throws ValidationFailed when it names nobody, or two
 */
export function emailIn({ email, id }: { readonly email?: string; readonly id?: string }): string {
  const named = email ?? id;
  if (named === undefined) throw new ValidationFailed([{ path: "/email", message: "is required" }]);
  if (id !== undefined && id !== named) throw new ValidationFailed([{ path: "/id", message: "must be the email" }]);
  return named;
}
