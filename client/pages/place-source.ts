/** Where a place comes from and what changes it: the link of a mail, or the account of who is signed in. */

import { Refused } from "../page/call.ts";
import { linkedPlace, ownPlace } from "./addresses.ts";
import { ask, askKeeping, isSecret } from "./api.ts";
import { now } from "./clock.ts";
import { isPast, momentText, whenText } from "./dates.ts";
import { answered, keyOf } from "./form.tsx";
import { account } from "./session.ts";
import { settings } from "./settings.ts";
import { actionsOf, bodies, type Move } from "./standing.ts";
import { forget, type Seen } from "./store.ts";
import type { Answers, Event, Place, RegisteredByLink, Registration } from "./types.ts";

const { timeZone } = settings;

export interface PlaceSource {
  /** Names it on this device. */
  readonly key: string;
  /** The page of this place. */
  readonly address: string;
  /** @throws Refused */
  load(): Promise<Seen<Place> & { readonly isOld: boolean }>;
  /** Moves it, as the person sees it. @throws Refused */
  move(move: Exclude<Move, "again">, seen: Place): Promise<void>;
  /** @throws Refused */
  answer(dynamicResponses: Answers, seen: Place): Promise<void>;
  /** Registers again. @returns the page of the place then @throws Refused */
  again(dynamicResponses: Answers | undefined, seen: Place): Promise<string>;
  /** @returns the address of the page to pay on @throws Refused */
  pay(): Promise<string>;
  /** The page to give feedback on. Links to places do not lead there, only mails. */
  feedback?(seen: Place): string;
}

const seenStatus = ({ registration }: Place) => ({ seenStatus: registration.registrationStatus });

/** Sends a write with its key, which is another one after an answer. */
async function askOnce<T>(
  draft: string,
  path: string,
  body: object,
  who: { link?: string; signed?: boolean },
): Promise<T> {
  try {
    const answer = await ask<T>(path, { method: "POST", body, ...who, key: keyOf(draft, body) });
    answered(draft);
    return answer;
  } catch (problem) {
    if (problem instanceof Refused && problem.status < 500) answered(draft);
    throw problem;
  }
}

/** The place of a mail's link. */
export function byLink(link: string): PlaceSource {
  const [path, key] = ["/links/registration", `place/${link}`];
  const put = async (body: object, seen: Place) => {
    await ask(path, { method: "PUT", link, body: { ...body, ...seenStatus(seen) } });
  };
  return {
    key,
    address: linkedPlace(link),
    load: () => {
      // Such a secret is in no mail, and cannot be in a header.
      if (!isSecret(link)) return Promise.reject(new Refused(401, {}));
      return askKeeping(key, () => ask<Place>(path, { link }));
    },
    move: (move, seen) => put(bodies[move], seen),
    answer: (dynamicResponses, seen) => put({ dynamicResponses }, seen),
    again: async (dynamicResponses, seen) => {
      const body = { ...(dynamicResponses && { dynamicResponses }), ...seenStatus(seen) };
      const { link: next } = await askOnce<RegisteredByLink>(`again/${link}`, path, body, { link });
      forget(key);
      return linkedPlace(next);
    },
    pay: () => askOnce(`pay/${link}`, `${path}/payments`, {}, { link }),
  };
}

/** The event of a registration, which may be hidden meanwhile. */
async function eventOf(id: string, year: number): Promise<Partial<Event> & Pick<Event, "id" | "year" | "ename">> {
  try {
    return await ask<Event>(`/events/${encodeURIComponent(id)}/${year}`, { signed: true });
  } catch (problem) {
    if (problem instanceof Refused && problem.status === 404) return { id, year, ename: id };
    throw problem;
  }
}

/** A registration of who is signed in, as a link shows it. @param at epoch milliseconds */
function placeOf(registration: Registration, event: Awaited<ReturnType<typeof eventOf>>, at: number): Place {
  const { registrationQuestions = [], partnerRegistrationQuestions = [], ...shown } = event;
  const isOfPartner = registration.isPartner && partnerRegistrationQuestions.length > 0;
  const questions = isOfPartner ? partnerRegistrationQuestions : registrationQuestions;
  const { holdExpiresAt } = registration;
  const isPriced = Math.max(event.pricing?.member ?? 0, event.pricing?.nonMember ?? 0) > 0;
  const refundUntil = isPriced ? (event.refundUntil ?? event.startDate) : undefined;
  return {
    event: { ...shown, when: whenText(event, timeZone) ?? "", ...(refundUntil && { refundUntil }) },
    ...{ registration, questions, isOver: isPast(event, at) },
    may: actionsOf(registration, event, questions.length > 0, at),
    ...(holdExpiresAt !== undefined && { heldUntil: momentText(holdExpiresAt, timeZone) }),
  };
}

/** A place of who is signed in. */
export function ofAccount(id: string, year: number): PlaceSource {
  const key = `own/${id}/${year}`;
  const page = ownPlace({ id, year });
  const email = account.value?.email ?? "";
  const which = { eventID: id, year };
  const put = async (body: object, seen: Place) => {
    const path = `/registrations/${encodeURIComponent(email)}`;
    await ask(path, { method: "PUT", signed: true, body: { ...which, ...body, ...seenStatus(seen) } });
  };
  const read = async (): Promise<Place> => {
    const query = new URLSearchParams({ eventID: id, year: String(year), email });
    const [event, { data }] = await Promise.all([
      eventOf(id, year),
      ask<{ readonly data: readonly Registration[] }>(`/registrations?${query}`, { signed: true }),
    ]);
    const [registration] = data;
    if (!registration) throw new Refused(404, {});
    const place = placeOf(registration, event, now());
    if (!place.may.includes("pay") || !event.pricing) return place;
    const { member, nonMember = member } = event.pricing;
    const { isMember } = await ask<{ readonly isMember: boolean }>("/users/self", { signed: true });
    return { ...place, price: isMember && !registration.isPartner ? member : nonMember };
  };
  return {
    key,
    address: page,
    load: () => askKeeping(key, read),
    move: (move, seen) => put(bodies[move], seen),
    feedback: ({ registration }) => `${page}&form=${registration.isPartner ? "partner" : "attendee"}`,
    answer: (dynamicResponses, seen) => put({ dynamicResponses }, seen),
    again: async (dynamicResponses, { registration }) => {
      const { fname, isPartner, basicInformation } = registration;
      const body = {
        ...which,
        email,
        fname,
        isPartner,
        basicInformation,
        ...(dynamicResponses && { dynamicResponses }),
      };
      await askOnce(`again/${key}`, "/registrations", body, { signed: true });
      return page;
    },
    pay: () => {
      const back = `${location.origin}${page}`;
      const urls = { success_url: `${back}&paid`, cancel_url: `${back}&not-paid` };
      return askOnce(`pay/${key}`, "/payments", { paymentType: "Event", ...which, ...urls }, { signed: true });
    },
  };
}

/** Where the person went to pay: the provider leads back without the secret. */
export const payingKey = "paying";
