/** Requests about many registrations: each row by itself, one failure stops nobody else. */
import { Conflict, UnknownOutcome } from "#kit/conflict.ts";
import { canonicalEmail } from "#kit/email.ts";
import { Contended, Refusal, ValidationFailed } from "#kit/errors.ts";
import { formats } from "#kit/formats.ts";

/** All rows want the same counters: more at once would only wait for each other. */
export const rowsAtOnce = 4;

/** @throws ValidationFailed */
export function emailOfRow(text: string): string {
  const email = canonicalEmail(text);
  if (email === undefined) throw new ValidationFailed([{ path: "/email", message: formats.email.message }]);
  return email;
}

/** @throws ValidationFailed */
export function assertPoints(points: number | undefined): void {
  if (points === undefined || (Number.isSafeInteger(points) && points >= 0)) return;
  throw new ValidationFailed([{ path: "/points", message: "must be a whole number, 0 or more" }]);
}

/** What became of one row. */
export type RowResult<T> = { readonly email: string } & (
  | ({ readonly success: true } & T)
  | { readonly success: false; readonly message: string }
);

/** Runs one row; a refusal is its result. Anything unexpected still fails the whole request. */
export async function eachByItself<T extends object>(email: string, run: () => Promise<T>): Promise<RowResult<T>> {
  try {
    return { email, success: true, ...(await run()) };
  } catch (error) {
    const refusal =
      error instanceof Conflict || error instanceof UnknownOutcome ? new Contended({ cause: error }) : error;
    if (!(refusal instanceof Refusal)) throw error;
    return { email, success: false, message: refusal.message };
  }
}
