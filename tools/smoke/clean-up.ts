/** What the run has made, and how it goes away again. */
import { within } from "./waiting.ts";

/** One thing that must go. */
export interface Made {
  /** The thing, as the subject of a sentence. */
  readonly what: string;
  /** Deletes it. A thing that is not there counts as deleted. */
  readonly remove: (stop: AbortSignal) => Promise<unknown>;
  /** What a person can do when the run could not delete it. */
  readonly command: string;
}

export interface CleanUp {
  /** Call it before the thing is made: a request without an answer may have made it. */
  expect(made: Made): void;
  /** Deletes all, the newest first. @returns what is left, each with the reason */
  run(): Promise<readonly (Made & { readonly reason: string })[]>;
  readonly count: number;
}

const longestRemoval = 30_000;
const longestCleanUp = 90_000;

export function cleanUp(): CleanUp {
  const things: Made[] = [];
  return {
    get count() {
      return things.length;
    },
    expect: (made) => void things.push(made),
    async run() {
      const left: (Made & { reason: string })[] = [];
      // It has a time of its own: it also runs when the time of the run is over.
      const over = new AbortController();
      const timer = setTimeout(() => over.abort(new Error("there was no time left.")), longestCleanUp);
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
