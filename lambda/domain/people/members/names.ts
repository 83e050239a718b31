/** The name of a new member, which is required (`docs/contract.md`, "Members"). Pure. */
import { type Issue, ValidationFailed } from "#kit/errors.ts";
import type { MembershipForm } from "./form.ts";

/** A name from another source than the form. */
export type KnownName = Pick<MembershipForm, "firstName" | "lastName">;

/** The form, with missing names from the first source that has them. */
export function withNames(form: MembershipForm, ...sources: readonly KnownName[]): MembershipForm {
  const first = (name: keyof KnownName) => [form, ...sources].map((source) => source[name]).find(Boolean);
  const [firstName, lastName] = [first("firstName"), first("lastName")];
  return { ...form, ...(firstName && { firstName }), ...(lastName && { lastName }) };
}

const missing = (form: MembershipForm): Issue[] =>
  (["firstName", "lastName"] as const)
    .filter((name) => !form[name])
    .map((name) => ({ path: `/${name}`, message: "is required" }));

/** @throws ValidationFailed the form lacks a part of the name */
export function requireFullName(form: MembershipForm): void {
  const issues = missing(form);
  if (issues.length > 0) throw new ValidationFailed(issues);
}

/**
 * The last name may be missing, because some people have only one name.
 * @throws ValidationFailed the form lacks the first name
 */
export function requireFirstName(form: MembershipForm): void {
  if (!form.firstName) throw new ValidationFailed(missing(form));
}
