/**
 * Fits waiting people to an event that has started or stopped taking applications. Such a change is allowed only while
 * no person is registered or waits. But a person may join the line at the same moment, and neither transaction sees the
 * other. This operation finds these people and corrects their registrations.
 */

import type { EventKey } from "#domain/events/event.ts";
import type { RequestContext } from "#kit/context.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { retried } from "#kit/retry.ts";
import { membersOf } from "./change.ts";
import { readLineStart } from "./line/store.ts";
import { factOf } from "./registration.ts";
import { readRegistration } from "./store.ts";
import { rewritten } from "./transition.ts";

export interface Mode {
  readonly incarnation: string;
  readonly isApplicationBased: boolean;
}

/** @throws Contended UnknownOutcome some registrations may have been corrected; another run continues */
export async function adoptTerms(event: EventKey, mode: Mode, context: RequestContext): Promise<void> {
  const { places } = await retried(() => readLineStart(event, mode.incarnation), context);
  for (const { email } of places) {
    await execute(
      {
        depth: "certain",
        read: () => readRegistration({ email, event }, "strong"),
        decide: (before): Decision<void> => {
          const isWaiting = before?.status === "waitlist" && before.incarnation === mode.incarnation;
          if (!isWaiting || (before.applicationBased ?? false) === mode.isApplicationBased) return answer(undefined);
          const after = { ...before, applicationBased: mode.isApplicationBased, ...rewritten(context, before) };
          const message = { type: "registration.updated", data: factOf(after) } as const;
          return write(membersOf({ before, after, message }, context), undefined);
        },
      },
      context,
    );
  }
}
