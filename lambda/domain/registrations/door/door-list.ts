/** The list with which a device at the door decides alone (`docs/contract.md`, "The door"). */
import { createHash } from "node:crypto";
import type { EventRecord } from "#domain/events/event.ts";
import { getItems, type Item } from "#kit/table.ts";
import type { RegistrationRecord } from "../record/registration.ts";
import { stateOf } from "../record/statuses.ts";
import { registrationIn, type StoredRegistration } from "../record/stored-form.ts";
import { registrationsOf } from "../store/store.ts";
import { ticketCode } from "../tickets/code.ts";

/** More tickets are not in the list, so devices ask about them. About 3 MB. */
const maxTickets = 40_000;
const markBytes = 12;

/** Identifies a ticket's code without being one. 96 bits of its hash. */
export const markOfCode = (code: string): string =>
  createHash("sha256").update(code).digest().subarray(0, markBytes).toString("base64url");

/** The mark of a registration's present ticket. @param key seals ticket codes */
export const markOfTicket = (registration: RegistrationRecord, key: string): string =>
  markOfCode(ticketCode(registration, key));

/** Who checked a person in, when no device did. */
export const executive = "an executive";

const longestName = 30;

/** The first name, and the initial of the last one: all that a device shows of a person. */
export function doorName({ fname, basicInformation }: Pick<RegistrationRecord, "fname" | "basicInformation">): string {
  const [first = "", ...others] = fname.trim().split(/\s+/);
  const [initial] = (basicInformation.lname?.trim() || others.at(-1)) ?? "";
  return `${[...first].slice(0, longestName).join("")}${initial === undefined ? "" : ` ${initial}.`}`;
}

interface DoorTicket {
  readonly email: string;
  readonly mark: string;
  readonly state: string;
  readonly name: string;
  readonly choices: readonly string[];
  /** When the person was checked in, epoch milliseconds, and by which device. */
  readonly since?: number;
  readonly device?: string;
}

/** Distinguishes the states of a registration. Rows of the index have these fields too. */
const stampOf = ({
  status,
  updatedAt,
  checkedInAt,
}: Pick<RegistrationRecord, "status" | "updatedAt" | "checkedInAt">) => `${status} ${updatedAt} ${checkedInAt}`;

const ticketOf = (registration: RegistrationRecord, key: string): DoorTicket => ({
  email: registration.email,
  mark: markOfTicket(registration, key),
  state: stateOf(registration),
  name: doorName(registration),
  choices: Object.values(registration.choices).sort(),
  ...(registration.status === "checkedIn" && {
    since: registration.checkedInAt,
    device: registration.checkedInBy?.device ?? executive,
  }),
});

interface KnownTicket {
  readonly stamp: string;
  readonly ticket: DoorTicket;
}

/**
 * The tickets of the event that this instance was asked about last, by partition key. The index lacks the ticket's id, so
 * each registration is read too, but only when it has changed.
 */
let known: { readonly generation: string; readonly tickets: ReadonlyMap<string, KnownTicket> } | undefined;

/** All tickets of an event, in order of arrival. Eventually consistent. */
async function readTickets(event: EventRecord, key: string): Promise<DoorTicket[]> {
  const before = known?.generation === event.generation ? known.tickets : new Map<string, KnownTicket>();
  const rows: StoredRegistration[] = [];
  for await (const row of registrationsOf(event)) {
    if (row.generation === event.generation) rows.push(row as StoredRegistration);
    if (rows.length === maxTickets) break;
  }
  const changed = rows.filter((row) => before.get(row.PK)?.stamp !== stampOf(row));
  const items = await getItems<Item>(
    changed.map(({ PK, SK }) => ({ PK, SK })),
    "eventual",
  );
  const read = items.map(registrationIn).map((registration) => {
    // The stamp is that of the record, which may be older or newer than the row.
    const found = { stamp: stampOf(registration), ticket: ticketOf(registration, key) };
    return [registration.PK, found] as const;
  });
  const now = new Map([...before, ...read]);
  const tickets = new Map(rows.flatMap(({ PK }) => (now.has(PK) ? [[PK, now.get(PK) as KnownTicket]] : [])));
  known = { generation: event.generation, tickets };
  return [...tickets.values()].map(({ ticket }) => ticket);
}

/** The person whose ticket has a mark; undefined when it is in no list. @param key seals ticket codes */
export async function emailOfMark(mark: string, event: EventRecord, key: string): Promise<string | undefined> {
  const find = () => [...(known?.tickets.values() ?? [])].find(({ ticket }) => ticket.mark === mark)?.ticket.email;
  // Marks of different events differ.
  const email = find();
  if (email === undefined) await readTickets(event, key);
  return email ?? find();
}

/** A ticket in the list: mark, state and name; choices as places in `choices`; since when and by which of `devices`. */
export type ListedTicket = [string, string, string, number[], number?, number?];

const distinct = (values: readonly string[]): string[] => [...new Set(values)].sort();

/**
 * The list of an event, without whatever a device need not know.
 * @param key seals ticket codes
 */
export async function doorList(event: EventRecord, key: string) {
  const tickets = await readTickets(event, key);
  const { id, year, ename, startDate, endDate } = event;
  const devices = distinct(tickets.flatMap(({ device }) => device ?? []));
  const choices = distinct(tickets.flatMap((ticket) => ticket.choices));
  return {
    event: { id, year, ename, startDate, endDate },
    devices,
    choices,
    tickets: tickets.map(({ mark, state, name, choices: own, since, device = "" }): ListedTicket => {
      const places = own.map((choice) => choices.indexOf(choice));
      return since === undefined
        ? [mark, state, name, places]
        : [mark, state, name, places, since, devices.indexOf(device)];
    }),
  };
}
