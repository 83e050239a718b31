/** The routes about many registrations (`rows.ts`). */
import pMap from "p-map";
import type { EventKey } from "#domain/events/event.ts";
import type { EndState } from "#domain/registrations/amend/amend.ts";
import { changeRegistration } from "#domain/registrations/amend/change-registration.ts";
import { leave } from "#domain/registrations/leave.ts";
import { promote } from "#domain/registrations/promote.ts";
import { originOf } from "#domain/registrations/record/acts.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { ok } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { followUp } from "#kit/table/execute.ts";
import * as routes from "./routes.ts";
import { assertPoints, emailOfRow, rowsAtOnce, runRow } from "./rows.ts";

const nothingToChange = () =>
  new ValidationFailed([
    {
      path: "/",
      name: "The row",
      message: "must name something to change: registrationStatus, applicationStatus, points, isPartner",
    },
  ]);

/** Each departure passes its seat to the first in line. Remaining free seats are allocated once for all rows. */
const promoteOnce = (event: EventKey, context: RequestContext) =>
  followUp("promote", context, () => promote(event, context));

const endStates = new Set<string>(["cancelled", "rejected", "waitlist"] satisfies EndState[]);

export const massUpdate = api(routes.massUpdate, async ({ body, caller, context }) => {
  const year = body.year ?? body.eventYear;
  if (year === undefined) throw new ValidationFailed([{ path: "/year", message: "is required" }]);
  if ((body.eventYear ?? year) !== year) {
    throw new ValidationFailed([{ path: "/eventYear", message: "must be the same as year" }]);
  }
  const event = { id: body.eventID, year };
  const results = await pMap(
    body.updates,
    ({ email, seenStatus, ...amendment }) =>
      runRow(email, context, async (ofRow) => {
        if (Object.keys(amendment).length === 0) throw nothingToChange();
        assertPoints(amendment.points);
        const person = emailOfRow(email);
        const change = { email: person, event, amendment, seenStatus, origin: originOf(caller, person, "bulk") };
        const { registration } = await changeRegistration(change, ofRow);
        return { registrationStatus: registration.status };
      }),
    { concurrency: rowsAtOnce },
  );
  const frees = results.some((row) => row.success && endStates.has(row.registrationStatus));
  if (frees) await promoteOnce(event, context);
  return ok({ results });
});

export const deleteRegistrations = api(routes.deleteRegistrations, async ({ body, caller, context }) => {
  const event = { id: body.eventID, year: body.year };
  const results = await pMap(
    [...new Set(body.ids)],
    (email) =>
      runRow(email, context, async (ofRow) => {
        const person = emailOfRow(email);
        await leave({ email: person, event, to: "deleted", origin: originOf(caller, person, "bulk") }, ofRow);
        return {};
      }),
    { concurrency: rowsAtOnce },
  );
  if (results.some(({ success }) => success)) await promoteOnce(event, context);
  const failed = results.filter(({ success }) => !success).length;
  return ok({ message: failed === 0 ? "Registrations deleted." : `${failed} could not be deleted.`, results });
});
