/** Ends a hold whose checkout was not heard of, after the provider has said what became of its session. */
import { isHoldOver, leave } from "#domain/registrations/leave.ts";
import { Unavailable } from "#kit/errors.ts";
import { log } from "#kit/log.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { retried } from "#kit/table/retry.ts";
import type { Catalogue } from "#outbox/catalogue.ts";
import { readPayer } from "../checkout/store.ts";
import type { Provider } from "../provider/provider.ts";
import { hear } from "./effects.ts";
import { newsIn } from "./provider-event.ts";

/**
 * A paid session is settled; an open one is ended first, so that no money can arrive for a seat that is given away. While
 * the provider does not answer, the hold waits: its next try sends another message. Idempotent.
 * @throws Contended UnknownOutcome the message has to come again
 */
export async function endUnheard(
  { email, eventID: id, year }: Catalogue["payment.unheard"],
  at: Provider,
  context: RequestContext,
): Promise<void> {
  const event = { id, year };
  const isOver = isHoldOver(context.now);
  const { registration, latest } = await retried(() => readPayer(email, event), context);
  if (!registration || !isOver(registration)) return;
  // A checkout without a session may replace one that was paid. No payer has seen its own page.
  const sessionId = latest?.sessionId ?? latest?.replaces;
  try {
    const news = sessionId === undefined ? undefined : newsIn(await at.end(sessionId));
    if (news) await hear(news, context);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return log.warn("the provider was not heard", { session: sessionId });
  }
  await leave({ email, event, to: "cancelled", origin: "clock/hold", isMeant: isOver }, context);
}
