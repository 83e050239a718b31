/** The routes about many registrations (`rows.ts`). */
import pMap from "p-map";
import { changeRegistration } from "#domain/registrations/amend/change-registration.ts";
import { leave } from "#domain/registrations/leave.ts";
import { promote } from "#domain/registrations/promote.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { ok } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import { followUp } from "#kit/table/execute.ts";
import * as routes from "./routes.ts";
import { assertPoints, emailOfRow, rowsAtOnce, runRow } from "./rows.ts";

const nothingToChange = () =>
  new ValidationFailed([
    {
      path: "/",
      name: "The row",
      message: "must name something to change: registrationStatus, applicationStatus, points",
    },
  ]);

export const massUpdate = api(routes.massUpdate, async ({ body, context }) => {
  const year = body.year ?? body.eventYear;
  if (year === undefined) throw new ValidationFailed([{ path: "/year", message: "is required" }]);
  if ((body.eventYear ?? year) !== year) {
    throw new ValidationFailed([{ path: "/eventYear", message: "must be the same as year" }]);
  }
  const event = { id: body.eventID, year };
  const results = await pMap(
    body.updates,
    ({ email, ...amendment }) =>
      runRow(email, context, async (ofRow) => {
        if (Object.keys(amendment).length === 0) throw nothingToChange();
        assertPoints(amendment.points);
        const change = { email: emailOfRow(email), event, amendment, by: "admin" } as const;
        const { registration } = await changeRegistration(change, ofRow);
        return { registrationStatus: registration.status };
      }),
    { concurrency: rowsAtOnce },
  );
  return ok({ results });
});

export const deleteRegistrations = api(routes.deleteRegistrations, async ({ body, context }) => {
  const event = { id: body.eventID, year: body.year };
  const ending = { event, to: "deleted", by: "admin", withoutPromotion: true } as const;
  const results = await pMap(
    [...new Set(body.ids)],
    (email) =>
      runRow(email, context, async (ofRow) => {
        await leave({ ...ending, email: emailOfRow(email) }, ofRow);
        return {};
      }),
    { concurrency: rowsAtOnce },
  );
  // Each departure passes its seat to the first in line. Remaining free seats are allocated once for all rows.
  if (results.some(({ success }) => success)) await followUp("promote", context, () => promote(event, context));
  const failed = results.filter(({ success }) => !success).length;
  return ok({ message: failed === 0 ? "Registrations deleted." : `${failed} could not be deleted.`, results });
});
