import pMap from "p-map";
import { leave } from "#domain/registrations/leave.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import * as routes from "./routes.ts";
import { eachByItself, emailOfRow, rowsAtOnce } from "./rows.ts";

export const deleteRegistrations = api(routes.deleteRegistrations, async ({ body, context }) => {
  const event = { id: body.eventID, year: body.year };
  const results = await pMap(
    [...new Set(body.ids)],
    (email) =>
      eachByItself(email, context, async () => {
        await leave({ email: emailOfRow(email), event, to: "deleted", by: "admin" }, context);
        return {};
      }),
    { concurrency: rowsAtOnce },
  );
  const failed = results.filter(({ success }) => !success).length;
  return ok({ message: failed === 0 ? "Registrations deleted." : `${failed} could not be deleted.`, results });
});
