/** Whether it is a newcomer's turn to have a free seat. Pure. */
import type { LineStart } from "./line/store.ts";
import { placeOf, type RegistrationRecord } from "./registration.ts";
import { gates, nextInLine, roomFor, type Seats } from "./seats/seats.ts";
import type { Turn } from "./seats/store.ts";

/** The turn of a newcomer who finds a free seat. */
export type NewcomersTurn =
  | Turn
  /** Somebody ahead may have the seat. */
  | { readonly kind: "wait" }
  /** Nobody ahead can take the seat, and neither can the newcomer: this choice of theirs is full. */
  | { readonly kind: "choiceFull"; readonly choice: string };

function unlessFull(turn: Turn, choices: RegistrationRecord["choices"], seats: Seats): NewcomersTurn {
  const full = Object.entries(choices).find(([question, choice]) => !roomFor({ [question]: choice }, seats));
  return full ? { kind: "choiceFull", choice: full[1] } : turn;
}

/**
 * The turn of a newcomer, who stands behind everybody in line.
 * @param line read after the seats; undefined where the seats are given directly
 */
export function turnOf(newcomer: RegistrationRecord, seats: Seats, line: LineStart | undefined): NewcomersTurn {
  const noDemands = { kind: "next", passedOver: [], counted: {} } as const;
  // An admin's decision, not the line, says who gets a seat there.
  if (seats.mode === "application") return unlessFull(noDemands, newcomer.choices, seats);
  if (seats.gate === gates.direct) return unlessFull({ kind: "direct" }, newcomer.choices, seats);
  if (!line?.isWhole) return { kind: "wait" };
  const { chosen, passedOver } = nextInLine([...line.places, placeOf(newcomer)], seats, 1);
  if (chosen.length === 0) return unlessFull(noDemands, newcomer.choices, seats);
  if (chosen[0]?.waitKey !== newcomer.waitKey) return { kind: "wait" };
  return { kind: "next", passedOver, counted: seats.taken };
}
