/** What is left of a person after a deletion. Pure. */
import { factsOf, storedKindOf } from "#domain/catalogue/stored-kinds.ts";
import type { Erasure } from "#domain/people/users/erasures.ts";
import { registeredAtOf } from "#domain/registrations/record/registration.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import type { Item } from "#kit/table/table.ts";

/** Whether the item stays as it is, also when the erasure is over. */
export const outlives = (item: Item): boolean => {
  const after = factsOf(storedKindOf(item) ?? "")?.personal?.after;
  return !after || "stays" in after;
};

/** Whether the person is one of the club again: with an account, or with a registration of after the deletion. */
export const isBack = (items: readonly Item[], { deletedAt }: Erasure): boolean =>
  items.some((item) => {
    const kind = storedKindOf(item);
    if (kind === "account") return true;
    return kind === "registration" && item.status !== "deleted" && registeredAtOf(registrationIn(item)) > deletedAt;
  });
