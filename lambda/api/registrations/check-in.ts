/** The check-in of a person at the door: by the code of the ticket, or by email (`docs/contract.md`, "Check-in"). */

import { registrationAnswer } from "#api/records/registration-answer.ts";
import { checkInVisitor, type Visitor } from "#domain/registrations/door/check-in.ts";
import { ticketIn } from "#domain/registrations/links/ticket-code.ts";
import { ticketKey, withTicketCode } from "#domain/registrations/links/ticket-key.ts";
import { WrongEvent } from "#domain/registrations/refusals.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { ok } from "#kit/request/answer.ts";
import { api, type Input } from "#kit/request/api.ts";
import * as routes from "./routes.ts";

const forged = () => new ValidationFailed([{ path: "/code", message: "is not the code of one of our tickets" }]);

const otherPerson = () =>
  new ValidationFailed([
    { path: "/email", message: "must be that of the ticket, or absent: the code is another person's" },
  ]);

/**
 * @throws ValidationFailed the code is invalid, or the body has neither code nor email, or those of two people
 * @throws WrongEvent the ticket belongs to another event
 */
async function visitorOf(body: Input<typeof routes.checkIn>["body"]): Promise<Visitor> {
  const { code, email, eventID, year, plusOne, undo } = body;
  // Loads the key in any case: the answer has the code, and no avoidable failure may follow the check-in.
  const key = await ticketKey();
  if (code === undefined) {
    if (email === undefined) throw new ValidationFailed([{ path: "/code", message: "is required, or email" }]);
    return { email, plusOne, undo };
  }
  if (plusOne !== undefined)
    throw new ValidationFailed([{ path: "/plusOne", message: "stands beside an email alone" }]);
  const ticket = ticketIn(code, key);
  if (ticket === undefined) throw forged();
  if (ticket.eventID !== eventID || ticket.year !== year) throw new WrongEvent(ticket.eventID, ticket.year);
  if (email !== undefined && email !== ticket.email) throw otherPerson();
  return { ...ticket, undo };
}

export const checkIn = api(routes.checkIn, async ({ body, context }) => {
  const visitor = await visitorOf(body);
  const { registration, bearer, alreadyCheckedIn } = await checkInVisitor(
    visitor,
    { id: body.eventID, year: body.year },
    context,
  );
  return ok({
    message: body.undo ? "Not checked in." : alreadyCheckedIn ? "Checked in before." : "Checked in.",
    registration: registrationAnswer(registration, await withTicketCode(registration)),
    alreadyCheckedIn,
    ...(bearer.checkedInAt !== undefined && { checkedInAt: bearer.checkedInAt }),
    ...(bearer.ticketId !== registration.ticketId && { plusOne: bearer.fname }),
  });
});
