/** Bulk requests: rows are independent. A failed row does not stop the others. */
import { mostPoints } from "#domain/registrations/store/points.ts";
import { Contended, OutcomeUnknown, Refusal, ValidationFailed } from "#kit/errors.ts";
import { contextOfRow, type RequestContext } from "#kit/request/context.ts";
import { formats } from "#kit/schema/formats.ts";
import { UnknownOutcome } from "#kit/table/conflict.ts";
import { Backoff } from "#kit/table/retry.ts";
import { canonicalEmail } from "#kit/text/email.ts";

/** Rows write the same counters: more in parallel would only conflict. */
export const rowsAtOnce = 4;

/** @throws ValidationFailed */
export function emailOfRow(text: string): string {
  const email = canonicalEmail(text);
  if (email === undefined) throw new ValidationFailed([{ path: "/email", message: formats.email.message }]);
  return email;
}

/** @throws ValidationFailed */
export function assertPoints(points: number | undefined): void {
  if (points === undefined || (Number.isInteger(points) && points >= 0 && points <= mostPoints)) return;
  throw new ValidationFailed([
    { path: "/points", message: `must be a whole number from 0 to ${mostPoints.toLocaleString("en-CA")}` },
  ]);
}

/** The result of one row. `unknown`: the row may have been written. */
export type RowResult<T> = { readonly email: string } & (
  | ({ readonly success: true } & T)
  | { readonly success: false; readonly message: string; readonly unknown?: true }
);

/**
 * Runs one row and catches refusals as its result. An unexpected error fails the whole request.
 * @param run gets its own context, because a queueKey belongs to one registration
 */
export async function runRow<T extends object>(
  email: string,
  context: RequestContext,
  run: (ofRow: RequestContext) => Promise<T>,
): Promise<RowResult<T>> {
  try {
    // All rows share one deadline: no row starts after it.
    if (new Backoff(context).isOver) throw new Contended();
    return { email, success: true, ...(await run(contextOfRow(context))) };
  } catch (error) {
    if (error instanceof UnknownOutcome) {
      return { email, success: false, unknown: true, message: new OutcomeUnknown().message };
    }
    if (!(error instanceof Refusal)) throw error;
    return { email, success: false, message: error.message };
  }
}
