/**
 * `Idempotency-Key`: a request that is repeated with its key is executed once, and gets its first answer again for a day
 * (`docs/contract.md`, "Idempotent requests").
 *
 * The first try claims the key. The transaction that does the work stores the answer in the same item, on condition that
 * the claim is still valid, so that a try that was presumed dead cannot repeat the work. Without the header, nothing of
 * this is read or written.
 */

import { KeyReused, RequestInProgress, ValidationFailed } from "../errors.ts";
import { derived, seal, unseal } from "../sealed.ts";
import { type Claim, claim, release, updateOf, type Work } from "../table/claims.ts";
import type { Keep } from "../table/execute.ts";
import { keyFrom, kitKinds } from "../table/item.ts";
import { type Deadline, retried } from "../table/retry.ts";
import { type Key, tableName, writeIf } from "../table/table.ts";
import type { Answer } from "./answer.ts";
import type { RequestContext } from "./context.ts";

const headerName = "idempotency-key";
const longestKey = 255;
/** Seconds for which an answer is kept. */
const secondsKept = 86_400;
/**
 * Milliseconds after which a claim without an answer counts as abandoned: longer than any function runs. A shorter lease
 * would be safe too, because every write requires the claim.
 */
const lease = 30_000;
/** Maximum characters of a sealed answer: DynamoDB items are limited to 400 KB. */
const longestAnswer = 390_000;

/** The answer of a claim whose work is not done. */
const unanswered = "";

/** What is stored of a key in addition to its claim: no person, and an answer that only the key can decrypt. */
interface KeyItem {
  /** Hash of the request's body. */
  readonly body: string;
  /** The sealed answer; empty until the work is done. It may still change until the state is `answered`. */
  readonly answer: string;
}

/** What identifies a request: the route, the caller or link, and the key. The body must be equal too. */
export interface KeyedRequest {
  readonly route: string;
  /** The caller's email, or the header with the secret of the link. Only hashed. */
  readonly whose: string;
  readonly key: string;
  readonly body: unknown;
}

/** A request with a key, while it is processed. */
export class ClaimedRequest {
  readonly #claim: Claim;
  readonly #seal: Buffer;
  readonly #context: RequestContext;
  /** The final answer that a transaction is about to store, and the stored one. */
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
   * @throws RequestInProgress another try is active
   */
  static async claim(
    { route, whose, key, body }: KeyedRequest,
    context: RequestContext,
  ): Promise<{ readonly claimed: ClaimedRequest } | { readonly answered: Answer }> {
    const secret = JSON.stringify([route, whose, key]);
    const opening = derived(secret, "answer");
    const facts = { body: derived(JSON.stringify(body) ?? "", "body").toString("base64url"), answer: unanswered };
    const item = keyFrom(kitKinds["request with a key"], { hash: derived(secret, "name").toString("base64url") });
    const work: Work = { key: item, lease, takesOver: true, keptFor: secondsKept, facts };
    const claimed = await claim<KeyItem>(work, context.now, context);
    if (claimed.outcome === "claimed") return { claimed: new ClaimedRequest(claimed.claim, opening, context) };
    const { item: known } = claimed;
    if (known.body !== facts.body) throw new KeyReused();
    if (known.state === "claimed" && known.leaseUntil > context.now) throw new RequestInProgress();
    // The try that stored the answer died before sending it, and must not change it any more.
    const isFinal =
      known.answer !== unanswered && (claimed.outcome === "done" || (await settled(item, known, context)));
    if (!isFinal) throw new RequestInProgress();
    return { answered: JSON.parse(unseal(known.answer, opening)) as Answer };
  }

  /** @param isFinal whether the answer is final, or may still change */
  #keepAnswer(text: string, isFinal: boolean) {
    const sealed = seal(text, this.#seal);
    if (sealed.length > longestAnswer) {
      const message = "cannot be used here: the answer is too large to be kept";
      throw new ValidationFailed([{ path: `/${headerName}`, message }]);
    }
    return updateOf(this.#claim, { answer: sealed, ...(isFinal && { state: "answered" }) });
  }

  /**
   * The part of an operation that stores its answer, in the transaction of its work.
   * @param answerTo converts the operation's result to an answer
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
   * Stores the final answer, if no transaction has stored it. An answer that is not stored must not be sent, because a
   * later try could get another one.
   * @throws RequestInProgress another try has taken over, and its answer counts
   * @throws UnknownOutcome Contended the table does not respond; a later try gets the answer that a transaction has stored
   */
  async finish(final: Answer): Promise<void> {
    const text = JSON.stringify(final);
    if (text === this.#kept) return;
    const update = this.#keepAnswer(text, true);
    // An earlier call may have been executed without a response. Each sealing produces a different text.
    const orKept = { ...update, ConditionExpression: `(${update.ConditionExpression}) OR #answer = :answer` };
    if (!(await retried(() => writeIf(orKept), this.#context))) throw new RequestInProgress();
  }

  /**
   * Releases the key, because no final answer was stored. A later try is then executed immediately, or gets the answer that
   * a transaction has stored. If this fails, a later try waits for the end of the lease.
   */
  release(): Promise<void> {
    return release(this.#claim, this.#context);
  }
}
/**
 * Makes the stored answer of a try that is presumed dead final.
 * @returns false when that try has changed its answer concurrently
 */
const settled = (item: Key, { answer }: KeyItem, deadline: Deadline): Promise<boolean> =>
  retried(
    () =>
      writeIf({
        Key: item,
        UpdateExpression: "SET #state = :answered",
        // Each sealing produces a different text.
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
  // HTTP parsers remove surrounding white space, which is not part of a value (RFC 9110, 5.5).
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= longestKey) return key;
  const message = `must have 1 to ${longestKey} visible ASCII characters`;
  throw new ValidationFailed([{ path: `/${headerName}`, message }]);
}
