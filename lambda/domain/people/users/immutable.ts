import { ValidationFailed } from "#kit/errors.ts";

/** Fields of a user and of a member that never change (`docs/contract.md`, "Users" and "Members"). */
const immutable = ["id", "email", "admin"] as const;

/** @throws ValidationFailed when the changes name an immutable field, also if its value is the same */
export function refuseImmutable(changes: object): void {
  const named = immutable.filter((name) => Object.hasOwn(changes, name));
  if (named.length > 0) {
    throw new ValidationFailed(named.map((name) => ({ path: `/${name}`, message: "cannot be changed" })));
  }
}
