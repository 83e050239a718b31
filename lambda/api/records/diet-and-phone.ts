/** Who sees diets and phone numbers in lists (`docs/contract.md`, "A person's data"). */

import { requiredEnv } from "#kit/env.ts";
import type { Caller } from "#kit/request/caller.ts";

const named = requiredEnv("SEE_DIET_AND_PHONE")
  .split(",")
  .filter((email) => email !== "");

/** Whether the caller's lists of others have them: of the admins whom the stage names, or of all when it names none. */
export const seesDietAndPhone = ({ email }: Pick<Caller, "email">): boolean =>
  named.length === 0 || named.includes(email);

/** The record without them. */
export const withoutDietAndPhone = <R extends { readonly diet?: unknown; readonly phone?: unknown }>({
  diet,
  phone,
  ...record
}: R): Omit<R, "diet" | "phone"> => record;

/** The records of a list as the caller sees them. */
export const asSeenBy = <R extends { readonly diet?: unknown }>(
  caller: Pick<Caller, "email">,
  records: readonly R[],
) => (seesDietAndPhone(caller) ? records : records.map(withoutDietAndPhone));
