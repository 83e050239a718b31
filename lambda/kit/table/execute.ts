/**
 * The executor: the only loop that reads, decides, commits, and handles refused transactions and lost responses. An
 * operation is a read and a pure decision. Nothing else in the service retries transactions (`docs/design.md`, "The
 * executor").
 */
import { randomUUID } from "node:crypto";
import { Contended, NotFound, RequestInProgress } from "../errors.ts";
import { log } from "../log.ts";
import { seam } from "../seam.ts";
import { Conflict, UnknownOutcome } from "./conflict.ts";
import { Backoff, type Deadline, retried } from "./retry.ts";
import { closeToken, commit, type Outcome, type Refused, type TransactItem, type Transaction } from "./table.ts";

/** A decision to write, and the answer after the commit. */
interface Write<Answer, Learned> {
  readonly kind: "write";
  readonly members: Transaction;
  readonly answer: Answer;
  /** What the next read learns from the refused members. */
  readonly onRefusal?: (refused: Refused<Transaction>) => Learned;
}

/**
 * The result of a decision. Refusals are thrown. `readAgain` means that the facts are inconsistent, because something has
 * changed between the reads.
 */
export type Decision<Answer, Learned = never> =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "readAgain" }
  | Write<Answer, Learned>;

/** Stores the answer of a request with an `Idempotency-Key`, in the transaction of its work (`idempotency.ts`). */
export interface Keep<Result> {
  /**
   * Stores the answer for this result. Refused when a later try of the request has taken over.
   * @param isFinal false when the answer may still change; by default true
   */
  member(result: Result, isFinal?: boolean): TransactItem;
  /** Removes the stored answer, because its work is undone. */
  takenBack(): TransactItem;
  /** The transaction with the last member is committed. */
  committed(): void;
}

export interface Operation<Facts, Answer, Learned = never> {
  /** Present when the work of this operation is a request with an `Idempotency-Key`. */
  readonly keep?: Pick<Keep<Answer>, "member" | "committed"> | undefined;
  /**
   * Reads all facts, strongly consistent, except those learned from a refused member.
   * @param conflicts how many transactions of this operation failed because of conflicts
   */
  read(learned: Learned | undefined, conflicts: number): Promise<Facts>;
  /** Pure. @throws Refusal */
  decide(facts: Facts): Decision<Answer, Learned>;
}

export const answer = <A>(value: A) => ({ kind: "answer", answer: value }) as const;
export const readAgain = { kind: "readAgain" } as const;

/** A decision to write. `onRefusal` gets the typed refused members. */
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

/** How many times in a row outdated facts are read again immediately. After that the executor pauses. */
const maxImmediateReads = 5;

/** The name of the member that stores the answer. */
const keeper = "kept answer";

const withKeeper = <Answer>(
  { members, answer }: Pick<Write<Answer, never>, "members" | "answer">,
  keep?: Pick<Keep<Answer>, "member">,
) => (keep ? { ...members, [keeper]: keep.member(answer) } : members);

/**
 * Executes an operation.
 * @throws Refusal as decided
 * @throws RequestInProgress a later try of a request with an `Idempotency-Key` has taken over; nothing was written
 * @throws Contended the deadline passed; nothing was written
 * @throws UnknownOutcome the deadline passed, and it is unknown whether the last transaction was committed
 */
export async function execute<Facts, Answer, Learned>(
  operation: Operation<Facts, Answer, Learned>,
  deadline: Deadline,
): Promise<Answer> {
  const backoff = new Backoff(deadline);
  let learned: Learned | undefined;
  let outdated = 0;
  let conflicts = 0;
  for (;;) {
    const facts = await readFacts(() => operation.read(learned, conflicts), backoff);
    learned = undefined;
    const decision = operation.decide(facts);
    if (decision.kind === "answer") return decision.answer;
    if (decision.kind === "write") {
      const outcome = await commitUntilKnown(withKeeper(decision, operation.keep), backoff);
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
    if (backoff.isOver) throw new Contended();
    // The facts are outdated. At first they are read again immediately.
    outdated += 1;
    if (outdated > maxImmediateReads) await backoff.pause(() => new Contended());
  }
}

/**
 * Executes a transaction that needs no facts.
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
 * Reads a record, strongly consistent, and decides about it. The decision's members must require that it is unchanged.
 * @param what the record's name for the caller: `Template`
 * @throws NotFound it does not exist
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
 * Retries a read after conflicts and lost responses.
 * @throws Contended the deadline passed
 */
async function readFacts<Facts>(read: () => Promise<Facts>, backoff: Backoff): Promise<Facts> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof Conflict || error instanceof UnknownOutcome)) throw error;
      await backoff.pause(() => new Contended({ cause: error }), error);
    }
  }
}

/**
 * Commits a transaction. While its outcome is unknown, the same input is sent again with the same token, until DynamoDB
 * reports it as committed or refused. After a commit, DynamoDB does not write again for the token. After a refusal it may
 * still execute a delayed try, so if a try got no response, a refusal is final only once the token is closed.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 * @returns `conflict` after a conflict and a pause; nothing was written
 * @throws Contended the deadline passed; nothing was written
 * @throws UnknownOutcome the deadline passed, and a try got no response
 */
async function commitUntilKnown(members: Transaction, backoff: Backoff): Promise<Outcome<Transaction> | "conflict"> {
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
      if (backoff.isOver) throw unknown;
    } catch (error) {
      if (!(error instanceof Conflict || error instanceof UnknownOutcome)) throw error;
      if (error instanceof UnknownOutcome) unknown = error;
      await backoff.pause(() => unknown ?? new Contended({ cause: error }), error);
      // After an unknown outcome, a conflict does not mean that nothing was written.
      if (!unknown) return "conflict";
    }
  }
}

/**
 * Runs a follow-up of a commit, if there is time. If it must not be lost, the message of the commit contains it too, for a
 * consumer.
 * @returns undefined when there was no time
 */
export async function followUp<T>(name: string, deadline: Deadline, run: () => Promise<T>): Promise<T | undefined> {
  try {
    if (new Backoff(deadline).isOver) throw new Contended();
    return await seam.followUp(name, run);
  } catch (error) {
    if (!(error instanceof Contended || error instanceof UnknownOutcome)) throw error;
    log.warn("no time for a follow-up", { followUp: name });
    return undefined;
  }
}

/**
 * Runs a step after a commit that the answer needs. `Contended` would be wrong after a timeout, because something was
 * written.
 * @throws UnknownOutcome the deadline passed
 */
export async function afterCommit<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Contended)) throw error;
    throw new UnknownOutcome("no time left behind a commit", { cause: error });
  }
}

/** Reads what the answer needs after a commit. @throws UnknownOutcome the deadline passed */
export const readAfterCommit = <T>(read: () => Promise<T>, deadline: Deadline): Promise<T> =>
  afterCommit(() => retried(read, deadline));
