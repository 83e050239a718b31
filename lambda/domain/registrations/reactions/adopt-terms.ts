/**
 * Adapts waiting people to an event that has started or stopped taking applications, or has turned a question into a
 * workshop selection or back. Such a change is allowed only while nobody is registered or waits, but a person may join the
 * line concurrently without a conflict. This operation corrects the registrations of these people.
 */

import { isDeepStrictEqual } from "node:util";
import { readLine } from "#domain/capacity/line.ts";
import { pools } from "#domain/capacity/seats.ts";
import type { EventRecord } from "#domain/events/event.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { answer, type Decision, execute, write } from "#kit/table/execute.ts";
import { retried } from "#kit/table/retry.ts";
import { chosenIn, questionsFor } from "../form/answers.ts";
import { factOf, type RegistrationRecord } from "../record/registration.ts";
import { rewritten } from "../record/transition.ts";
import { membersOf } from "../store/change.ts";
import { readRegistration } from "../store/store.ts";

/**
 * The registration of a waiting person under the event's current terms.
 * @returns undefined when it is correct already
 */
function adopted(before: RegistrationRecord, event: EventRecord): RegistrationRecord | undefined {
  const { isApplicationBased: applicationBased = false } = event;
  const choices = chosenIn(questionsFor(before, event), before);
  const isRight = (before.applicationBased ?? false) === applicationBased && isDeepStrictEqual(before.choices, choices);
  return isRight ? undefined : { ...before, applicationBased, choices };
}

/** @throws Contended UnknownOutcome some registrations may have been corrected; the next run continues */
export async function adoptTerms(event: EventRecord, context: RequestContext): Promise<void> {
  const { generation } = event;
  const lines = pools.map((pool) => retried(() => readLine(event, { generation, pool }, { maxPages: 5 }), context));
  for (const { email } of (await Promise.all(lines)).flatMap(({ places }) => places)) {
    await execute(
      {
        read: () => readRegistration({ email, event }, "strong"),
        decide: (before): Decision<void> => {
          const isWaiting = before?.status === "waitlist" && before.generation === event.generation;
          const fitted = isWaiting ? adopted(before, event) : undefined;
          if (!before || !fitted) return answer(undefined);
          const after = { ...fitted, ...rewritten(context, before) };
          const message = { type: "registration.updated", data: factOf(after) } as const;
          return write(membersOf({ before, after, message }, context), undefined);
        },
      },
      context,
    );
  }
}
