/** Where a place comes from and what changes it: the link of a mail, or the account of who is signed in. */

import { eventPath, linkedPlace, ownPlace } from "../shared/addresses.ts";
import { ask, askKeeping, askOnce, readOwn, type Shown } from "../shared/api.ts";
import { Refused } from "../shared/call.ts";
import { now } from "../shared/clock.ts";
import { isPast, momentText, whenText, zoneOf } from "../shared/dates.ts";

import { account } from "../shared/session.ts";
import { settings } from "../shared/settings.ts";
import { forget } from "../shared/store.ts";
import type { EventWithCounts, OwnAccount, Place, RegisteredByLink, Registration } from "../shared/types.ts";
import { actionsOf, bodies, type Move } from "./standing.ts";

const { timeZone } = settings;

/** All of it @throws Refused */
export interface PlaceSource {
  /** Names it on this device. */
  readonly key: string;
  /** The page of this place. */
  readonly address: string;
  load(): Promise<Shown<Place>>;
  /** Changes the registration, as the person sees it. */
  put(body: object, seen: Place): Promise<unknown>;
  /** Offers the place to another person, or takes the offer back. */
  offer(seen: Place, to?: { readonly email: string; readonly fname: string }): Promise<unknown>;
  /** Registers again. @param names of those who come along @returns the page of the place then */
  again(seen: Place, names: readonly string[]): Promise<string>;
  /** @returns the address of the page to pay on */
  pay(): Promise<string>;
  /** The page to give feedback on. Links to places do not lead there, only mails. */
  feedback?(seen: Place): string;
}

/** Moves a place. @param names of those who come along, for who registers again @returns its page then @throws Refused */
export async function moved(source: PlaceSource, move: Move, seen: Place, names: readonly string[]): Promise<string> {
  if (move === "again") return source.again(seen, names);
  await source.put(bodies[move], seen);
  return source.address;
}

/** Those who come along, as the API takes them. */
function bringing(names: readonly string[]) {
  const plusOnes = names.flatMap((name) => (name.trim() ? [{ fname: name.trim() }] : []));
  return plusOnes.length > 0 ? { plusOnes } : {};
}

const seenStatus = ({ registration }: Place) => ({ seenStatus: registration.registrationStatus });

/** The place of a mail's link. */
export function byLink(link: string): PlaceSource {
  const [path, key] = ["/links/registration", `place/${link}`];
  return {
    key,
    address: linkedPlace(link),
    load: () => askKeeping(key, () => ask<Place>(path, { link })),
    put: (body, seen) => ask(path, { method: "PUT", link, body: { ...body, ...seenStatus(seen) } }),
    offer: (seen, to) => ask(path, { method: "PUT", link, body: { offer: to ?? {}, ...seenStatus(seen) } }),
    again: async (seen, names) => {
      const body = { ...seenStatus(seen), ...bringing(names) };
      const { link: next } = await askOnce<RegisteredByLink>(`again/${key}`, path, body, { link });
      forget(key);
      return linkedPlace(next);
    },
    pay: () => askOnce(`pay/${key}`, `${path}/payments`, {}, { link }),
  };
}

type KnownEvent = Partial<EventWithCounts> & Pick<EventWithCounts, "id" | "year" | "ename">;

/** The event of a registration, which may be hidden meanwhile. @throws Refused */
export const eventOf = (id: string, year: number): Promise<KnownEvent> =>
  ask<EventWithCounts>(eventPath({ id, year }), { signed: true }).catch((problem: unknown) => {
    if (problem instanceof Refused && problem.status === 404) return { id, year, ename: id };
    throw problem;
  });

/** A registration of who is signed in, as a link shows it. @param at epoch milliseconds */
function placeOf(registration: Registration, event: KnownEvent, at: number): Place {
  const { registrationQuestions = [], partnerRegistrationQuestions = [], behindOthers, ...shown } = event;
  const isOfPartner = registration.isPartner && partnerRegistrationQuestions.length > 0;
  const questions = isOfPartner ? partnerRegistrationQuestions : registrationQuestions;
  const { holdExpiresAt } = registration;
  const isPriced = Math.max(event.pricing?.member ?? 0, event.pricing?.nonMember ?? 0) > 0;
  const refundUntil = isPriced ? (event.refundUntil ?? event.startDate) : undefined;
  return {
    event: { ...shown, when: whenText(event, timeZone) ?? "", ...(refundUntil && { refundUntil }) },
    ...{ registration, questions, isOver: isPast(event, at) },
    ...(behindOthers && { behindOthers }),
    may: actionsOf(registration, event, questions.length > 0, at),
    ...(holdExpiresAt !== undefined && { heldUntil: momentText(holdExpiresAt, zoneOf(event, timeZone)) }),
  };
}

/** A place of who is signed in. */
export function ofAccount(id: string, year: number): PlaceSource {
  const key = `own/${id}/${year}`;
  const page = ownPlace({ id, year });
  const email = account.value?.email ?? "";
  const which = { eventID: id, year };
  const read = async (): Promise<Place> => {
    const query = { eventID: id, year: String(year), email };
    const [event, [registration]] = await Promise.all([eventOf(id, year), readOwn(query)]);
    if (!registration) throw new Refused(404, {});
    const place = placeOf(registration, event, now());
    if (!place.may.includes("pay") || !event.pricing) return place;
    const { member, nonMember = member } = event.pricing;
    const { isMember, memberUntil } = await ask<OwnAccount>("/users/self", { signed: true });
    // A seat keeps the price of when the person registered.
    const wasMember = memberUntil !== undefined && registration.createdAt <= Date.parse(memberUntil);
    const own = (isMember || wasMember) && !registration.isPartner ? member : nonMember;
    return { ...place, price: own + (registration.plusOnes?.length ?? 0) * (event.plusOnePrice ?? 0) };
  };
  return {
    key,
    address: page,
    load: () => askKeeping(key, read),
    put: (body, seen) =>
      ask(`/registrations/${encodeURIComponent(email)}`, {
        ...{ method: "PUT", signed: true },
        body: { ...which, ...body, ...seenStatus(seen) },
      }),
    offer: (seen, to) =>
      ask(`/registrations/${encodeURIComponent(email)}/transfer`, {
        ...{ method: "POST", signed: true, body: { ...which, offer: to ?? {}, ...seenStatus(seen) } },
      }),
    again: async ({ registration: { fname, isPartner, basicInformation } }, names) => {
      const body = { ...which, email, fname, isPartner, basicInformation, ...bringing(names) };
      await askOnce(`again/${key}`, "/registrations", body, { signed: true });
      return page;
    },
    pay: () => {
      const back = `${location.origin}${page}`;
      const urls = { success_url: `${back}&paid`, cancel_url: `${back}&not-paid` };
      return askOnce(`pay/${key}`, "/payments", { paymentType: "Event", ...which, ...urls }, { signed: true });
    },
    feedback: ({ registration }) => `${page}&form=${registration.isPartner ? "partner" : "attendee"}`,
  };
}

/** Where the person went to pay: the provider leads back without the secret. */
export const payingKey = "paying";
