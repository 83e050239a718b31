import pMap from "p-map";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { leave } from "./leave.ts";
import * as routes from "./routes.ts";
import { eachByItself, emailOfRow, rowsAtOnce } from "./rows.ts";

export const deleteRegistrations = api(
  routes.deleteRegistrations,
  async ({ body, caller, arrival, now, requestId }) => {
    const event = { id: body.eventID, year: body.year };
    const origin = { now, actor: caller.email, correlationId: requestId };
    const results = await pMap(
      [...new Set(body.ids)],
      (email) =>
        eachByItself(email, async () => {
          await leave({ email: emailOfRow(email), event, to: "deleted", by: "admin", arrival }, origin);
          return {};
        }),
      { concurrency: rowsAtOnce },
    );
    const failed = results.filter(({ success }) => !success).length;
    return ok({ message: failed === 0 ? "Registrations deleted." : `${failed} could not be deleted.`, results });
  },
);
