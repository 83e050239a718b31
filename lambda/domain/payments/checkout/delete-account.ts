/**
 * Deletes an account, and closes its checkout for a membership in the same transaction: a payment would otherwise create
 * the account again.
 */
import { noteErasure } from "#domain/people/users/erasures.ts";
import { type Person, readPerson, removePerson } from "#domain/people/users/store.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type Decision, execute, write } from "#kit/table/execute.ts";
import { outboxRow } from "#outbox/store.ts";
import type { LatestCheckout } from "./checkout.ts";
import { closeWithAccount, readLatestCheckout } from "./store.ts";

/**
 * Removes account, membership and profile. A consumer forgets the registrations (`registrations/reactions/forget-person.ts`).
 * @throws NotFound
 */
export const deleteAccount = (email: string, context: RequestContext): Promise<void> =>
  execute(
    {
      read: () => Promise.all([readPerson(email), readLatestCheckout(email, undefined)]),
      decide([person, latest]: readonly [Person, LatestCheckout | undefined]): Decision<void> {
        if (!person.user && !person.member && !person.profile) throw new NotFound("User");
        const message = outboxRow({ type: "user.deleted", data: { email } }, context);
        const checkout = closeWithAccount(email, latest, context.now);
        const erasure = noteErasure({ email, deletedAt: context.now });
        return write({ ...removePerson(email, person), checkout, message, erasure }, undefined);
      },
    },
    context,
  );
