/** The routes of a sealed link: its bearer sees one registration, and changes it (`docs/contract.md`, "Links"). */
import { registrationAnswer } from "#api/records/registration-answer.ts";
import { readPlaceInLine } from "#domain/capacity/line.ts";
import { changeRegistration } from "#domain/registrations/amend/change-registration.ts";
import { questionsFor } from "#domain/registrations/form/answers.ts";
import { type ByLink, bearerOf, possibleByLink } from "#domain/registrations/tickets/by-link.ts";
import { withTicketCode } from "#domain/registrations/tickets/codes.ts";
import { ok } from "#kit/request/answer.ts";
import { api } from "#kit/request/api.ts";
import * as routes from "./routes.ts";

/** Nothing about money: links are forwarded. */
const withoutMoney = ({ checkoutLink, refunded, ...registration }: ByLink["registration"]) => registration;

/** The event as the page of a link shows it. */
export const linkedEvent = ({ id, year, ename, description, imageUrl, elocation, ...dates }: ByLink["event"]) => ({
  ...{ id, year, ename, description, imageUrl, elocation },
  ...{ startDate: dates.startDate, endDate: dates.endDate },
});

async function answerTo(found: ByLink, now: number) {
  const { registration, event } = found;
  const isWaiting = registration.status === "waitlist";
  const [place, ticket] = await Promise.all([
    isWaiting ? readPlaceInLine(event, registration) : undefined,
    withTicketCode(registration),
  ]);
  return ok({
    event: linkedEvent(event),
    registration: registrationAnswer(withoutMoney(registration), { place, ...ticket }),
    questions: questionsFor(registration, event),
    may: possibleByLink(found, now),
  });
}

const bearer = bearerOf("registration");

export const getByLink = api(routes.getByLink, ({ bearer: found, now }) => answerTo(found, now), bearer);

export const changeByLink = api(
  routes.changeByLink,
  async ({ body: amendment, bearer: found, now, context }) => {
    const { email, ticketId } = found.registration;
    const { registration } = await changeRegistration(
      { email, event: found.event, amendment, by: "self", linkedTicket: ticketId },
      { ...context, actor: "link" },
    );
    return answerTo({ ...found, registration }, now);
  },
  bearer,
);
