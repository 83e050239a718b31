/** Client request tokens: within ten minutes the same transaction again is a success that writes nothing. */
import { createHash } from "node:crypto";
import { failure } from "./protocol.ts";

const tokenMilliseconds = 10 * 60_000;

const hashOf = (request: unknown): string => createHash("sha256").update(JSON.stringify(request)).digest("hex");

/** Kept in memory: whoever could send a transaction again does not outlive the stage. */
export class RequestTokens {
  readonly #committed = new Map<string, { readonly hash: string; readonly at: number }>();
  readonly #underWay = new Set<string>();

  /**
   * Whether a transaction with this token was committed.
   * @throws RequestFailed IdempotentParameterMismatchException TransactionInProgressException
   */
  isRepeated(token: string | undefined, request: unknown, now: number): boolean {
    if (token === undefined) return false;
    if (this.#underWay.has(token)) {
      throw failure("TransactionInProgressException", "A transaction with this token is already in progress");
    }
    const committed = this.#committed.get(token);
    if (!committed || committed.at < now - tokenMilliseconds) return false;
    if (committed.hash !== hashOf(request)) {
      throw failure(
        "IdempotentParameterMismatchException",
        "The request uses the same client token as a previous, but non-identical request. " +
          "Do not reuse a client token with different requests, unless the requests are identical",
      );
    }
    return true;
  }

  /** Carries out a transaction; its token counts once it is committed. */
  async during<T>(token: string | undefined, request: unknown, now: number, commit: () => Promise<T>): Promise<T> {
    if (token === undefined) return commit();
    this.#underWay.add(token);
    try {
      const result = await commit();
      // A token that comes again after its time moves to the end: the map is in the order of time.
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
