import { setTimeout as pause } from "node:timers/promises";

/**
 * The parts that tests replace to prove that each is necessary. Tests replace nothing else of the service.
 */
export const seam = {
  /** The idempotency token of a transaction. */
  tokenOf: (token: string): string => token,
  /** Closes a token, and returns whether its transaction was committed. */
  closing: (close: () => Promise<boolean>): Promise<boolean> => close(),
  /** Runs a follow-up of a commit. */
  followUp: <T>(_name: string, run: () => Promise<T>): Promise<T | undefined> => run(),
  /** The deadline that bounds the tries of one step, in milliseconds of `performance.now()`. */
  deadlineOf: (deadline: number): number => deadline,
  /**
   * Whether a newcomer has met so many conflicts at the seats that joining the line is better than another try. A request
   * of an admin never joins because of conflicts: with points and a decision it would be done in two halves.
   */
  isCrowded: (conflicts: number, byAdmin: boolean): boolean => conflicts >= 2 && !byAdmin,
  /** Waits between two tries, or for work that may take too long. */
  pause: async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
    await pause(milliseconds, undefined, { signal });
  },
  /** Ends one hold of the sweeper. */
  endHold: <Hold, End>(_hold: Hold, end: () => Promise<End>): Promise<End> => end(),
  /** Whether an operator's repair is conditional on unchanged inputs. */
  requiresUnchanged: (): boolean => true,
};
