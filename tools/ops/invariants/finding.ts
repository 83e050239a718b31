/** The kinds of damage of a stage's records, and how rules report them. */
import type { Item, Key } from "#kit/table.ts";

/** Each kind of damage, with its effect on people, in the order of a report. */
export const kinds = {
  "no seats": "An event has no seats, so no person can register.",
  "seats of no event": "There are seats of an event that is gone, and they are not marked so.",
  "no event": "A registration is live, but its event and its seats are missing.",
  "other terms": "The seats have other terms than the event: capacity, state, price, deadline, start or workshops.",
  "lost registration":
    "A person was told of a registration that is not there: it is lost, and the seat may be counted.",
  "other choice": "A registration answers with another workshop than the one that is counted for it.",
  "other counts":
    "The counters of the seats are not those of the registrations: a lost seat, a surplus seat, a workshop.",
  "direct gate": "People wait for the next free seat, but newcomers take it past them.",
  "free seat": "A seat is free, and a person waits who can take it.",
  "in a gone event": "A registration is live, but its event is deleted or was created anew.",
  "not in line": "A person waits without a place in line, and would never move up.",
  "other place": "A place in line is not that of its registration, and would block the line.",
  "same place":
    "Two registrations of an event have the same queueKey, but only one person can have that place in line.",
  "place of no person": "A place in line belongs to no person who waits.",
  "no hold": "An unpaid seat has no hold, and would never become free.",
  "hold on a paid seat": "A registration that is not unpaid has the end of a hold.",
  "hold of no person": "A hold belongs to no unpaid registration.",
  "hold over": "A hold is over, and the sweeper has not ended it.",
  "other points": "The points of a person over all events are not the sum of their registrations.",
  "not listed": "A record is not where the lists read it.",
  "no account": "A member whose account was made together with the membership has none.",
  "no membership":
    "A member has an account and a profile, and the membership is missing. An admin may have marked the account later.",
  "unmarked member": "A member's account is not marked. An admin may have done that on purpose; an import never does.",
  "other profile id": "A membership names another profile than the person has.",
  "no profile id": "A profile cannot be found by its id.",
  "profile id of another": "Two people have the same profile id.",
  "profile id of no person": "A profile id leads to no profile, and no person could get it.",
  "payment not noted": "A registration is paid by a payment that is not noted as settled.",
  "paid but not confirmed": "A payment is settled as a seat, but the registration still waits for the money.",
  "unsettled payment": "A checkout's session ended over an hour ago, and the provider's message about it never came.",
  "checkout still open": "A checkout is settled but not closed.",
  "message not heard": "A consumer has never begun with a message that is older than fifteen minutes.",
  "mail not finished": "A try to send a mail ended without a result, and no other try came.",
  "unsendable message": "A row of the outbox is no message, so the relay can never send it.",
  "campaign without its parts": "A campaign's content or batches are missing.",
  "batch not sent": "A campaign began over four days ago, and people of a batch have not got it.",
  "template not listed": "A template is not in the list of templates, or differs there.",
  "line of no template": "The list of templates has a line without a template.",
  "game account not listed": "An account of the game is not in the list by which a reset finds it.",
  "listed without an account": "The list of a game's accounts names a person without an account.",
  "project without its half": "A project of the game has a text and no market, or a market and no text.",
  "wrong key": "A record is stored under the key of another one.",
  "unreadable record": "A record lacks what its rule needs to read it.",
  "unknown item": "No part of the service writes such an item.",
} as const satisfies Readonly<Record<string, string>>;

export type Kind = keyof typeof kinds;

/** A problem that the rule of an item reports. */
export interface Finding {
  readonly kind: Kind;
  /** The details, for an operator. */
  readonly says: string;
}

/** What a rule may use in addition to its item. */
export interface Facts {
  /** Finds a related item. */
  find(key: Key): Item | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The table was just filled by an import, so nobody has used it yet. */
  readonly isImported: boolean;
}

/** The rule of one kind of item. */
export interface Rule {
  /** The keys of the items that this one is compared with, at most 90, so that a transaction can check all. */
  related(item: Item): readonly Key[];
  /** Pure. */
  judge(item: Item, facts: Facts): readonly Finding[];
  /**
   * The attributes by which indexes list the item. They depend only on the item.
   * @returns undefined for an item that no index lists
   */
  listed?(item: Item): Readonly<Record<string, unknown>> | undefined;
}

export const keyText = ({ PK, SK }: Key): string => `${PK} | ${SK}`;
