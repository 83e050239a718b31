/** Decisions about applications that are noted and not sent. Pure. */
import type { Registration } from "../../shared/types.ts";
import { type Decision, decisions, moves } from "./moves.ts";
import type { Result } from "./people.ts";

export interface Note
  extends Pick<Registration, "email" | "fname" | "isPartner" | "registrationStatus" | "applicationStatus"> {
  readonly name: Decision;
  /** Why it could not be carried out. */
  readonly message?: string | undefined;
}

/** The notes with another one, in the order of deciding. A person has one. */
export const noted = (notes: readonly Note[], row: Registration, name: Decision): readonly Note[] => {
  const { email, fname, isPartner, registrationStatus, applicationStatus } = row;
  return [
    ...notes.filter((note) => note.email !== email),
    { email, fname, isPartner, registrationStatus, applicationStatus, name },
  ];
};

/** `12 accepted, 3 rejected, 2 put in line`. */
export const notesText = (notes: readonly Note[]): string =>
  decisions
    .map((name) => [notes.filter((note) => note.name === name).length, moves[name].done] as const)
    .filter(([count]) => count > 0)
    .map(([count, done]) => `${count} ${done}`)
    .join(", ");

/** What stays noted after sending: what failed, with its sentence, and what was noted meanwhile. */
export function afterSending(notes: readonly Note[], results: readonly Result[]): readonly Note[] {
  const byEmail = new Map(results.map((result) => [result.email, result]));
  return notes
    .filter(({ email }) => byEmail.get(email)?.success !== true)
    .map((note) => ({ ...note, message: byEmail.get(note.email)?.message ?? note.message }));
}

/** The application after this one that nothing is noted about; the next one when there is none. */
export function nextOf(rows: readonly Registration[], at: number, notes: readonly Note[]): Registration | undefined {
  const isOpen = ({ email }: Registration) => notes.every((note) => note.email !== email);
  return rows.slice(at + 1).find(isOpen) ?? rows.slice(0, at).find(isOpen) ?? rows[Math.min(at + 1, rows.length - 1)];
}
