/**
 * Client request tokens: a repeated transaction succeeds for ten minutes and writes nothing.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html, "ClientRequestToken"
 */
import { createHash } from "node:crypto";
import { failure } from "./protocol.ts";

const tokenMilliseconds = 10 * 60_000;

/** The hash of a request, independent of the order of its fields. */
const hashOf = (request: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(sorted(request)))
    .digest("hex");

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, part]) => [name, sorted(part)]);
}

/** The tokens are kept in memory: the functions that could repeat a transaction end with the stage. */
export class RequestTokens {
  readonly #clock: () => number;
  readonly #committed = new Map<string, { readonly hash: string; readonly at: number }>();
  readonly #underWay = new Set<string>();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /**
   * Whether a transaction with this token was committed.
   * @throws RequestFailed IdempotentParameterMismatchException TransactionInProgressException
   */
  isRepeated(token: string | undefined, request: unknown): boolean {
    if (token === undefined) return false;
    if (this.#underWay.has(token)) {
      throw failure("TransactionInProgressException", "A transaction with this token is already in progress");
    }
    const committed = this.#committed.get(token);
    if (!committed || committed.at < this.#clock() - tokenMilliseconds) return false;
    if (committed.hash !== hashOf(request)) {
      throw failure(
        "IdempotentParameterMismatchException",
        "The request uses the same client token as a previous, but non-identical request. " +
          "Do not reuse a client token with different requests, unless the requests are identical",
      );
    }
    return true;
  }

  /**
   * Runs a transaction. Its token counts from the commit; the token of a cancelled transaction does not count.
   */
  async during<T>(token: string | undefined, request: unknown, commit: () => Promise<T>): Promise<T> {
    if (token === undefined) return commit();
    this.#underWay.add(token);
    try {
      const result = await commit();
      const now = this.#clock();
      // A token that is used again after its time moves to the end: the map is in the order of time.
      this.#committed.delete(token);
      this.#committed.set(token, { hash: hashOf(request), at: now });
      this.#forget(now);
      return result;
    } finally {
      this.#underWay.delete(token);
    }
  }

  #forget(now: number): void {
    for (const [token, { at }] of this.#committed) {
      if (at >= now - tokenMilliseconds) return;
      this.#committed.delete(token);
    }
  }
}
