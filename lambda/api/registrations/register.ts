import type { Admission } from "#domain/registrations/admission.ts";
import { register as registerPerson } from "#domain/registrations/register.ts";
import { type State, stateOf } from "#domain/registrations/statuses.ts";
import { sealedTicketCode, ticketKey } from "#domain/registrations/tickets/codes.ts";
import { created, ok } from "#kit/answer.ts";
import { answeredOnce } from "#kit/answered-once.ts";
import { api } from "#kit/api.ts";
import { NotAllowed } from "#kit/errors.ts";
import { showingExisting } from "./existing-registration.ts";
import { readForm } from "./form.ts";
import { registrationAnswer } from "./registration-answer.ts";
import * as routes from "./routes.ts";

const messages: Partial<Record<State, string>> = {
  registered: "You are registered.",
  incomplete: "A seat is held for you. It is yours once it is paid for.",
  applicant: "Your application is in. You will be told when it is decided.",
  waitlist: "The event is full. You are on the waitlist and will be told when a seat is yours.",
};

export const register = api(
  routes.register,
  answeredOnce(routes.register, async ({ body, caller, context, claimed }) => {
    const form = readForm(body);
    if (form.email !== caller.email && !caller.isAdmin) throw new NotAllowed("You can register only yourself.");
    // Loads the key first: after the seat is taken, no step may fail that could come before.
    const key = await ticketKey();
    const answerTo = ({ registration, place }: Admission) =>
      // A registration that waits for its payment is not new.
      (registration.queueKey === context.queueKey ? created : ok)({
        message: messages[stateOf(registration) as State] ?? "Your registration was changed meanwhile.",
        registrationStatus: registration.status,
        registration: registrationAnswer(registration, { place, ...sealedTicketCode(registration, key) }),
      });
    const request = { form, byAdmin: caller.isAdmin };
    return answerTo(await showingExisting(registerPerson(request, context, claimed?.keeping(answerTo))));
  }),
);
