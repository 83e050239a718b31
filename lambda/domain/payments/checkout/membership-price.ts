/** The price of a membership, which may depend on what its form says. Pure. */
import { completed } from "#domain/people/members/completion.ts";
import type { MembershipForm } from "#domain/people/members/form.ts";
import { formOfUser } from "#domain/people/members/granting.ts";
import type { UserRecord } from "#domain/people/users/store.ts";

/** A field of the form that prices may depend on. */
export const pricedFields = ["education", "faculty", "year"] as const satisfies readonly (keyof MembershipForm)[];

/** Prices in cents, by field of the form and its value, such as `{ education: { UBC: 12_00 } }`. */
export type MembershipPrices = Readonly<
  Partial<Record<(typeof pricedFields)[number], Readonly<Record<string, number>>>>
>;

/**
 * The form of a payment. For a renewal, what prices depend on comes from the account where the form does not say it.
 * @param user undefined without an account
 */
export function pricedForm(form: MembershipForm, user: UserRecord | undefined): MembershipForm {
  if (user?.memberUntil === undefined) return form;
  const { education, faculty, year } = formOfUser(user);
  return completed(form, { education, faculty, year } satisfies Record<(typeof pricedFields)[number], unknown>);
}

/**
 * The price of a membership with this form, in cents. Of several fields with a price for their value the first one counts.
 * @param otherwise the price where no field has one for its value
 */
export function membershipPriceFor(form: MembershipForm, otherwise: number, prices: MembershipPrices): number {
  for (const field of pricedFields) {
    const value = form[field]?.trim();
    const byValue = new Map(Object.entries(prices[field] ?? {}));
    const price = value === undefined ? undefined : byValue.get(value);
    if (price !== undefined) return price;
  }
  return otherwise;
}
