/**
 * The executor: the only loop that reads, decides, commits, learns from a refused transaction and survives a lost
 * answer. An operation is a read and a pure decision. No other part of the service repeats a transaction
 * (`docs/design.md`, "The executor").
 */
import { randomUUID } from "node:crypto";
import { Conflict, UnknownOutcome } from "./conflict.ts";
import { Contended, NotFound, RequestInProgress } from "./errors.ts";
import { log } from "./log.ts";
import { type Deadline, Patience, retried } from "./retry.ts";
import { seam } from "./seam.ts";
import { closeToken, commit, type Outcome, type Refused, type TransactItem, type Transaction } from "./table.ts";

/** A decision to write, and the answer after the commit. */
interface Write<Answer, Learned> {
  readonly kind: "write";
  readonly members: Transaction;
  readonly answer: Answer;
  /** What the refused members tell the next read, if they tell it anything. */
  readonly onRefusal?: (refused: Refused<Transaction>) => Learned;
}

/**
 * The result of a decision. A decision refuses by throwing a `Refusal`. `readAgain` means that the facts contradict each
 * other, because something has changed between the reads.
 */
export type Decision<Answer, Learned = never> =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "readAgain" }
  | Write<Answer, Learned>;

/** Keeps the answer of a request with an `Idempotency-Key`, in the transaction of its work (`idempotency.ts`). */
export interface Keep<Result> {
  /**
   * Keeps the answer to this result. Refused when a later try of the request has taken over.
   * @param isFinal false when the request may still be answered otherwise; true when absent
   */
  member(result: Result, isFinal?: boolean): TransactItem;
  /** Takes the kept answer back, because its work is undone. */
  takenBack(): TransactItem;
  /** The transaction with the last member is committed. */
  committed(): void;
}

export interface Operation<Facts, Answer, Learned = never> {
  /** Present when the work of this operation is a request with an `Idempotency-Key`. */
  readonly keep?: Pick<Keep<Answer>, "member" | "committed"> | undefined;
  /**
   * Reads all facts, strongly consistent, except a fact that a refused member has just told.
   * @param conflicts how many transactions of this operation another write was in the way of
   */
  read(learned: Learned | undefined, conflicts: number): Promise<Facts>;
  /** Pure. @throws Refusal */
  decide(facts: Facts): Decision<Answer, Learned>;
}

export const answer = <A>(value: A) => ({ kind: "answer", answer: value }) as const;
export const readAgain = { kind: "readAgain" } as const;

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

/** How many times in a row facts may be outdated and are read again at once. After that the executor pauses. */
const outdatedAtOnce = 5;

/** The name of the member that keeps the answer. */
const keeper = "kept answer";

const withKeeper = <Answer>(
  { members, answer }: Pick<Write<Answer, never>, "members" | "answer">,
  keep?: Pick<Keep<Answer>, "member">,
) => (keep ? { ...members, [keeper]: keep.member(answer) } : members);

/**
 * Carries out an operation.
 * @throws Refusal as decided
 * @throws RequestInProgress a later try of a request with an `Idempotency-Key` has taken over; nothing was written
 * @throws Contended the deadline passed; nothing was written
 * @throws UnknownOutcome the deadline passed, and it is not known whether the last transaction was carried out
 */
export async function execute<Facts, Answer, Learned>(
  operation: Operation<Facts, Answer, Learned>,
  deadline: Deadline,
): Promise<Answer> {
  const patience = new Patience(deadline);
  let learned: Learned | undefined;
  let outdated = 0;
  let conflicts = 0;
  for (;;) {
    const facts = await readFacts(() => operation.read(learned, conflicts), patience);
    learned = undefined;
    const decision = operation.decide(facts);
    if (decision.kind === "answer") return decision.answer;
    if (decision.kind === "write") {
      const outcome = await commitUntilKnown(withKeeper(decision, operation.keep), patience);
      if (outcome === "conflict") {
        conflicts += 1;
        continue;
      }
      if (outcome.committed) {
        operation.keep?.committed();
        return decision.answer;
      }
      if (keeper in outcome.refused) throw new RequestInProgress();
      learned = decision.onRefusal?.(outcome.refused);
    }
    if (patience.isOver) throw new Contended();
    // The facts are outdated. The first times they are read again at once.
    outdated += 1;
    if (outdated > outdatedAtOnce) await patience.pause(() => new Contended());
  }
}

