/** The fields of accounts that people enter, and those that are immutable. Pure. */
import { ValidationFailed } from "#kit/errors.ts";
import type { userDetails } from "#outbox/stored-kinds.ts";

type UserDetail = "fname" | "lname" | (typeof userDetails)[number];

export type UserDetails = { readonly [detail in UserDetail]?: string };

/** Immutable fields of users and members (`docs/contract.md`, "Users" and "Conventions"). */
const immutable = ["id", "email", "admin"] as const;

/** @throws ValidationFailed the changes contain an immutable field, even with the same value */
export function refuseImmutable(changes: object): void {
  const named = immutable.filter((name) => Object.hasOwn(changes, name));
  if (named.length > 0) {
    throw new ValidationFailed(named.map((name) => ({ path: `/${name}`, message: "cannot be changed" })));
  }
}
