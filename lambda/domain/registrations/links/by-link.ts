/** What a link opens, and what its bearer may do (`docs/contract.md`, "Links"). */

import { noLimit, type Seats } from "#domain/capacity/seats.ts";
import type { CodeRecord } from "#domain/codes/code.ts";
import type { EventRecord } from "#domain/events/event.ts";
import type { GuestsAllowed } from "#domain/events/event-input.ts";
import { erasuresOf } from "#domain/people/users/erasures.ts";
import { isMemberAt } from "#domain/people/users/user.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { retried } from "#kit/table/retry.ts";
import { readAdmissionFacts, readLostCode } from "../admission.ts";
import { questionsFor } from "../form/answers.ts";
import { isClosed, mayEnter, termsOf } from "../form/eligibility.ts";
import { mayHandOn } from "../record/handing-on.ts";
import { findMove, type Terms } from "../record/moves.ts";
import {
  countsAsMember,
  isLive,
  isUnpaid,
  mayCome,
  type RegistrationRecord,
  takesAnswers,
} from "../record/registration.ts";
import { type State, stateOf } from "../record/statuses.ts";
import { exportLinkLasts, openedExportLink } from "./export-link.ts";
import {
  isLinked,
  type LinkAction,
  type LinkPurpose,
  linkActions,
  linkNotValid,
  type OpenedLink,
  sentLink,
} from "./link.ts";
import { secretIn } from "./opened-link.ts";
import { ticketKey } from "./ticket-key.ts";

/** The registration of a link, with what its answers depend on. */
export interface ByLink {
  readonly registration: RegistrationRecord;
  readonly event: EventRecord;
  readonly seats: Seats;
  readonly terms: Terms;
  readonly isMember: boolean;
  /** With a record, or as who has signed in to register. */
  readonly hasAccount: boolean;
  /** The code of a cancelled registration, which counts again for who registers again. */
  readonly former?: CodeRecord | undefined;
}

/** The registration of a link, with event and seats. Undefined when its ticket is no longer the one of the link. */
async function facts(link: OpenedLink, context: RequestContext): Promise<ByLink | undefined> {
  const { email, eventID, year } = link;
  const read = await retried(() => readAdmissionFacts({ email, eventID, year }, "strong"), context);
  const { event, seats, registration, user } = read;
  if (!registration || !event || !seats || seats.generation !== event.generation) return undefined;
  if (!isLinked(link, registration, event)) return undefined;
  const isMember = isLive(registration, event.generation)
    ? countsAsMember(user, registration)
    : isMemberAt(user, context.now);
  const { isPartner } = registration;
  const terms = termsOf(event, { isMember, isPartner }, registration);
  const code = await retried(() => readLostCode(registration), context);
  const former = code === "gone" ? undefined : code;
  const hasAccount = user !== undefined || registration.joined === "self/account";
  return { registration, event, seats, terms, isMember, hasAccount, former };
}

/** What a link opens. @throws Unauthenticated its registration is gone, or has another ticket */
export async function linked(link: OpenedLink, context: RequestContext): Promise<ByLink> {
  const found = await facts(link, context);
  if (!found) throw linkNotValid();
  return found;
}

/** Reads the `Authorization` header of routes for links of one purpose. @throws Unauthenticated */
export const bearerOf =
  (purpose: LinkPurpose) =>
  async (header: string | undefined, context: RequestContext): Promise<ByLink> =>
    linked(await secretIn(header, [purpose], context), context);

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

/**
 * What is possible now. Pure.
 * @param guests who may register without an account, where the event does not say
 * @param now epoch milliseconds
 */
export function possibleByLink(found: ByLink, guests: GuestsAllowed, now: number): LinkAction[] {
  const { registration, event, seats, terms, former } = found;
  const code = former && { found: former, isFormer: true };
  const { holdExpiresAt = 0 } = registration;
  const state = stateOf(registration) as State;
  const hasStarted = (seats.startsAt ?? noLimit) <= now;
  const possible = {
    cancel: !hasStarted && findMove(state, "cancelled", terms, "self") !== undefined,
    accept: !hasStarted && findMove(state, "acceptedComplete", terms, "self") !== undefined,
    come: !hasStarted && mayCome(registration) && registration.coming === undefined,
    edit: takesAnswers(registration) && !isClosed(seats, now) && questionsFor(registration, event).length > 0,
    pay: isUnpaid(registration) && terms.priced && holdExpiresAt > now,
    handOn: !hasStarted && mayHandOn(registration, event),
    again: state === "cancelled" && mayEnter(registration, { ...found, code, origin: "self/link", guests, now }),
  };
  return linkActions.filter((action) => possible[action]);
}
