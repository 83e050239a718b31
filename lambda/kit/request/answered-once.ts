/** The wrapper around the handlers of routes with `Idempotency-Key`. */

import { Refusal } from "../errors.ts";
import type { Answer } from "./answer.ts";
import { type ApiHandler, api, type BearerReader, type Input } from "./api.ts";
import type { Contract } from "./contract.ts";
import { ClaimedRequest, keyIn } from "./idempotency.ts";
import { refusalAnswer, refusalOf } from "./problem.ts";
import type { Route } from "./route.ts";

/** The contract of a route with the key. None of these routes is public, because a key belongs to its caller or link. */
type Idempotent = Contract & { readonly access: "caller" | "admin" | "link"; readonly idempotent: true };

/** The input of such a handler. `claimed` is present when the request has a key. */
type KeyedInput<C extends Idempotent, Bearer> = Input<C, Bearer> & { readonly claimed?: ClaimedRequest };

/** Marks a response as a replay of the first one. */
const replayed = { "idempotent-replayed": "true" } as const;

/**
 * Like `api`, but answers a repeated request with the same key by its first answer. Answers that ask the caller to retry
 * are not stored.
 * @param bearerOf required by routes for links. It must not refuse a link that the work itself has ended
 */
export const apiOnce = <C extends Idempotent, Bearer = undefined>(
  route: Route<C>,
  work: (input: KeyedInput<C, Bearer>) => Answer | Promise<Answer>,
  bearerOf?: BearerReader<Bearer>,
): ApiHandler =>
  api(
    route,
    async (input: Input<C, Bearer>) => {
      const { caller, body, headers, context } = input as unknown as Input<Idempotent>;
      const key = keyIn(headers);
      if (key === undefined) return work(input);
      // The body of a request by a link does not say which registration it is about.
      const whose = caller?.email ?? headers.authorization ?? "";
      const claim = await ClaimedRequest.claim({ route: route.key, whose, key, body }, context);
      if ("answered" in claim) return { ...claim.answered, headers: { ...claim.answered.headers, ...replayed } };
      const { claimed } = claim;
      try {
        const answer = await refusedOr(() => work({ ...input, claimed }), context.requestId);
        await claimed.finish(answer);
        return answer;
      } catch (error) {
        await claimed.release();
        throw error;
      }
    },
    bearerOf,
  );

/**
 * The answer of the work, or to its refusal.
 * @throws an error with a 5xx status, or one that asks the caller to retry
 */
async function refusedOr(work: () => Answer | Promise<Answer>, requestId: string): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    const refusal = refusalOf(error as Error);
    if (!(refusal instanceof Refusal)) throw error;
    const answer = refusalAnswer(refusal, requestId);
    if (answer.statusCode >= 500 || "retry-after" in answer.headers) throw error;
    return answer;
  }
}
