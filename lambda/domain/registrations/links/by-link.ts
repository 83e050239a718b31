/** What a link opens, and what its bearer may do (`docs/contract.md`, "Links"). */
import { noLimit, type Seats } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import { erasuresOf } from "#domain/people/users/erasures.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { retried } from "#kit/table/retry.ts";
import { readAdmissionFacts } from "../admission.ts";
import { questionsFor } from "../form/answers.ts";
import { isClosed, termsOf } from "../form/eligibility.ts";
import { findMove, type Terms } from "../record/moves.ts";
import { mayCome, type RegistrationRecord, takesAnswers } from "../record/registration.ts";
import { type State, stateOf } from "../record/statuses.ts";
import { exportLinkLasts, openedExportLink } from "./export-link.ts";
import { type LinkAction, type LinkPurpose, linkActions, linkNotValid, openedLink, sentLink } from "./link.ts";
import { ticketHashOf } from "./ticket-code.ts";
import { ticketKey } from "./ticket-key.ts";

/** The registration of a link, with what its answers depend on. */
export interface ByLink {
  readonly registration: RegistrationRecord;
  readonly event: EventRecord;
  readonly seats: Seats;
  readonly terms: Terms;
}

/** The registration of a link, with event and seats. Undefined when its ticket is no longer the one of the link. */
async function facts(
  { email, eventID, year, ticketHash }: NonNullable<ReturnType<typeof openedLink>>,
  context: RequestContext,
): Promise<ByLink | undefined> {
  const read = await retried(() => readAdmissionFacts({ email, eventID, year }, "strong"), context);
  const { event, seats, registration, user } = read;
  if (!registration || registration.status === "deleted" || !event || !seats) return undefined;
  const { generation, ticketId, isPartner, entryPrice } = registration;
  const isPresent = generation === event.generation && generation === seats.generation;
  if (!isPresent || ticketHashOf(ticketId) !== ticketHash) return undefined;
  return {
    registration,
    event,
    seats,
    terms: termsOf(event, { isMember: user?.isMember ?? false, isPartner }, entryPrice),
  };
}

/** The content of the link in an `Authorization` header. @throws Unauthenticated it is not valid for this purpose */
export async function secretIn(header: string | undefined, purpose: LinkPurpose, { now }: RequestContext) {
  const link = openedLink(sentLink(header), await ticketKey());
  if (link?.purpose !== purpose || link.until <= now) throw linkNotValid();
  return link;
}

/** Reads the `Authorization` header of routes for links of one purpose. @throws Unauthenticated */
export const bearerOf =
  (purpose: LinkPurpose) =>
  async (header: string | undefined, context: RequestContext): Promise<ByLink> => {
    const found = await facts(await secretIn(header, purpose, context), context);
    if (!found) throw linkNotValid();
    return found;
  };

/**
 * Whose data a link to an export opens. Reads the `Authorization` header. A deletion ends the links before it.
 * @returns the person's email @throws Unauthenticated
 */
export async function personOf(header: string | undefined, { now }: RequestContext): Promise<string> {
  const link = openedExportLink(sentLink(header), await ticketKey());
  if (!link || link.until <= now) throw linkNotValid();
  const issuedAt = link.until - exportLinkLasts;
  if ((await erasuresOf(link.email)).some(({ deletedAt }) => deletedAt >= issuedAt)) throw linkNotValid();
  return link.email;
}

/** What is possible now. Pure. @param now epoch milliseconds */
export function possibleByLink({ registration, event, seats, terms }: ByLink, now: number): LinkAction[] {
  const state = stateOf(registration) as State;
  const hasStarted = (seats.startsAt ?? noLimit) <= now;
  const possible = {
    cancel: !hasStarted && findMove(state, "cancelled", terms, "self") !== undefined,
    accept: !hasStarted && findMove(state, "acceptedComplete", terms, "self") !== undefined,
    come: !hasStarted && mayCome(registration) && registration.coming === undefined,
    edit: takesAnswers(registration) && !isClosed(seats, now) && questionsFor(registration, event).length > 0,
  };
  return linkActions.filter((action) => possible[action]);
}
