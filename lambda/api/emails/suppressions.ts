import { lift, suppress } from "#domain/mail/suppress.ts";
import { pageOfSuppressions, type Suppression } from "#domain/mail/suppressions.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { decodeCursor, part } from "#kit/lists/cursor.ts";
import { nextHeader } from "#kit/lists/pages.ts";
import { created, ok } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import * as routes from "./routes.ts";

const answerOf = ({ email, reason, createdAt }: Suppression) => ({ email, ...(reason && { reason }), createdAt });

export const listSuppressions = api(routes.listSuppressions, async ({ query: { limit, cursor } }) => {
  const page = await pageOfSuppressions({ limit, after: decodeCursor(cursor, part.email) });
  return ok(page.rows.map(answerOf), nextHeader(page));
});

export const addSuppression = api(routes.addSuppression, async ({ body, context }) => {
  const suppression = await suppress(body, context);
  return created({ message: "This address gets no campaigns any more.", suppression: answerOf(suppression) });
});

export const removeSuppression = api(routes.removeSuppression, async ({ body, query, context }) => {
  const email = body.email ?? query.email;
  if ((query.email ?? email) !== email) {
    throw new ValidationFailed([{ path: "/email", message: "must be the same in body and query" }]);
  }
  if (email === undefined) throw new ValidationFailed([{ path: "/email", message: "is required" }]);
  await lift(email, context);
  return ok({ message: "This address gets campaigns again." });
});
