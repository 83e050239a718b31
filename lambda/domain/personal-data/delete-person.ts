/**
 * Deletes a person: account, membership and profile at once, everything else later (`docs/contract.md`, "Users"). Closes the
 * checkout for a membership in the same transaction: a payment would otherwise create the account again.
 */
import { storedKindOf } from "#domain/catalogue/stored-kinds.ts";
import type { LatestCheckout } from "#domain/payments/checkout/checkout.ts";
import { closeWithAccount, readLatestCheckout } from "#domain/payments/checkout/store.ts";
import { beginErasure, type Erasure, isPseudonym } from "#domain/people/users/erasures.ts";
import { type Person, readPerson, removePerson } from "#domain/people/users/store.ts";
import { NotFound } from "#kit/errors.ts";
import type { RequestContext } from "#kit/request/context.ts";
import { type Decision, execute, write } from "#kit/table/execute.ts";
import type { Item } from "#kit/table/table.ts";
import { isBack, outlives } from "./after-deletion.ts";

const hasRecords = ({ user, member, profile }: Person): boolean => Boolean(user ?? member ?? profile);

/** Whether a deletion changes anything about a person without an account, and none is under way that does the same. */
export async function isLeft(email: string): Promise<boolean> {
  // Loaded when somebody without an account is deleted, which is rare.
  const { itemsAbout } = await import("./find.ts");
  const items = await itemsAbout(email);
  const isNote = (item: Item) => storedKindOf(item) === "erasure to come";
  const notes = items.filter(isNote) as (Erasure & Item)[];
  return items.some((item) => !isNote(item) && !outlives(item)) && notes.every((note) => isBack(items, note));
}

/**
 * Removes account, membership and profile. A consumer forgets the registrations (`registrations/reactions/forget-person.ts`).
 * @throws NotFound nothing is stored about the person, or the deletion is under way
 */
export const deletePerson = (email: string, context: RequestContext): Promise<void> =>
  execute(
    {
      async read() {
        const [person, latest] = await Promise.all([readPerson(email), readLatestCheckout(email, undefined)]);
        return { person, latest, isKnown: hasRecords(person) || (!isPseudonym(email) && (await isLeft(email))) };
      },
      decide({ person, latest, isKnown }: Read): Decision<void> {
        if (!isKnown) throw new NotFound("User");
        const checkout = closeWithAccount(email, latest, context.now);
        return write({ ...removePerson(email, person), checkout, ...beginErasure(email, context) }, undefined);
      },
    },
    context,
  );

interface Read {
  readonly person: Person;
  readonly latest: LatestCheckout | undefined;
  readonly isKnown: boolean;
}
