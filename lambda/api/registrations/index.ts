import { visibleEvent } from "#domain/events/visible-event.ts";
import { resendTicket } from "#domain/registrations/amend/resend-ticket.ts";
import { highestScores } from "#domain/registrations/store/leaderboard.ts";
import { ranked, type Score } from "#domain/registrations/store/points.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { ok } from "#kit/request/answer.ts";
import { api, dispatch } from "#kit/request/api.ts";
import { queryOnce } from "#kit/table/table.ts";
import { deleteRegistrations, massUpdate } from "./bulk.ts";
import { changeByLink, getByLink, registerAgain } from "./by-link.ts";
import { checkIn } from "./check-in.ts";
import { askAsGuest, getGuest, registerGuest, sendLinks } from "./guests.ts";
import { listRegistrations } from "./list-registrations.ts";
import { offerSeat } from "./offer-seat.ts";
import { deleteRegistration, register, updateRegistration } from "./one-registration.ts";
import { getReport } from "./report.ts";
import * as routes from "./routes.ts";

export const handler = dispatch([
  register,
  listRegistrations,
  updateRegistration,
  deleteRegistration,
  offerSeat,
  checkIn,
  getReport,
  askAsGuest,
  getGuest,
  registerGuest,
  getByLink,
  changeByLink,
  registerAgain,
  sendLinks,
  api(routes.resendTicket, async ({ body: { email, eventID: id, year }, context }) => {
    await resendTicket({ email, event: { id, year } }, context);
    return ok({ message: "The ticket is on its way." });
  }),
  massUpdate,
  deleteRegistrations,
  api(routes.leaderboard, async ({ query: { eventID, year }, caller, now }) => {
    if ((eventID === undefined) !== (year === undefined)) {
      const path = eventID === undefined ? "/eventID" : "/year";
      throw new ValidationFailed([{ path, message: "is required: both name an event, neither all of them" }]);
    }
    const event = eventID !== undefined && year !== undefined ? { id: eventID, year } : undefined;
    const [{ items }] = await Promise.all([
      queryOnce<Score>(highestScores(event)),
      event && visibleEvent(event, caller, now, "eventual"),
    ]);
    return ok(ranked(items));
  }),
]);
