/** Does for each person of a table what an executive does for one, and says what came of it. */
import type { Outlook, Step } from "./outlook.ts";

/** An answer of the API. */
export interface Answer {
  /** 0: none came. */
  readonly status: number;
  /** What the service says: a sentence, a code, and the record. */
  readonly body?: unknown;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
}

/** What became of a row. `open`: nothing is known to be done; the table can be taken again. */
export interface Outcome {
  readonly row: number;
  readonly email: string;
  readonly result: "done" | "there" | "fault" | "refused" | "open";
  readonly says: string;
}

export interface Carrying {
  /** Sends a request. Never throws. @param key for the `Idempotency-Key` of a step that has one */
  send(step: Step, key: string | undefined): Promise<Answer>;
  /** Is told each outcome, when it is there. */
  told(outcome: Outcome): void;
  /** Waits, in milliseconds. */
  pause(milliseconds: number): Promise<unknown>;
  /** Names the run in its keys, so that a request that is sent again is carried out once. */
  readonly run: string;
  readonly stop?: AbortSignal | undefined;
}

/** Requests at once where order does not matter. Far below what one caller may send in a second. */
const lanes = 6;
/** An error of the service is tried so often, since another row may be fine. */
const mostErrors = 4;
/** Milliseconds for which a row waits in all for a service that is busy or does not answer. */
export const patience = 10 * 60_000;
const [shortestPause, longestPause] = [500, 30_000] as const;

interface Said {
  readonly message?: string;
  readonly code?: string;
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
  readonly registrationStatus?: string;
}

const saidIn = ({ body }: Answer): Said => (typeof body === "object" && body !== null ? (body as Said) : {});

/** The service is busy, down, or still at work on the same request; nothing else is wrong with it. */
const isPassing = (answer: Answer): boolean =>
  [0, 429, 502, 503, 504].includes(answer.status) || saidIn(answer).code === "REQUEST_IN_PROGRESS";

/** No other row would be answered otherwise. */
const isForAll = ({ status }: Answer): boolean => [401, 403].includes(status);

/** Why the run ends before its last row. */
export class Halted extends Error {
  override readonly name = "Halted";
  readonly answer: Answer | undefined;
  constructor(message: string, answer?: Answer) {
    super(message);
    this.answer = answer;
  }
}

const refusalIn = (answer: Answer): string => {
  const { message, issues = [] } = saidIn(answer);
  const first = message ?? `The service answered ${answer.status}.`;
  return [first, ...issues.slice(1).map(({ path, message: more }) => `${path.slice(1)} ${more}.`)].join(" ");
};

/** @throws Halted */
async function answered(step: Step, key: string | undefined, carrying: Carrying): Promise<Answer> {
  let waited = 0;
  for (let tries = 0; ; tries += 1) {
    const answer = await carrying.send(step, key);
    if (isForAll(answer)) {
      const session = answer.status === 401 ? "The session has ended: sign in again" : "This is for executives";
      throw new Halted(`${session}.`, answer);
    }
    const isError = answer.status === 500 && tries + 1 < mostErrors;
    if (!isError && !isPassing(answer)) return answer;
    if (carrying.stop?.aborted) throw new Halted("Stopped.");
    const asked = answer.retryAfter === undefined ? 0 : answer.retryAfter * 1_000;
    const own = shortestPause * 2 ** Math.min(tries, 6) * (1 + Math.random() / 2);
    // What asks for longer than a moment has a reason that ends then, as a limit by the hour.
    const wait = Math.max(asked, Math.min(own, longestPause));
    waited += wait;
    if (waited > patience) throw new Halted("The service is busy or cannot be reached for minutes.", answer);
    await carrying.pause(wait);
  }
}

const statuses: Readonly<Record<string, string>> = {
  registered: "Has a seat.",
  incomplete: "Has a seat that has to be paid.",
  waitlist: "Is in line.",
};

async function outcomeOf({ row, email, fate, says, steps }: Outlook, carrying: Carrying): Promise<Outcome> {
  if (fate === "there" || fate === "fault") return { row, email, result: fate, says };
  let last: Answer = { status: 0 };
  for (const [nth, step] of steps.entries()) {
    last = await answered(step, step.isKeyed ? `${carrying.run}:${row}:${nth}` : undefined, carrying);
    if (saidIn(last).code === "DUPLICATE") return { row, email, result: "there", says: refusalIn(last) };
    const begun = nth > 0 ? "Is a member, but not with this end: " : "";
    if (last.status >= 400) return { row, email, result: "refused", says: begun + refusalIn(last) };
  }
  const { registrationStatus } = saidIn(last);
  const isApplicant = fate === "apply" && registrationStatus === "registered";
  const now = isApplicant ? "Is an applicant." : statuses[registrationStatus ?? ""];
  return { row, email, result: "done", says: now ?? says };
}

/**
 * Carries out what the outlook says, in its order where some get a place in line. A row that is refused ends no other.
 * @returns why it ended early; undefined: all rows have an outcome
 */
export async function carryOut(outlooks: readonly Outlook[], carrying: Carrying): Promise<Halted | undefined> {
  const rows = outlooks.values();
  let halted: Halted | undefined;
  const lane = async () => {
    for (const outlook of rows) {
      if (carrying.stop?.aborted) halted ??= new Halted("Stopped.");
      const { row, email } = outlook;
      const open = { row, email, result: "open", says: "Not done yet." } as const;
      const outcome = halted
        ? open
        : await outcomeOf(outlook, carrying).catch((problem: unknown) => {
            if (!(problem instanceof Halted)) throw problem;
            halted ??= problem;
            return open;
          });
      carrying.told(outcome);
    }
  };
  const isInOrder = outlooks.some(({ fate }) => fate === "line");
  await Promise.all(Array.from({ length: isInOrder ? 1 : lanes }, lane));
  return halted;
}
