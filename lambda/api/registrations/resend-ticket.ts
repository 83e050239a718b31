import { resendTicket as resend } from "#domain/registrations/resend-ticket.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import * as routes from "./routes.ts";

export const resendTicket = api(routes.resendTicket, async ({ body, context }) => {
  await resend({ email: body.email, event: { id: body.eventID, year: body.year } }, context);
  return ok({ message: "The ticket is on its way." });
});
