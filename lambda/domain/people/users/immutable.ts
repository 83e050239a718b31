import { ValidationFailed } from "#kit/errors.ts";

/** What stays as it was at creation of a user, and of a member (`spec.md`, "Authentication", 9). */
const immutable = ["id", "email", "admin"] as const;

/** @throws ValidationFailed it names what cannot be changed, even if it would stay the same */
export function refuseImmutable(changes: object): void {
  const named = immutable.filter((name) => Object.hasOwn(changes, name));
  if (named.length > 0) {
    throw new ValidationFailed(named.map((name) => ({ path: `/${name}`, message: "cannot be changed" })));
  }
}
