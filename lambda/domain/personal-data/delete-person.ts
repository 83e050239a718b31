/**
 * Deletes a person: account, membership and profile at once, everything else later (`docs/contract.md`, "Users"). Closes the
 * checkout for a membership in the same transaction: a payment would otherwise create the account again.
 */

import type { LatestCheckout } from "#domain/payments/checkout/checkout.ts";
import { closeWithAccount, readLatestCheckout } from "#domain/payments/checkout/store.ts";
import { type Again, onceMore } from "#domain/people/once-more.ts";
import { beginErasure, type Erasure, isPseudonym, recentDeletions } from "#domain/people/users/erasures.ts";
import { type Person, readPerson, removePerson } from "#domain/people/users/store.ts";
import type { EndPersonOrigin } from "#domain/registrations/record/acts.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type Decision, execute, write } from "#kit/table/execute.ts";
import type { Item } from "#kit/table/table.ts";
import { storedKindOf } from "#outbox/stored-kinds.ts";
import { isBack, outlives } from "./after-deletion.ts";

const hasRecords = ({ user, member, profile }: Person): boolean => Boolean(user ?? member ?? profile);

/** Whether a deletion changes anything about a person without an account, and none is under way that does the same. @param now epoch milliseconds */
export async function isLeft(email: string, now: number): Promise<boolean> {
  // Loaded when a person without an account is deleted, which is rare.
  const { itemsAbout } = await import("./find.ts");
  const items = await itemsAbout(email, now);
  const isNote = (item: Item) => storedKindOf(item) === "erasure to come";
  const notes = items.filter(isNote) as (Erasure & Item)[];
  return items.some((item) => !isNote(item) && !outlives(item)) && notes.every((note) => isBack(items, note));
}

/**
 * Removes account, membership and profile. A consumer forgets the registrations (`registrations/reactions/forget-person.ts`).
 * @throws NotFound nothing is stored about the person, or the deletion is under way
 * @throws TooOften
 */
export const deletePerson = (email: string, origin: EndPersonOrigin, context: RequestContext): Promise<void> =>
  execute(
    {
      async read() {
        const [person, latest, again] = await Promise.all([
          readPerson(email),
          readLatestCheckout(email, undefined),
          recentDeletions(email, context.now),
        ]);
        return {
          again,
          person,
          latest,
          isKnown: hasRecords(person) || (!isPseudonym(email) && (await isLeft(email, context.now))),
        };
      },
      decide({ person, latest, again, isKnown }: Read): Decision<void> {
        if (!isKnown) throw new NotFound("User");
        onceMore("deleteAccount", again, context.now);
        const checkout = closeWithAccount(email, latest, context.now);
        return write({ ...removePerson(email, person), checkout, ...beginErasure(email, origin, context) }, undefined);
      },
    },
    context,
  );

interface Read {
  readonly person: Person;
  readonly latest: LatestCheckout | undefined;
  /** How often the person was deleted recently. */
  readonly again: Again | undefined;
  readonly isKnown: boolean;
}
