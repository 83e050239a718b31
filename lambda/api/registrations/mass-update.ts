import pMap from "p-map";
import { changeRegistration } from "#domain/registrations/change-registration.ts";
import { requestOfRow } from "#domain/registrations/requested-state.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { ValidationFailed } from "#kit/errors.ts";
import * as routes from "./routes.ts";
import { assertPoints, eachByItself, emailOfRow, rowsAtOnce, separateRowsAtOnce } from "./rows.ts";

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
  const movesAny = body.updates.some(
    ({ email: _email, points: _points, ...statuses }) => Object.keys(statuses).length > 0,
  );
  const results = await pMap(
    body.updates,
    ({ email, ...amendment }) =>
      eachByItself(email, context, async (ofRow) => {
        if (Object.keys(amendment).length === 0) throw nothingToChange();
        assertPoints(amendment.points);
        const request = {
          email: emailOfRow(email),
          event,
          amendment: requestOfRow(amendment),
          by: "admin" as const,
        };
        const { registration } = await changeRegistration(request, ofRow);
        return { registrationStatus: registration.status };
      }),
    { concurrency: movesAny ? rowsAtOnce : separateRowsAtOnce },
  );
  return ok({ results });
});
