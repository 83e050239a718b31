/** After an account was deleted: the person leaves every event that they can still leave, and the leaderboard. */
import pMap from "p-map";
import { checkNoUser } from "#domain/people/users/store.ts";
import { leave } from "#domain/registrations/leave.ts";
import { dropPoints } from "#domain/registrations/points/store.ts";
import type { RegistrationRecord } from "#domain/registrations/registration.ts";
import { byPerson } from "#domain/registrations/store.ts";
import type { RequestContext } from "#kit/context.ts";
import { IllegalTransition, NotFound } from "#kit/errors.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { queryItems } from "#kit/pages.ts";
import { accountDeletionMessage, type Message } from "#outbox/messages.ts";
import { consumer } from "./consumer.ts";

const atOnce = 4;

/** Whoever comes back may register again at once: that registration stays. */
const beganBefore = (deletedAt: number) => (registration: RegistrationRecord) => registration.createdAt <= deletedAt;

/** As the person could do it: until the event starts, and whatever the table of moves allows. */
async function cancel(registration: RegistrationRecord, context: RequestContext): Promise<void> {
  const { email, eventID, year, waitKey } = registration;
  const departure = {
    email,
    event: { id: eventID, year },
    to: "cancelled" as const,
    by: "self" as const,
    ofPlace: waitKey,
  };
  try {
    await leave(departure, context);
  } catch (error) {
    // Checked in, rejected, started, gone: it stays as it is.
    if (!(error instanceof IllegalTransition || error instanceof NotFound)) throw error;
  }
}

/** Takes somebody off the leaderboard, unless they are back. */
const forgetPoints = (email: string, context: RequestContext): Promise<void> =>
  execute(
    {
      read: async (_depth, isBack: boolean | undefined) => isBack ?? false,
      decide: (isBack: boolean): Decision<void, boolean> =>
        isBack
          ? answer(undefined)
          : write({ noUser: checkNoUser(email), points: dropPoints(email) }, undefined, () => true),
    },
    context,
  );

/**
 * Doing it again changes nothing.
 * @throws AggregateError some registrations could not be cancelled for now; the others are
 */
export async function forgetUser(
  { data, occurredAt, actor }: Message<"user.deleted">,
  system: RequestContext,
): Promise<void> {
  const context = { ...system, actor };
  const registrations: RegistrationRecord[] = [];
  for await (const row of queryItems<RegistrationRecord>(byPerson(data.email))) registrations.push(row);
  await pMap(registrations.filter(beganBefore(occurredAt)), (registration) => cancel(registration, context), {
    concurrency: atOnce,
    stopOnError: false,
  });
  // Last, since whoever is cancelled loses their points by a write to the same row. Whoever is back keeps them.
  await forgetPoints(data.email, context);
}

export const handler = consumer(accountDeletionMessage, forgetUser);
