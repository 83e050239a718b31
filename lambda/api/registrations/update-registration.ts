import { changeRegistration } from "#domain/registrations/change-registration.ts";
import { ticketKey, withTicketCode } from "#domain/registrations/tickets/codes.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { NotAllowed } from "#kit/errors.ts";
import { showingExisting } from "./existing-registration.ts";
import { registrationAnswer } from "./registration-answer.ts";
import * as routes from "./routes.ts";

export const updateRegistration = api(routes.updateRegistration, async ({ params, body, caller, context }) => {
  if (params.email !== caller.email && !caller.isAdmin)
    throw new NotAllowed("You can change only your own registration.");
  const { eventID, year, ...amendment } = body;
  // Loads the key first: after the change, no step may fail that could come before.
  await ticketKey();
  const { registration, place } = await showingExisting(
    changeRegistration(
      {
        email: params.email,
        event: { id: eventID, year },
        amendment,
        by: caller.isAdmin ? "admin" : "self",
      },
      context,
    ),
  );
  return ok({
    message: "Registration updated.",
    registrationStatus: registration.status,
    registration: registrationAnswer(registration, { place, ...(await withTicketCode(registration)) }),
  });
});
