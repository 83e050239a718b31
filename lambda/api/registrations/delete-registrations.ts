import pMap from "p-map";
import { leave } from "#domain/registrations/leave.ts";
import { promote } from "#domain/registrations/promote.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { followUp } from "#kit/execute.ts";
import * as routes from "./routes.ts";
import { eachByItself, emailOfRow, rowsAtOnce } from "./rows.ts";

export const deleteRegistrations = api(routes.deleteRegistrations, async ({ body, context }) => {
  const event = { id: body.eventID, year: body.year };
  const results = await pMap(
    [...new Set(body.ids)],
    (email) =>
      eachByItself(email, context, async (ofRow) => {
        const departure = {
          email: emailOfRow(email),
          event,
          to: "deleted",
          by: "admin",
          withoutPromotion: true,
        } as const;
        await leave(departure, ofRow);
        return {};
      }),
    { concurrency: rowsAtOnce },
  );
  // A departure gives its seat to the first in line itself. What it leaves free is given once for all rows.
  if (results.some(({ success }) => success)) await followUp("promote", context, () => promote(event, context));
  const failed = results.filter(({ success }) => !success).length;
  return ok({ message: failed === 0 ? "Registrations deleted." : `${failed} could not be deleted.`, results });
});
