/** The routes of a sealed link: its bearer sees one registration, and changes it (`docs/contract.md`, "Links"). */
import { registrationAnswer } from "#api/records/registration-answer.ts";
import { readPlaceInLine } from "#domain/capacity/line.ts";
import type { PlaceInLine } from "#domain/capacity/place-in-line.ts";
import { isOver } from "#domain/events/dates.ts";
import { whenText } from "#domain/mail/when.ts";
import { changeRegistration } from "#domain/registrations/amend/change-registration.ts";
import { questionsFor } from "#domain/registrations/form/answers.ts";
import { type ByLink, bearerOf, possibleByLink } from "#domain/registrations/links/by-link.ts";
import { withTicketCode } from "#domain/registrations/links/ticket-key.ts";
import { requiredEnv } from "#kit/env.ts";
import { ok } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import { momentText } from "#kit/text/time-zone.ts";
import { showingPresent } from "./one-registration.ts";
import * as routes from "./routes.ts";

const timeZone = requiredEnv("TIME_ZONE");

/** The registration as the bearer of a link sees it: nothing about money, because mails are forwarded. */
export const withoutMoney = ({ checkoutLink, refunded, owes, ...registration }: ByLink["registration"]) => registration;

/** The event as the page of a link shows it. */
export const linkedEvent = ({ id, year, ename, description, imageUrl, elocation, ...dates }: ByLink["event"]) => ({
  ...{ id, year, ename, description, imageUrl, elocation },
  ...{ startDate: dates.startDate, endDate: dates.endDate, when: whenText(dates, timeZone) },
});

async function answerTo(found: ByLink, place: PlaceInLine | undefined, now: number) {
  const { registration, event } = found;
  const { holdExpiresAt } = registration;
  const ticket = await withTicketCode(registration);
  return ok({
    event: linkedEvent(event),
    registration: registrationAnswer(withoutMoney(registration), { place, ...ticket }),
    questions: questionsFor(registration, event),
    may: possibleByLink(found, now),
    isOver: isOver(event, now),
    ...(holdExpiresAt !== undefined && { heldUntil: momentText(holdExpiresAt, timeZone) }),
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
  async ({ body: { seenStatus, ...amendment }, bearer: found, now, context }) => {
    const { email, ticketId: linkedTicket } = found.registration;
    const request = { email, event: found.event, amendment, seenStatus, origin: "self/link", linkedTicket } as const;
    const changing = changeRegistration(request, { ...context, actor: "link" });
    const { registration, place } = await showingPresent(changing, (registration) => ({
      registration: registrationAnswer(withoutMoney(registration as ByLink["registration"])),
      may: possibleByLink({ ...found, registration }, now),
    }));
    return answerTo({ ...found, registration }, place, now);
  },
  bearer,
);
