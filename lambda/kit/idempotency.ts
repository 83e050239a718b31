/**
 * `Idempotency-Key`: a request that is sent again under its key is carried out once, and gets its first answer again
 * for a day (`docs/contract.md`, "Sending a request again").
 *
 * The first try claims the key. The transaction that does the work keeps the answer in the same item, on the condition
 * that the claim still stands. So a try that was thought dead cannot do the work a second time. Without the header,
 * nothing of this is read or written.
 */
import type { Answer } from "./answer.ts";
import type { RequestContext } from "./context.ts";
import { KeyReused, RequestInProgress, ValidationFailed } from "./errors.ts";
import { answer, type Decision, execute, type Keep, write } from "./execute.ts";
import { log } from "./log.ts";
import { retried } from "./retry.ts";
import { derived, seal, unseal } from "./sealed.ts";
import { type Item, type Key, type TransactItem, tableName, writeIf } from "./table.ts";

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
/** The end of the lease of a claim that no try works on any more. */
const over = 0;

/** The claim of a key as stored. It names no person, and only the key itself opens the answer. */
interface Claim extends Item {
  /** The try that has the claim. */
  readonly claimedBy: string;
  /** Hash of the request's body. */
  readonly body: string;
  /** Until when the try may be at work, epoch milliseconds; 0 when it has ended. */
  readonly leaseUntil: number;
  /** The sealed answer; empty until the work is done. It may still change while the try is at work. */
  readonly answer: string;
  /** Epoch seconds. DynamoDB deletes the item some time later, so it does not count any more from then on. */
  readonly ttl: number;
}

/** The facts that make two requests the same: the route, the caller and the key; and then also the body. */
export interface KeyedRequest {
  readonly route: string;
  readonly email: string;
  readonly key: string;
  readonly body: unknown;
}

/** The item that a refused claim shows is what the next decision knows. */
const learn = ({ claim }: { readonly claim?: Claim | null }) => claim ?? undefined;

/** A request with a key, while it is carried out. */
export class ClaimedRequest {
  readonly #item: Key;
  readonly #seal: Buffer;
  readonly #body: string;
  readonly #context: RequestContext;
  /** The final answer that a transaction is about to keep, and the one that is kept. */
  #next: string | undefined;
  #kept: string | undefined;

  private constructor({ route, email, key, body }: KeyedRequest, context: RequestContext) {
    const secret = JSON.stringify([route, email, key]);
    this.#item = { PK: `REQ#${derived(secret, "name").toString("base64url")}`, SK: "REQ" };
    this.#seal = derived(secret, "answer");
    this.#body = derived(JSON.stringify(body) ?? "", "body").toString("base64url");
    this.#context = context;
  }

  /**
   * Claims the key for this try.
   * @returns the first answer instead, when there is one
   * @throws KeyReused the key was used with another body
   * @throws RequestInProgress another try is being carried out
   */
  static async claim(
    request: KeyedRequest,
    context: RequestContext,
  ): Promise<{ readonly claimed: ClaimedRequest } | { readonly answered: Answer }> {
    const claimed = new ClaimedRequest(request, context);
    const before = await execute(
      {
        // The first try reads nothing: the refusal of the claim returns the item.
        read: async (_depth, known: Claim | undefined) => known,
        decide: (known: Claim | undefined) => claimed.#decide(known),
      },
      context,
    );
    if (!before) return { claimed };
    return { answered: JSON.parse(unseal(before, claimed.#seal)) as Answer };
  }

  /** @param known the item that a refused claim returned */
  #decide(known: Claim | undefined): Decision<string | undefined, Claim | undefined> {
    const { now } = this.#context;
    if (known && known.ttl * 1_000 > now) {
      if (known.body !== this.#body) throw new KeyReused();
      if (known.leaseUntil > now) throw new RequestInProgress();
      // The try that has kept the answer died before it could tell it. It must not change the answer any more.
      if (known.answer !== unanswered)
        return known.leaseUntil === over
          ? answer(known.answer)
          : write({ claim: this.#settle(known) }, known.answer, learn);
    }
    return write({ claim: this.#putClaim() }, undefined, learn);
  }

  #settle({ claimedBy, answer: kept }: Claim): TransactItem<Claim> {
    return {
      Update: {
        TableName: tableName,
        Key: this.#item,
        UpdateExpression: "SET claimedBy = :me, leaseUntil = :over",
        ConditionExpression: "claimedBy = :them AND #answer = :kept",
        ExpressionAttributeNames: { "#answer": "answer" },
        ExpressionAttributeValues: {
          ":me": this.#context.requestKey,
          ":over": over,
          ":them": claimedBy,
          ":kept": kept,
        },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      },
    };
  }

  #putClaim(): TransactItem<Claim> {
    const { now, requestKey } = this.#context;
    return {
      Put: {
        TableName: tableName,
        Item: {
          ...this.#item,
          claimedBy: requestKey,
          body: this.#body,
          leaseUntil: now + lease,
          answer: unanswered,
          ttl: Math.ceil(now / 1_000) + secondsKept,
        },
        ConditionExpression:
          "attribute_not_exists(PK) OR #ttl <= :seconds OR (#body = :body AND leaseUntil <= :now AND #answer = :none)",
        ExpressionAttributeNames: { "#body": "body", "#ttl": "ttl", "#answer": "answer" },
        ExpressionAttributeValues: {
          ":body": this.#body,
          ":seconds": Math.floor(now / 1_000),
          ":now": now,
          ":none": unanswered,
        },
        ReturnValuesOnConditionCheckFailure: "ALL_OLD",
      },
    };
  }

  /** Refused when another try has the claim. */
  #setAnswer(sealed: string, isFinal: boolean) {
    return {
      Key: this.#item,
      UpdateExpression: `SET #answer = :answer${isFinal ? ", leaseUntil = :over" : ""}`,
      ConditionExpression: "claimedBy = :me",
      ExpressionAttributeNames: { "#answer": "answer" },
      ExpressionAttributeValues: {
        ":me": this.#context.requestKey,
        ":answer": sealed,
        ...(isFinal && { ":over": over }),
      },
    };
  }

  #keepAnswer(text: string, isFinal: boolean) {
    const sealed = seal(text, this.#seal);
    if (sealed.length > longestAnswer) {
      const message = "cannot be used here: the answer is too large to be kept";
      throw new ValidationFailed([{ path: `/${headerName}`, message }]);
    }
    return this.#setAnswer(sealed, isFinal);
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
        return { Update: { TableName: tableName, ...this.#setAnswer(unanswered, false) } };
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
    if (!(await retried(() => writeIf(update), this.#context))) throw new RequestInProgress();
  }

  /**
   * Gives the key back, because no final answer was kept. A later try is carried out at once, or gets the answer that a
   * transaction has kept. When this fails, a later try waits for the end of the lease.
   */
  async release(): Promise<void> {
    try {
      await writeIf({
        Key: this.#item,
        UpdateExpression: "SET leaseUntil = :over, claimedBy = :released",
        ConditionExpression: "claimedBy = :me",
        ExpressionAttributeValues: { ":me": this.#context.requestKey, ":over": over, ":released": "released" },
      });
    } catch (error) {
      log.warn("a key was not released", { requestKey: this.#context.requestKey, error });
    }
  }
}

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
