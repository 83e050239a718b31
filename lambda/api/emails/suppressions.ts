import { liftSuppression, pageOfSuppressions, putSuppression, type Suppression } from "#domain/mail/suppressions.ts";
import { created, ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { decodeCursor, part } from "#kit/cursor.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { writeOnce } from "#kit/execute.ts";
import { nextHeader } from "#kit/pages.ts";
import * as routes from "./routes.ts";

const answerOf = ({ email, reason, createdAt }: Suppression) => ({ email, ...(reason && { reason }), createdAt });

export const listSuppressions = api(routes.listSuppressions, async ({ query: { limit, cursor } }) => {
  const page = await pageOfSuppressions({ limit, after: decodeCursor(cursor, part.email) });
  return ok(page.rows.map(answerOf), nextHeader(page));
});

export const addSuppression = api(routes.addSuppression, async ({ body, now, context }) => {
  const suppression = { ...body, createdAt: now };
  await writeOnce({ suppression: putSuppression(suppression) }, context);
  return created({ message: "This address gets no campaigns any more.", suppression: answerOf(suppression) });
});

export const removeSuppression = api(routes.removeSuppression, async ({ body, query, now, context }) => {
  const email = body.email ?? query.email;
  if ((query.email ?? email) !== email) {
    throw new ValidationFailed([{ path: "/email", message: "must be the same in body and query" }]);
  }
  if (email === undefined) throw new ValidationFailed([{ path: "/email", message: "is required" }]);
  await writeOnce(liftSuppression(email, now), context);
  return ok({ message: "This address gets campaigns again." });
});
