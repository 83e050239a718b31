/** The fields of accounts that people fill in, and those that never change. Pure. */
import { ValidationFailed } from "#kit/errors.ts";

/** What people tell about themselves, besides their name. */
export const userDetails = [
  "faculty",
  "major",
  "year",
  "studentId",
  "diet",
  "gender",
  "education",
  "university",
] as const;

type UserDetail = "fname" | "lname" | (typeof userDetails)[number];

/** The fields that people fill in about themselves. */
export type UserDetails = { readonly [detail in UserDetail]?: string };

/** Fields of a user and of a member that never change (`docs/contract.md`, "Users" and "Members"). */
const immutable = ["id", "email", "admin"] as const;

/** @throws ValidationFailed when the changes name an immutable field, also if its value is the same */
export function refuseImmutable(changes: object): void {
  const named = immutable.filter((name) => Object.hasOwn(changes, name));
  if (named.length > 0) {
    throw new ValidationFailed(named.map((name) => ({ path: `/${name}`, message: "cannot be changed" })));
  }
}