/**
 * Carries out a transaction that needs no facts.
 * @returns the refused members; undefined when the transaction is committed
 * @throws Contended UnknownOutcome as `execute`
 */
export const writeOnce = <M extends Transaction>(members: M, deadline: Deadline): Promise<Refused<M> | undefined> =>
  execute(
    {
      read: async (refused: Refused<M> | undefined) => refused,
      decide: (refused: Refused<M> | undefined): Decision<Refused<M> | undefined, Refused<M>> =>
        refused ? answer(refused) : write(members, undefined, (all) => all),
    },
    deadline,
  );

/**
 * Reads a record, strongly consistent, and decides about it. The members of the decision demand that it is as read.
 * @param what what the caller calls the record: `Template`
 * @throws NotFound there is none
 * @throws Refusal Contended UnknownOutcome as `execute`
 */
export const edit = <R extends object, A>(
  what: string,
  read: () => Promise<R | undefined>,
  decide: (record: R) => Decision<A>,
  deadline: Deadline,
): Promise<A> =>
  execute(
    {
      read,
      decide(record: R | undefined): Decision<A> {
        if (!record) throw new NotFound(what);
        return decide(record);
      },
    },
    deadline,
  );

/**
 * Repeats a read whatever its failure, because a read writes nothing.
 * @throws Contended the deadline passed
 */
async function readFacts<Facts>(read: () => Promise<Facts>, patience: Patience): Promise<Facts> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Conflict || error instanceof UnknownOutcome)) throw error;
      await patience.pause(() => new Contended({ cause: error }), error);
    }
  }
}

/**
 * Commits a transaction. While its outcome is unknown, the same input is sent again under the same token, until
 * DynamoDB says committed or refused. For a token that is committed, DynamoDB answers again without writing. For one that
 * is refused it still carries out a try that comes late. So when a try stayed without an answer, a refusal counts after
 * the token is closed.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 * @returns `conflict` when another write was in the way: nothing was written, and a pause has been made
 * @throws Contended the deadline passed; nothing was written
 * @throws UnknownOutcome the deadline passed, and a try stayed without an answer
 */
async function commitUntilKnown(members: Transaction, patience: Patience): Promise<Outcome<Transaction> | "conflict"> {
  const [token, begunAt] = [randomUUID(), Date.now()];
  let unknown: UnknownOutcome | undefined;
  let refused: Outcome<Transaction> | undefined;
  for (;;) {
    try {
      if (refused) {
        const wasCommitted = await seam.closing(() => closeToken(members, seam.tokenOf(token), begunAt));
        return wasCommitted ? { committed: true } : refused;
      }
      const outcome = await commit(members, seam.tokenOf(token));
      if (outcome.committed || !(unknown || outcome.wasRepeated)) return outcome;
      refused = outcome;
      unknown ??= new UnknownOutcome("a try of the client stayed without an answer");
      if (patience.isOver) throw unknown;
    } catch (error) {
      if (!(error instanceof Conflict || error instanceof UnknownOutcome)) throw error;
      if (error instanceof UnknownOutcome) unknown = error;
      await patience.pause(() => unknown ?? new Contended({ cause: error }), error);
      // With an unknown outcome before it, a conflict does not say that nothing was written.
      if (!unknown) return "conflict";
    }
  }
}

/**
 * Runs what follows a commit, if there is time. A follow-up that must not be lost is also named in the message of the
 * commit, and a consumer does it.
 * @returns undefined when there was no time
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
 * Runs a step behind a commit that the answer needs. When the time is over, `Contended` would be false, because it says
 * that nothing was written.
 * @throws UnknownOutcome the time was over
 */
export async function afterCommit<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Contended)) throw error;
    throw new UnknownOutcome("no time left behind a commit", { cause: error });
  }
}

/** Reads behind a commit what the answer needs. @throws UnknownOutcome the time was over */
export const readAfterCommit = <T>(read: () => Promise<T>, deadline: Deadline): Promise<T> =>
  afterCommit(() => retried(read, deadline));
