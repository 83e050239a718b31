import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import { UnknownOutcome } from "#kit/conflict.ts";
import { NotFound } from "#kit/errors.ts";
import { again, untilSettled } from "#kit/retry.ts";
import * as routes from "./routes.ts";
import { type Person, readPerson, removePerson } from "./store.ts";
import { ownOrByAdmin } from "./whose.ts";

/** What tells each of a person's records from one that is created later. */
const recordsOf = ({ user, member, profile }: Person): string[] => [
  ...(user ? [`user ${user.createdAt} ${user.createdBy}`] : []),
  ...(member ? [`member ${member.createdAt} ${member.profileID}`] : []),
  ...(profile ? [`profile ${profile.profileID}`] : []),
];

/** Registrations and points follow: `forget-user.ts`. */
export const deleteUser = api(routes.deleteUser, async ({ params, caller, now, requestId }) => {
  const email = ownOrByAdmin(params.email, caller);
  const origin = { now, actor: caller.email, correlationId: requestId };
  let tried: readonly string[] | undefined;
  await untilSettled(async () => {
    const person = await readPerson(email);
    const records = recordsOf(person);
    // All goes at once. What a try without an answer was to remove is gone; what is there now has come since.
    if (tried && !records.some((record) => tried?.includes(record))) return true;
    if (records.length === 0) throw new NotFound("User");
    const isDone = await removePerson(email, person, origin).catch((error) => {
      if (error instanceof UnknownOutcome) tried = records;
      throw error;
    });
    return isDone || again;
  });
  return ok({ message: "User deleted." });
});
