/**
 * `Idempotency-Key`: a request that is sent again under its key is carried out once, and gets its first answer again
 * for a day (`docs/contract.md`, "Idempotent requests").
 *
 * The first try claims the key. The transaction that does the work keeps the answer in the same item, on the condition
 * that the claim still stands. So a try that was thought dead cannot do the work a second time. Without the header,
 * nothing of this is read or written.
 */
import type { Answer } from "./answer.ts";
import { type Claim, claim, release, updateOf, type Work } from "./claims.ts";
import type { RequestContext } from "./context.ts";
import { KeyReused, RequestInProgress, ValidationFailed } from "./errors.ts";
import type { Keep } from "./execute.ts";
import { type Deadline, retried } from "./retry.ts";
import { derived, seal, unseal } from "./sealed.ts";
import { type Key, tableName, writeIf } from "./table.ts";

const headerName = "idempotency-key";
const longestKey = 255;
/** Seconds for which an answer is kept. */
const secondsKept = 86_400;
/**
 * Milliseconds after which a claim without an answer counts as given up: longer than any function runs. A shorter time
 * would not break anything, since every write demands the claim.
 */
const lease = 30_000;
/** Characters of a sealed answer: an item of DynamoDB has at most 400 KB. */
const longestAnswer = 390_000;

/** The answer of a claim whose work is not done. */
const unanswered = "";

/** What is stored of a key besides its claim. It names no person, and only the key itself opens the answer. */
interface KeyItem {
  /** Hash of the request's body. */
  readonly body: string;
  /** The sealed answer; empty until the work is done. It may still change until the state is `answered`. */
  readonly answer: string;
}

/** The facts that make two requests the same: the route, the caller and the key; and then also the body. */
export interface KeyedRequest {
  readonly route: string;
  readonly email: string;
  readonly key: string;
  readonly body: unknown;
}

/** A request with a key, while it is carried out. */
export class ClaimedRequest {
  readonly #claim: Claim;
  readonly #seal: Buffer;
  readonly #context: RequestContext;
  /** The final answer that a transaction is about to keep, and the one that is kept. */
  #next: string | undefined;
  #kept: string | undefined;

  private constructor(claimed: Claim, sealedWith: Buffer, context: RequestContext) {
    this.#claim = claimed;
    this.#seal = sealedWith;
    this.#context = context;
  }

  /**
   * Claims the key for this try.
   * @returns the first answer instead, when there is one
   * @throws KeyReused the key was used with another body
   * @throws RequestInProgress another try is being carried out
   */
  static async claim(
    { route, email, key, body }: KeyedRequest,
    context: RequestContext,
  ): Promise<{ readonly claimed: ClaimedRequest } | { readonly answered: Answer }> {
    const secret = JSON.stringify([route, email, key]);
    const opening = derived(secret, "answer");
    const facts = { body: derived(JSON.stringify(body) ?? "", "body").toString("base64url"), answer: unanswered };
    const item: Key = { PK: `REQ#${derived(secret, "name").toString("base64url")}`, SK: "REQ" };
    const work: Work = { key: item, lease, takesOver: true, keptFor: secondsKept, facts };
    const claimed = await claim<KeyItem>(work, context.now, context);
    if (claimed.outcome === "claimed") return { claimed: new ClaimedRequest(claimed.claim, opening, context) };
    const { item: known } = claimed;
    if (known.body !== facts.body) throw new KeyReused();
    if (known.state === "claimed" && known.leaseUntil > context.now) throw new RequestInProgress();
    // The try that has kept the answer died before it could tell it. It must not change the answer any more.
    const isFinal =
      known.answer !== unanswered && (claimed.outcome === "done" || (await settled(item, known, context)));
    if (!isFinal) throw new RequestInProgress();
    return { answered: JSON.parse(unseal(known.answer, opening)) as Answer };
  }

  /** @param isFinal whether the answer ends the request; otherwise it may be another one later */
  #keepAnswer(text: string, isFinal: boolean) {
    const sealed = seal(text, this.#seal);
    if (sealed.length > longestAnswer) {
      const message = "cannot be used here: the answer is too large to be kept";
      throw new ValidationFailed([{ path: `/${headerName}`, message }]);
    }
    return updateOf(this.#claim, { answer: sealed, ...(isFinal && { state: "answered" }) });
  }

  /**
   * The part of an operation that keeps its answer, in the transaction of its work.
   * @param answerTo the answer to the operation's result
   */
  keeping<R>(answerTo: (result: R) => Answer): Keep<R> {
    return {
      member: (result, isFinal = true) => {
        const text = JSON.stringify(answerTo(result));
        this.#next = isFinal ? text : undefined;
        return { Update: { TableName: tableName, ...this.#keepAnswer(text, isFinal) } };
      },
      takenBack: () => {
        this.#next = undefined;
        return { Update: { TableName: tableName, ...updateOf(this.#claim, { answer: unanswered }) } };
      },
      committed: () => {
        this.#kept = this.#next;
      },
    };
  }

  /**
   * Keeps the final answer, if no transaction has kept it. An answer that is not kept must not be told: a later try
   * could be answered otherwise.
   * @throws RequestInProgress another try has taken over, and its answer counts
   * @throws UnknownOutcome Contended the table does not answer; a later try gets the answer that a transaction has kept
   */
  async finish(final: Answer): Promise<void> {
    const text = JSON.stringify(final);
    if (text === this.#kept) return;
    const update = this.#keepAnswer(text, true);
    // The first call of it may have been carried out without an answer. No answer is sealed twice alike.
    const orKept = { ...update, ConditionExpression: `(${update.ConditionExpression}) OR #answer = :answer` };
    if (!(await retried(() => writeIf(orKept), this.#context))) throw new RequestInProgress();
  }

  /**
   * Gives the key back, because no final answer was kept. A later try is carried out at once, or gets the answer that a
   * transaction has kept. When this fails, a later try waits for the end of the lease.
   */
  release(): Promise<void> {
    return release(this.#claim, this.#context);
  }
}
/**
 * Makes the kept answer of a try that seems dead the final one.
 * @returns false when that try has changed its answer meanwhile
 */
const settled = (item: Key, { answer }: KeyItem, deadline: Deadline): Promise<boolean> =>
  retried(
    () =>
      writeIf({
        Key: item,
        UpdateExpression: "SET #state = :answered",
        // No answer is sealed twice alike.
        ConditionExpression: "#answer = :kept",
        ExpressionAttributeNames: { "#state": "state", "#answer": "answer" },
        ExpressionAttributeValues: { ":answered": "answered", ":kept": answer },
      }),
    deadline,
  );

/**
 * The key in a request's headers.
 * @returns undefined without the header
 * @throws ValidationFailed the header is empty, too long, or not visible ASCII
 */
export function keyIn(headers: Readonly<Record<string, string | undefined>>): string | undefined {
  const key = headers[headerName];
  if (key === undefined) return undefined;
  // White space around a value is no part of it (RFC 9110, 5.5), so no parser of HTTP leaves it here.
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= longestKey) return key;
  const message = `must have 1 to ${longestKey} visible ASCII characters`;
  throw new ValidationFailed([{ path: `/${headerName}`, message }]);
}
