/** Reads the fields of the provider's objects, which may be anything. Pure. */

export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

/**
 * Maximum characters of the provider's ids (https://docs.stripe.com/upgrades). A longer one is not the provider's, and
 * might exceed the limits of table keys and bus messages.
 */
const longestName = 255;

export const nameIn = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" && value.length <= longestName ? value : undefined;

/** The id of an object: depending on the account's settings, Stripe sends the whole object instead. */
export const idIn = (value: unknown): string | undefined => nameIn(value) ?? nameIn(fieldsOf(value).id);

export const centsIn = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) ? (value as number) : undefined;
