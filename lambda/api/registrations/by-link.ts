/** The routes of a sealed link: its bearer sees one registration, and changes it (`docs/contract.md`, "Links"). */
import { registrationAnswer } from "#api/records/registration-answer.ts";
import { readPlaceInLine } from "#domain/capacity/line.ts";
import type { PlaceInLine } from "#domain/capacity/place-in-line.ts";
import { isOver } from "#domain/events/dates.ts";
import type { GuestsAllowed } from "#domain/events/event-input.ts";
import { amountOwed, companyPrice } from "#domain/events/pricing.ts";
import { whenText } from "#domain/mail/when.ts";
import type { Admission } from "#domain/registrations/admission.ts";
import { changeRegistration } from "#domain/registrations/amend/change-registration.ts";
import { questionsFor } from "#domain/registrations/form/answers.ts";
import { type ByLink, bearerOf, linked, possibleByLink } from "#domain/registrations/links/by-link.ts";
import { linkSecret } from "#domain/registrations/links/link.ts";
import { openedFor } from "#domain/registrations/links/opened-link.ts";
import { ticketKey, withTicketCode } from "#domain/registrations/links/ticket-key.ts";
import { isUnpaid, type RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { registerAgainByLink } from "#domain/registrations/register/again.ts";
import { offerSeat } from "#domain/registrations/register/offer-seat.ts";
import { waitsBehindOthers } from "#domain/registrations/store/no-shows.ts";
import { readOffer } from "#domain/registrations/store/offers.ts";
import { requiredEnv } from "#kit/env.ts";
import { ValidationFailed } from "#kit/errors.ts";
import { ok } from "#kit/request/answer.ts";
import { apiOnce } from "#kit/request/answered-once.ts";
import { api } from "#kit/request/api.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { momentText, zoneOf } from "#kit/text/time-zone.ts";
import { namedIn } from "./offer-seat.ts";
import { admissionAnswer, showingExisting, showingPresent } from "./one-registration.ts";
import * as routes from "./routes.ts";

const timeZone = requiredEnv("TIME_ZONE");
const guests = requiredEnv("GUESTS") as GuestsAllowed;
const mails = JSON.parse(requiredEnv("SIGN_UP_LIMITS"));

const byItself = () => new ValidationFailed([{ path: "/offer", message: "must be by itself" }]);

/** The registration as the bearer of a link sees it: nothing about money but the price, because mails are forwarded. */
export const withoutMoney = ({ checkoutLink, refunded, owes, deposit, ...registration }: ByLink["registration"]) => ({
  ...registration,
  ...(deposit === "agreed" && { deposit }),
});

/** What a refusal shows of the registration that the bearer of a link saw otherwise. */
const presentOf = (found: ByLink, now: number) => (registration: RegistrationRecord) => ({
  registration: registrationAnswer(withoutMoney(registration)),
  may: possibleByLink({ ...found, registration }, guests, now),
});

/** The answer to the bearer of a link who has registered, with the secret of the link to the registration. */
export const linkedAdmission =
  (event: ByLink["event"], key: string, context: RequestContext) =>
  ({ registration, place }: Admission) =>
    admissionAnswer({ registration: withoutMoney(registration), place }, key, context, {
      link: linkSecret("registration", registration, event, key, context.now),
    });

/** The event as the page of a link shows it. */
export const linkedEvent = ({ id, year, ename, description, imageUrl, elocation, ...dates }: ByLink["event"]) => ({
  ...{ id, year, ename, description, imageUrl, elocation },
  ...{
    startDate: dates.startDate,
    endDate: dates.endDate,
    timeZone: dates.timeZone,
    calledOff: dates.calledOff,
    when: whenText(dates, timeZone),
  },
});

/** To whom the person has offered the seat. */
async function offeredBy({ offer: mark, eventID: id, year }: RegistrationRecord) {
  const offer = mark === undefined ? undefined : await readOffer({ event: { id, year }, mark }, "strong");
  return offer && { offered: { email: offer.email, fname: offer.fname } };
}

async function answerTo(found: ByLink, place: PlaceInLine | undefined, now: number) {
  const { registration, event, isMember } = found;
  const { holdExpiresAt, isPartner } = registration;
  const { refundUntil, plusOnes } = event;
  const ticket = await withTicketCode(registration);
  const may = possibleByLink(found, guests, now);
  const isBehind = may.includes("again") && (await waitsBehindOthers(event, registration.email, now));
  return ok({
    event: { ...linkedEvent(event), ...(plusOnes && { plusOnes }), ...companyPrice(event), refundUntil },
    registration: registrationAnswer(withoutMoney(registration), { place, ...ticket }),
    questions: questionsFor(registration, event),
    may,
    ...(isBehind && { behindOthers: true as const }),
    isOver: isOver(event, now),
    ...(await offeredBy(registration)),
    ...(holdExpiresAt !== undefined && {
      holdExpiresAt: new Date(holdExpiresAt).toISOString(),
      heldUntil: momentText(holdExpiresAt, zoneOf(event, timeZone)),
    }),
    ...(isUnpaid(registration) && { price: amountOwed(event, { isMember, isPartner }, registration) / 100 }),
  });
}

const bearer = bearerOf("registration");

export const getByLink = api(
  routes.getByLink,
  async ({ bearer: found, now }) => {
    const { registration, event } = found;
    const isWaiting = registration.status === "waitlist";
    return answerTo(found, isWaiting ? await readPlaceInLine(event, registration) : undefined, now);
  },
  bearer,
);

export const changeByLink = api(
  routes.changeByLink,
  async ({ body: { seenStatus, offer, ...amendment }, bearer: found, now, context }) => {
    const { email, ticketId: linkedTicket } = found.registration;
    if (offer) {
      if (Object.keys(amendment).length > 0) throw byItself();
      const to = namedIn(offer);
      const asked = { email, event: found.event, to, origin: "self/link", seenStatus, linkedTicket } as const;
      const offering = offerSeat(asked, mails, { ...context, actor: "link" });
      const registration = await showingPresent(offering, presentOf(found, now));
      return answerTo({ ...found, registration }, undefined, now);
    }
    const request = { email, event: found.event, amendment, seenStatus, origin: "self/link", linkedTicket } as const;
    const changing = changeRegistration(request, { ...context, actor: "link" });
    const { registration, place } = await showingPresent(changing, presentOf(found, now));
    return answerTo({ ...found, registration }, place, now);
  },
  bearer,
);

export const registerAgain = apiOnce(
  routes.registerAgain,
  async ({ body, bearer: link, now, context, claimed }) => {
    // Loads the key first: no avoidable failure may follow the allocation of the seat.
    const key = await ticketKey();
    const found = await linked(link, context);
    const ofLink = { ...context, actor: "link" };
    const answerTo = linkedAdmission(found.event, key, ofLink);
    const registering = registerAgainByLink(found, body, guests, ofLink, claimed?.keeping(answerTo));
    return answerTo(await showingPresent(showingExisting(registering, withoutMoney), presentOf(found, now)));
  },
  openedFor("registration"),
);
