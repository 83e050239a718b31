/** Decides whether a newcomer may take a free seat (`docs/design.md`, "The capacity protocol"). Pure. */
import type { LineStart } from "./line.ts";
import { placeOf, type RegistrationRecord } from "#domain/registrations/registration.ts";
import { nextInLine, roomFor, type Seats } from "./seats.ts";
import type { Turn } from "./demands.ts";

/** The turn of a newcomer who finds a free seat. */
export type NewcomersTurn =
  | Turn
  /** A person ahead may take the seat. */
  | { readonly kind: "wait" }
  /** No person ahead can take the seat, and the newcomer cannot either, because this choice is full. */
  | { readonly kind: "choiceFull"; readonly choice: string };

function unlessFull(turn: Turn, choices: RegistrationRecord["choices"], seats: Seats): NewcomersTurn {
  const full = Object.entries(choices).find(([question, choice]) => !roomFor({ [question]: choice }, seats));
  return full ? { kind: "choiceFull", choice: full[1] } : turn;
}

/**
 * The turn of a newcomer, who is behind all people in line.
 * @param line read after the seats; undefined when the gate is direct or the event takes applications
 */
export function turnOf(newcomer: RegistrationRecord, seats: Seats, line: LineStart | undefined): NewcomersTurn {
  const noDemands = { kind: "next", passedOver: [], counted: {} } as const;
  // On an event with applications an admin's decision gives the seats, not the line.
  if (seats.mode === "application") return unlessFull(noDemands, newcomer.choices, seats);
  if (seats.gate === "direct") return unlessFull({ kind: "direct" }, newcomer.choices, seats);
  if (!line?.isWhole) return { kind: "wait" };
  const { chosen, passedOver } = nextInLine([...line.places, placeOf(newcomer)], seats, 1);
  if (chosen.length === 0) return unlessFull(noDemands, newcomer.choices, seats);
  if (chosen[0]?.queueKey !== newcomer.queueKey) return { kind: "wait" };
  return { kind: "next", passedOver, counted: seats.choiceHolders };
}
