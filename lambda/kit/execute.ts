/**
 * The executor: the one loop of "read, decide, commit, learn from the refusal, survive a lost answer". An operation is
 * what it reads and a pure decision; nothing else in the service repeats a transaction.
 */
import { randomUUID } from "node:crypto";
import { Conflict, UnknownOutcome } from "./conflict.ts";
import { Contended, Refusal } from "./errors.ts";
import { log } from "./log.ts";
import { type Deadline, Patience } from "./retry.ts";
import { seam } from "./seam.ts";
import { commit, type Outcome, type Refused, type Transaction } from "./table.ts";

/**
 * How a read looks: `cheap` reads eventually consistent, as good as any for a write whose conditions demand what was
 * read; `certain` reads strongly consistent. Only certain facts refuse.
 */
export type Depth = "cheap" | "certain";

/** A write and what it answers when it is committed. */
interface Write<Answer, Learned> {
  readonly kind: "write";
  readonly members: Transaction;
  readonly answer: Answer;
  /** What the refused members tell the next read, if anything. */
  readonly onRefusal?: (refused: Refused<Transaction>) => Learned;
}

/**
 * What is to be done about the facts. A decision that throws a `Refusal` refuses; on cheap facts it looks closer first.
 * `lookCloser` on certain facts means that they contradict each other because something has changed between the reads.
 */
export type Decision<Answer, Learned = never> =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "lookCloser" }
  | Write<Answer, Learned>;

/** One operation on the table. */
export interface Operation<Facts, Answer, Learned = never> {
  /** The depth of the first read; `cheap` when absent. */
  readonly depth?: Depth;
  /** Reads the facts, all of them anew, except where a refused member has just told one. */
  read(depth: Depth, learned: Learned | undefined): Promise<Facts>;
  /** Pure. @throws Refusal */
  decide(facts: Facts): Decision<Answer, Learned>;
}

export { seam };

export const answer = <A>(value: A) => ({ kind: "answer", answer: value }) as const;
export const lookCloser = { kind: "lookCloser" } as const;

/** A decision to write; `onRefusal` gets the refused members with their own types. */
export const write = <M extends Transaction, A, L = never>(
  members: M,
  answer: A,
  onRefusal?: (refused: Refused<M>) => L,
): Decision<A, L> => ({
  kind: "write",
  members,
  answer,
  ...(onRefusal && { onRefusal: onRefusal as (refused: Refused<Transaction>) => L }),
});

/** How often facts may be outdated in a row before it looks as if an operation will never end. */
const outdatedAtOnce = 5;

/**
 * Carries an operation out.
 * @throws Refusal as decided on certain facts
 * @throws Contended the deadline passed; nothing was written
 * @throws UnknownOutcome the deadline passed while nobody knew whether the last transaction was carried out
 */
export async function execute<Facts, Answer, Learned>(
  operation: Operation<Facts, Answer, Learned>,
  deadline: Deadline,
): Promise<Answer> {
  const patience = new Patience(deadline);
  let depth = operation.depth ?? "cheap";
  let learned: Learned | undefined;
  let outdated = 0;
  for (;;) {
    const facts = await readFacts(operation, depth, learned, patience);
    learned = undefined;
    const decision = decided(operation, facts, depth);
    if (decision.kind === "answer") return decision.answer;
    if (decision.kind === "write") {
      const outcome = await commitUntilKnown(decision.members, patience);
      if (outcome === "conflict") continue;
      if (outcome.committed) return decision.answer;
      learned = decision.onRefusal?.(outcome.refused);
    }
    if (patience.isOver) throw new Contended();
    // The facts are outdated. At first they are read again at once.
    if (depth === "certain") outdated += 1;
    depth = "certain";
    if (outdated > outdatedAtOnce) await patience.pause(() => new Contended());
  }
}

/**
 * Carries out a transaction that rests on no facts.
 * @returns the refused members; undefined when it is committed
 * @throws Contended UnknownOutcome as `execute`
 */
export const writeOnce = <M extends Transaction>(members: M, deadline: Deadline): Promise<Refused<M> | undefined> =>
  execute(
    {
      read: async (_depth: Depth, refused: Refused<M> | undefined) => refused,
      decide: (refused: Refused<M> | undefined): Decision<Refused<M> | undefined, Refused<M>> =>
        refused ? answer(refused) : write(members, undefined, (all) => all),
    },
    deadline,
  );

function decided<Facts, Answer, Learned>(
  { decide }: Operation<Facts, Answer, Learned>,
  facts: Facts,
  depth: Depth,
): Decision<Answer, Learned> {
  try {
    return decide(facts);
  } catch (error) {
    if (depth === "cheap" && error instanceof Refusal) return lookCloser;
    throw error;
  }
}

/** A read writes nothing: whatever becomes of it, it is repeated. */
async function readFacts<Facts, Answer, Learned>(
  operation: Operation<Facts, Answer, Learned>,
  depth: Depth,
  learned: Learned | undefined,
  patience: Patience,
): Promise<Facts> {
  for (;;) {
    try {
      return await operation.read(depth, learned);
    } catch (error) {
      if (!(error instanceof Conflict || error instanceof UnknownOutcome)) throw error;
      await patience.pause(() => new Contended({ cause: error }));
    }
  }
}

/**
 * Commits a transaction. While its outcome is unknown, the very same input is sent again under the same token, until
 * DynamoDB says that it is committed (it answers a committed token again without writing) or refused.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 * @returns `conflict` when another write was in the way: nothing was written, and a pause has been made
 * @throws Contended UnknownOutcome the deadline has passed
 */
async function commitUntilKnown(members: Transaction, patience: Patience): Promise<Outcome<Transaction> | "conflict"> {
  const token = randomUUID();
  let unknown: UnknownOutcome | undefined;
  for (;;) {
    try {
      return await commit(members, seam.tokenOf(token));
    } catch (error) {
      if (!(error instanceof Conflict || error instanceof UnknownOutcome)) throw error;
      if (error instanceof UnknownOutcome) unknown = error;
      await patience.pause(() => unknown ?? new Contended({ cause: error }));
      // The conflict says nothing of an earlier try that stayed without an answer.
      if (!unknown) return "conflict";
    }
  }
}

/**
 * Does what follows a commit that stands, where there is time for it. A follow-up that must not be lost stands in the
 * message of the commit too, and a consumer does it.
 * @returns undefined when there was no time for it
 */
export async function followUp<T>(name: string, deadline: Deadline, run: () => Promise<T>): Promise<T | undefined> {
  try {
    if (new Patience(deadline).isOver) throw new Contended();
    return await seam.followUp(name, run);
  } catch (error) {
    if (!(error instanceof Contended || error instanceof UnknownOutcome)) throw error;
    log.warn("no time for a follow-up", { followUp: name });
    return undefined;
  }
}

/**
 * Does what an answer needs behind a commit that stands: when the time is over, nobody can say that nothing was written.
 * @throws UnknownOutcome
 */
export async function afterCommit<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Contended)) throw error;
    throw new UnknownOutcome("no time left behind a commit", { cause: error });
  }
}
