/** The list with which a device at the door decides alone (`docs/contract.md`, "The door"). */

import { createHash } from "node:crypto";
import type { EventRecord } from "#domain/events/event.ts";
import { getItems, type Item } from "#kit/table/table.ts";
import { ticketCode } from "../links/ticket-code.ts";
import type { RegistrationRecord } from "../record/registration.ts";
import { stateOf } from "../record/statuses.ts";
import { type ListedRegistration, registrationIn, type StoredRegistration } from "../record/stored-form.ts";
import { registrationKey, registrationsOf } from "../store/store.ts";
import { bearersOf } from "./bearers.ts";
import { reasons } from "./scans.ts";

/** More tickets are not in the list, so devices ask about them. About 3 MB. */
const maxTickets = 40_000;
const markBytes = 12;

/** Identifies a ticket's code without being one. 96 bits of its hash. */
export const markOfCode = (code: string): string =>
  createHash("sha256").update(code).digest().subarray(0, markBytes).toString("base64url");

/** The mark of a registration's present ticket, or of that of a plus-one. @param key seals ticket codes */
export const markOfTicket = (registration: RegistrationRecord, key: string): string =>
  markOfCode(ticketCode(registration, key));

const longestName = 30;

export type Named = Pick<RegistrationRecord, "fname" | "basicInformation">;

/** The first name as a device shows it, and the last one, which may be the end of `fname`. */
export function namesOf({ fname, basicInformation }: Named): { readonly first: string; readonly last: string } {
  const [first = "", ...others] = fname.trim().split(/\s+/);
  const last = (basicInformation.lname?.trim() || others.at(-1)) ?? "";
  return { first: [...first].slice(0, longestName).join(""), last };
}

/** The first name, and the initial of the last one: all that the list has of a person. */
export function doorName(person: Named): string {
  const { first, last } = namesOf(person);
  const [initial] = last;
  return `${first}${initial === undefined ? "" : ` ${initial}.`}`;
}

/** The device, or who else, that has checked a person in; undefined when the person is not in. */
export const checkedInBy = ({ status, checkedInBy }: RegistrationRecord): string | undefined =>
  status === "checkedIn" ? (checkedInBy?.device ?? "an executive") : undefined;

/** Distinguishes the states of a registration. Rows of the index have these fields too. */
const stampOf = ({ status, updatedAt, checkedInAt }: Omit<ListedRegistration, "queueKey">): string =>
  `${status} ${updatedAt} ${checkedInAt}`;

export interface Ticket {
  readonly mark: string;
  /** As the door sees the ticket. */
  readonly registration: StoredRegistration;
}

/**
 * The tickets of the event that this instance was asked about last, by partition key. The index lacks the ticket's id, so
 * each registration is read too, but only when it has changed.
 */
let known: { readonly generation: string; readonly tickets: ReadonlyMap<string, readonly Ticket[]> } | undefined;

/** All tickets of an event, in order of arrival. Eventually consistent. @param key seals ticket codes */
export async function readTickets(event: EventRecord, key: string): Promise<Ticket[]> {
  const tickets = new Map(known?.generation === event.generation ? known.tickets : []);
  const rows: ListedRegistration[] = [];
  for await (const row of registrationsOf(event)) {
    if (row.generation === event.generation) rows.push(row);
    if (rows.length === maxTickets) break;
  }
  const isChanged = (row: ListedRegistration) => {
    const before = tickets.get(row.PK);
    return !before?.[0] || stampOf(before[0].registration) !== stampOf(row);
  };
  const keys = rows
    .filter(isChanged)
    .map(({ email, eventID: id, year }) => registrationKey({ email, event: { id, year } }));
  // A record may be older or newer than its row. Then it is read again the next time.
  for (const item of await getItems<Item>(keys, "eventual")) {
    const registration = registrationIn(item);
    const bearers = bearersOf(registration);
    tickets.set(
      item.PK,
      bearers.map((bearer) => ({ mark: markOfTicket(bearer, key), registration: bearer })),
    );
  }
  known = { generation: event.generation, tickets };
  return rows.flatMap(({ PK }) => tickets.get(PK) ?? []);
}

/**
 * Finds the person whose ticket has a mark; undefined when it is in no list. Reads the tickets at most once.
 * @param key seals ticket codes
 */
export function emailsByMark(event: EventRecord, key: string): (mark: string) => Promise<string | undefined> {
  let reading: Promise<unknown> | undefined;
  const find = (mark: string) => {
    const tickets = known?.generation === event.generation ? [...known.tickets.values()].flat() : [];
    return tickets.find((ticket) => ticket.mark === mark)?.registration.email;
  };
  return async (mark) => {
    if (find(mark) === undefined) {
      reading ??= readTickets(event, key);
      await reading;
    }
    return find(mark);
  };
}

/** The state as the door shows it: a seat whose payment went back is not let in without a question. */
const doorStateOf = (registration: RegistrationRecord): string =>
  registration.refunded && registration.status !== "checkedIn" ? reasons.refunded : stateOf(registration);

/** A ticket in the list: mark, state and name; choices as places in `choices`; since when and by which of `devices`. */
export type ListedTicket = [string, string, string, number[], number?, number?];

const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();

/**
 * The list of an event, without whatever a device need not know.
 * @param key seals ticket codes
 * @param since epoch milliseconds: only the tickets that have changed since then; their places are those of the whole list
 */
export async function doorList(event: EventRecord, key: string, since = 0) {
  const { id, year, ename, startDate, endDate } = event;
  const tickets = await readTickets(event, key);
  const devices = distinct(tickets.flatMap(({ registration }) => checkedInBy(registration) ?? []));
  const choices = distinct(tickets.flatMap(({ registration }) => Object.values(registration.choices)));
  const isChanged = ({ registration }: Ticket) => registration.updatedAt >= since;
  return {
    event: { id, year, ename, startDate, endDate },
    devices,
    choices,
    tickets: tickets.filter(isChanged).map(({ mark, registration }): ListedTicket => {
      const places = choices.flatMap((choice, n) => (Object.values(registration.choices).includes(choice) ? n : []));
      const device = checkedInBy(registration);
      const ticket = [mark, doorStateOf(registration), doorName(registration), places] as const;
      return device === undefined ? [...ticket] : [...ticket, registration.checkedInAt, devices.indexOf(device)];
    }),
  };
}
