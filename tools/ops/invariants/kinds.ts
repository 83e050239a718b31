/**
 * Each kind of damage: what it means for people, and what resolves it. A kind has either one of the six repairs of
 * `npm run ops -- repair`, or advice. Advice names routes and commands; it never asks for an edit of the table. The order
 * is the order of a report.
 */

/** The repairs, with what they do. */
export const repairs = {
  counters: "the difference is added to the counters or the points",
  gate: "newcomers join the line from now on",
  "free seats": "places in line follow the registrations, and free seats go to the people who are next, with a mail",
  holds: "each unpaid seat has its hold, no other seat has one, and a hold that is over ends",
  payments: "the provider is asked how the session ended, and its message is carried out",
  messages: "the message goes to the bus again, and consumers skip what they have done",
} as const;

type Resolution =
  | { readonly repair: keyof typeof repairs; readonly advice?: never }
  | { readonly repair?: never; readonly advice: string };

const restore = 'restore the table (docs/runbook.md, "Bring back data")';
const newProfile =
  "DELETE /users/{email}, then POST /members/grant makes a new profile. The deletion cancels the person's upcoming registrations.";

export const kinds = {
  "no seats": {
    means: "An event has no seats, so no person can register.",
    advice: `No route makes seats for an event that exists: ${restore}, or create the event under another id with POST /events.`,
  },
  "seats of no event": {
    means: "There are seats of an event that is gone, and they are not marked so.",
    advice: `The id is taken while the seats are there: ${restore}, or create the event under another id with POST /events.`,
  },
  "no event": {
    means: "A registration is live, but its event and its seats are missing.",
    advice:
      "DELETE /registrations/{email} ends it. If the event takes place, create it with POST /events, and register the people again with POST /registrations.",
  },
  "other terms": {
    means: "The seats have other terms than the event: capacity, state, price, deadline, start or workshops.",
    advice: `PATCH /events/{eventId}/{year} with another capac, then with the right one: each change writes all terms to the seats. If the generation differs, ${restore}.`,
  },
  "lost registration": {
    means: "A person was told of a registration that is not there: it is lost, and the seat may be counted.",
    advice:
      "POST /registrations registers the person again; in a full event the person joins the line. If the person does not come any more, DELETE /registrations/{email} after that. Then npm run ops -- repair corrects the counters; until then they stay, so that nobody is given the seat.",
  },
  "other choice": {
    means: "A registration answers with another workshop than the one that is counted for it.",
    advice:
      "PUT /registrations/{email}/{fname} with the answer of the person in dynamicResponses. If that workshop is full, ask the person for another one.",
  },
  "other counts": {
    means:
      "The counters of an event are not those of the registrations: a lost seat, a surplus seat, a workshop, the uses of a code.",
    repair: "counters",
  },
  "direct gate": { means: "People wait for the next free seat, but newcomers take it past them.", repair: "gate" },
  "free seat": { means: "A seat is free, and a person waits who can take it.", repair: "free seats" },
  "in a gone event": {
    means: "A registration is live, but its event is deleted or was created anew.",
    advice:
      "npm run ops -- replay --from <time of the deletion> --type event.deleted ends all of them. DELETE /registrations/{email} ends one.",
  },
  "not in line": {
    means: "A person waits without a place in line, and would never move up.",
    repair: "free seats",
  },
  "other place": {
    means: "A place in line is not that of its registration, and would block the line.",
    repair: "free seats",
  },
  "same place": {
    means: "Two registrations of an event have the same queueKey, but only one person can have that place in line.",
    advice:
      "It does no harm to people with a seat. Of two who wait, DELETE /registrations/{email} the one whom the place names, and register this person again with POST /registrations. Then npm run ops -- repair gives the other one the place.",
  },
  "place of no person": { means: "A place in line belongs to no person who waits.", repair: "free seats" },
  "no hold": { means: "An unpaid seat has no hold, and would never become free.", repair: "holds" },
  "hold on a paid seat": { means: "A registration that is not unpaid has the end of a hold.", repair: "holds" },
  "hold of no person": { means: "A hold belongs to no unpaid registration.", repair: "holds" },
  "hold over": { means: "A hold is over, and the sweeper has not ended it.", repair: "holds" },
  "other points": {
    means: "The points of a person over all events are not the sum of their registrations.",
    repair: "counters",
  },
  "not listed": {
    means: "A record is not where the lists read it.",
    advice:
      "A change writes the record again: PATCH /events/{eventId}/{year}, PUT /registrations/{email}/{fname}, PATCH /members/{email} or POST /btx/admin/project. No route lists a user, feedback, a game account or a trade again; the record is whole, and only lists miss it.",
  },
  "no account": {
    means: "A member whose account was made together with the membership has none.",
    advice: "POST /members/grant makes what is missing and keeps the rest.",
  },
  "no membership": {
    means:
      "A member has an account and a profile, and the membership is missing. An admin may have marked the account later.",
    advice: "POST /members/grant, with a mail. If the person is no member, PATCH /users/{email} with isMember false.",
  },
  "other profile id": {
    means: "A membership names another profile than the person has.",
    advice: "POST /members/grant makes them agree.",
  },
  "no profile id": {
    means: "A profile cannot be found by its id.",
    advice: `No route gives the id back. ${newProfile}`,
  },
  "profile id of another": {
    means: "Two people have the same profile id.",
    advice: `No route gives the id back. ${newProfile}`,
  },
  "profile id of no person": {
    means: "A profile id leads to no profile, and no person could get it.",
    advice: "It does no harm: new profiles draw other ids. No route removes it.",
  },
  "payment not noted": {
    means: "A registration is paid by a payment that is not noted as settled.",
    advice:
      "The seat is safe. No route notes the payment, so do not send its event again at the provider: the service would ask for a refund.",
  },
  "other waiting payment": {
    means: "A payment is open and is not listed as one that waits, or is listed and at its end.",
    advice: "POST /payments/{paymentId}/refunds or …/decisions do what it waits for, and list it as it then is.",
  },
  "paid but not confirmed": {
    means: "A payment is settled as a seat, but the registration still waits for the money.",
    advice:
      "PUT /registrations/{email}/{fname} with the status registered, or acceptedComplete for an accepted application, before the hold is over. A later cancellation asks for no refund: refund it at the provider.",
  },
  "unsettled payment": {
    means: "A checkout's session ended over an hour ago, and the provider's message about it never came.",
    repair: "payments",
  },
  "checkout still open": { means: "A checkout is settled but not closed.", repair: "payments" },
  "message not heard": {
    means: "A consumer has never begun with a message that is older than fifteen minutes.",
    repair: "messages",
  },
  "mail not finished": {
    means: "A try to send a mail ended without a result, and no other try came.",
    repair: "messages",
  },
  "unsendable message": {
    means: "A row of the outbox is no message, so the relay can never send it.",
    advice:
      "No route corrects the row; it goes after 400 days. If a person misses the mail about a registration, POST /registrations/resend-ticket.",
  },
  "campaign without its parts": {
    means: "A campaign's content, batches or time are missing.",
    advice:
      "DELETE /emails/campaigns/{id} stops it, and POST /emails/send goes to those whom it has not reached. The record goes after 180 days.",
  },
  "batch not sent": {
    means: "A campaign began over four days ago, and people of a batch have not got it.",
    repair: "messages",
  },
  "template not listed": {
    means: "A template is not in the list of templates, or differs there.",
    advice: "PATCH /emails/templates/{templateName} with a change: it writes the line too.",
  },
  "line of no template": {
    means: "The list of templates has a line without a template.",
    advice: "POST /emails/templates with this name, then DELETE /emails/templates/{templateName}.",
  },
  "game account not listed": {
    means: "An account of the game is not in the list by which a reset finds it.",
    advice:
      "It does harm only at a reset of the event: POST /btx/admin/reset for this person by email as well. No route lists it again.",
  },
  "listed without an account": {
    means: "The list of a game's accounts names a person without an account.",
    advice: "It does no harm: a reset passes over it, and the person's next trade opens the account.",
  },
  "project without its half": {
    means: "A project of the game has a text and no market, or a market and no text.",
    advice:
      "It is neither listed nor traded, and no route completes it: save it under another id with POST /btx/admin/project.",
  },
  "wrong key": {
    means: "A record is stored under the key of another one.",
    advice: `No part of the service writes such a record. A user goes with DELETE /users/{email}, by the email of the key. No route moves another record: find out who wrote it, and ${restore}.`,
  },
  "unreadable record": {
    means: "A record lacks what its rule needs to read it.",
    advice: `No part of the service writes such a record, and no route corrects it. Find out who wrote it, and ${restore}.`,
  },
  "unknown item": {
    means: 'This version of the service knows no such kind of item (docs/design.md, "The data model").',
    advice:
      "A newer version may have written it: run the check of the deployed version. If it is none of ours, find out who wrote it.",
  },
} as const satisfies Readonly<Record<string, { readonly means: string } & Resolution>>;

export type Kind = keyof typeof kinds;

/** The kinds that a repair resolves. */
export type RepairedKind = { [K in Kind]: (typeof kinds)[K] extends { readonly repair: string } ? K : never }[Kind];

export const isRepaired = (kind: Kind): kind is RepairedKind => "repair" in kinds[kind];

/** What resolves findings of this kind, for an operator. */
export function resolutionOf(kind: Kind): string {
  const { repair, advice }: Resolution = kinds[kind];
  return repair === undefined ? advice : `npm run ops -- repair (${repair}): ${repairs[repair]}.`;
}
