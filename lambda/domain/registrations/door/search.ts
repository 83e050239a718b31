/**
 * Finds people at the door by what a device does not have: last names and emails (`docs/contract.md`, "The door"). An answer
 * shows no more of them than was typed. A search reads what the list reads: the event's rows of the index, 25 units for 300
 * registrations and 165 for 2,000, and half a unit for each registration that this instance does not know.
 */

import type { EventRecord } from "#domain/events/event.ts";
import { folded, isFound, searchFor } from "#domain/people/list.ts";
import { doorName, type Named, namesOf, readTickets, type Ticket } from "./door-list.ts";

const mostFound = 10;

/** A person at the door. */
interface Found {
  /** Of the ticket, as in the list. */
  readonly mark: string;
  /** The first name, and the last one as far as it was typed, at least its initial. */
  readonly name: string;
  /** The first letter and the domain: `a…@student.example`. Tells people with one name apart. */
  readonly email: string;
}

type Person = Named & { readonly email: string };

/** Names may be written and typed without their punctuation, or with spaces instead: `O'Neil`, `Jean-Luc`. */
const spellings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace(/\p{P}/gu, ""),
  (text) => text.replace(/\p{P}/gu, " "),
];

/** Finds those whose first name, last name, both or email begin with a text, in one spelling of it. */
function meantBy(text: string): (person: Person) => boolean {
  const whole = searchFor(text);
  const spelled = spellings
    .map((spell) => ({ spell, wanted: spell(text).trim() }))
    .filter(({ wanted }) => wanted !== "")
    .map(({ spell, wanted }) => ({ spell, search: searchFor(wanted) }));
  return (person) => {
    const { first, last } = namesOf(person);
    const isNamed = ({ spell, search }: (typeof spelled)[number]) =>
      [first, person.fname].some((name) => isFound(search, { email: "", first: spell(name), last: spell(last) }));
    return isFound(whole, { email: person.email }) || spelled.some(isNamed);
  };
}

const lettersOf = (text: string): string => folded(text.replace(/\p{P}/gu, "")).replaceAll(" ", "");

/** The first name, and of the last one what the text has of it, at least its initial. */
function nameAsTyped(person: Named, text: string): string {
  const { first, last } = namesOf(person);
  const typed = lettersOf(text);
  const rests = ["", first, person.fname].map(lettersOf).flatMap((before) => {
    const rest = typed.startsWith(before) ? typed.slice(before.length) : "";
    return rest !== "" && lettersOf(last).startsWith(rest) ? [rest.length] : [];
  });
  const letters = [...last];
  const longest = Math.max(0, ...rests);
  const shown = letters.findIndex((_, at) => lettersOf(letters.slice(0, at + 1).join("")).length >= longest) + 1;
  if (longest < 2 || text.includes("@")) return doorName(person);
  return `${first} ${letters.slice(0, shown).join("")}${shown < letters.length ? "…" : ""}`;
}

const masked = (email: string): string => email.replace(/^(.).*(?=@)/u, "$1…");

/** The first people of a list whose first name, last name, both or email begin with a text. `hasMore`: there are others. */
export function foundIn(tickets: readonly Ticket[], text: string) {
  const isMeant = meantBy(text);
  const found = tickets.filter(({ registration }) => isMeant(registration));
  const people = found.slice(0, mostFound).map(
    ({ mark, registration }): Found => ({
      mark,
      name: nameAsTyped(registration, text),
      email: masked(registration.email),
    }),
  );
  return { people, hasMore: found.length > mostFound };
}

/** Searches the people of an event. @param key seals ticket codes */
export const searchDoor = async (event: EventRecord, text: string, key: string) =>
  foundIn(await readTickets(event, key), text);
