/** What the run has created, and how it is deleted. */
import { within } from "./waiting.ts";

/** One thing to delete. */
export interface Made {
  /** The thing, as the subject of a sentence. */
  readonly what: string;
  /** Deletes it, idempotently. */
  readonly remove: (stop: AbortSignal) => Promise<unknown>;
  /** The command to delete it manually. */
  readonly command: string;
}

export interface CleanUp {
  /** Call it before the thing is created: a request without a response may have created it. */
  expect(made: Made): void;
  /** Deletes all, newest first. @returns what is left, with reasons */
  run(): Promise<readonly (Made & { readonly reason: string })[]>;
  readonly count: number;
}

const longestRemoval = 30_000;
const longestCleanUp = 90_000;

/** @param longest milliseconds for all removals together */
export function cleanUp(longest = longestCleanUp): CleanUp {
  const things: Made[] = [];
  return {
    get count() {
      return things.length;
    },
    expect: (made) => void things.push(made),
    async run() {
      const left: (Made & { reason: string })[] = [];
      // It has its own timeout, because it also runs after that of the run.
      const over = new AbortController();
      const timer = setTimeout(() => over.abort(new Error("there was no time left.")), longest);
      for (const made of things.toReversed()) {
        try {
          await within(longestRemoval, `deleting ${made.what}`, over.signal, made.remove);
        } catch (error) {
          left.push({ ...made, reason: (error as Error).message });
        }
      }
      clearTimeout(timer);
      return left;
    },
  };
}
