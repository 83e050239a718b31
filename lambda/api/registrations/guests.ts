/** The routes of people without an account (`docs/contract.md`, "Guests"). */
import type { GuestsAllowed } from "#domain/events/event-input.ts";
import { notedHolder } from "#domain/payments/settling/hand-on.ts";
import { questionsFor } from "#domain/registrations/form/answers.ts";
import { askForLinks } from "#domain/registrations/links/ask-for-links.ts";
import { ticketKey } from "#domain/registrations/links/ticket-key.ts";
import {
  askAsGuest as ask,
  guestOf,
  registerGuest as registerByLink,
  waitingGuestOf,
} from "#domain/registrations/register/guests.ts";
import { waitsBehindOthers } from "#domain/registrations/store/no-shows.ts";
import { requiredEnv } from "#kit/env.ts";
import { accepted, ok } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import { linkedAdmission, linkedEvent, withoutMoney } from "./by-link.ts";
import { readForm, showingExisting } from "./one-registration.ts";
import * as routes from "./routes.ts";

const settings = {
  guests: requiredEnv("GUESTS") as GuestsAllowed,
  mails: JSON.parse(requiredEnv("SIGN_UP_LIMITS")),
};

export const askAsGuest = api(routes.askAsGuest, async ({ params: { eventId: eventID, year }, body, context }) => {
  await ask(readForm({ ...body, eventID, year }), settings, context);
  return accepted({ message: "Please look into your mailbox: a link there confirms your registration." });
});

export const sendLinks = api(routes.sendLinks, async ({ body: { email }, context }) => {
  await askForLinks(email, settings.mails, context);
  return accepted({ message: "If something is stored about this address, a mail with links is on its way." });
});

export const getGuest = api(
  routes.getGuest,
  async ({ bearer: { form, event, offer }, now }) => {
    const fname = form.fname ?? form.basicInformation?.fname ?? "";
    const { email, isPartner = false, dynamicResponses = {}, plusOnes } = form;
    const answers = Object.entries(dynamicResponses).filter(([, answer]) => answer !== null);
    return ok({
      ...{ event: linkedEvent(event), email, fname, isPartner },
      ...{ questions: questionsFor(form, event), dynamicResponses: Object.fromEntries(answers) },
      ...(plusOnes && { plusOnes }),
      ...(offer === undefined && (await waitsBehindOthers(event, email, now)) && { behindOthers: true as const }),
      ...(offer && { from: offer.by }),
    });
  },
  waitingGuestOf,
);

export const registerGuest = api(
  routes.registerGuest,
  async ({ body, bearer: guest, context }) => {
    // Loads the key first: no avoidable failure may follow the allocation of the seat.
    const key = await ticketKey();
    const ofLink = { ...context, actor: "link" };
    const beside = (giver: Parameters<typeof notedHolder>[0]) => notedHolder(giver, guest.form.email, ofLink);
    const registering = registerByLink(guest, body, { guests: settings.guests, beside }, ofLink);
    return linkedAdmission(guest.event, key, ofLink)(await showingExisting(registering, withoutMoney));
  },
  guestOf,
);
