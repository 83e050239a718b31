import type { LatestCheckout } from "#domain/payments/checkout.ts";
import { closeWithAccount, readLatestCheckout } from "#domain/payments/latest-checkout.ts";
import { type Person, readPerson, removePerson } from "#domain/people/users/store.ts";
import { ok } from "#kit/answer.ts";
import { api } from "#kit/api.ts";
import type { RequestContext } from "#kit/context.ts";
import { NotFound } from "#kit/errors.ts";
import { type Decision, execute, write } from "#kit/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import { ownOrByAdmin } from "./caller-email.ts";
import * as routes from "./routes.ts";

/** @throws NotFound */
const remove = (email: string, context: RequestContext): Promise<void> =>
  execute(
    {
      depth: "certain",
      read: () => Promise.all([readPerson(email), readLatestCheckout(email, undefined)]),
      decide([person, latest]: readonly [Person, LatestCheckout | undefined]): Decision<void> {
        if (!person.user && !person.member && !person.profile) throw new NotFound("User");
        const message = outboxRow({ type: "user.deleted", data: { email } }, context);
        const checkout = closeWithAccount(email, latest, context.now);
        return write({ ...removePerson(email, person), checkout, message }, undefined);
      },
    },
    context,
  );

/** A consumer cancels the registrations and drops the points (`forget-person.ts`). */
export const deleteUser = api(routes.deleteUser, async ({ params, caller, context }) => {
  const email = ownOrByAdmin(params.email, caller, "You can delete only your own user record.");
  await remove(email, context);
  return ok({ message: "User deleted." });
});
