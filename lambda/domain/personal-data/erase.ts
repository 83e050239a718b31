/**
 * The end of an erasure, sixty days after the account's deletion: what was kept for refunds, late mails and the provider's
 * events goes, and what has to stay gets a name that leads to no person (`docs/contract.md`, "A person's data"). The name is
 * chosen by chance, and only the note of the erasure knows it. The note goes when a run finds nothing more to do. So a run
 * may die anywhere, and what is written beside it is found a day later, with the same name.
 */

import pMap from "p-map";
import { emptyFeedbackOf } from "#domain/feedback/forget.ts";
import type { Payment } from "#domain/payments/record/payment.ts";
import { waitsFor } from "#domain/payments/record/waits-for.ts";
import {
  changeNote,
  closeNote,
  dueErasures,
  dueIn,
  type Erasure,
  type ErasureNote,
  newPseudonym,
} from "#domain/people/users/erasures.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import { useGivenBack } from "#domain/registrations/store/change.ts";
import { queryItems } from "#kit/lists/pages.ts";
import { log } from "#kit/log.ts";
import { systemContext } from "#kit/request/context.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { Backoff, type Deadline } from "#kit/table/retry.ts";
import { deleteIf, exists, type Item, isAsRead, put, putIf, type Transaction } from "#kit/table/table.ts";
import { day } from "#kit/text/time.ts";
import { factsOf, type StoredKind, storedKindOf } from "#outbox/stored-kinds.ts";
import { isBack, isUnforgotten, unnamed } from "./after-deletion.ts";
import { ownItems } from "./find.ts";

/** People whose erasures are ended at the same time. */
const atOnce = 8;

/** They go with the registration: the person waited when the event began. */
const places: readonly (StoredKind | undefined)[] = ["place in line", "place in the partners' line"];

/** The condition that the item is as it was read. */
const unchanged = ({ version }: Item) => (typeof version === "number" ? isAsRead({ version }) : exists);

/** What becomes of an item. Undefined: it stays as it is. */
function erasedMembers(item: Item, email: string, pseudonym: string): Transaction | undefined {
  const kind = storedKindOf(item);
  const after = factsOf(kind ?? "")?.personal?.after;
  if (!after) return undefined;
  // A tombstone keeps the version for someone who registers again.
  const isTombstone = item.status === "deleted";
  if ("goesLater" in after || isTombstone || places.includes(kind)) return { item: deleteIf(item, unchanged(item)) };
  if (!("isRenamed" in after)) return undefined;
  const other = unnamed(item, email, pseudonym);
  if (other.PK === item.PK && other.SK === item.SK) return { item: putIf(other, unchanged(item)) };
  return { former: deleteIf(item, unchanged(item)), item: put(other, "beside a condition") };
}

/** The next run finds other items by them: a line of the game's list, a payment, scans and places in line. */
const leading: readonly (StoredKind | undefined)[] = ["account in the game", "own payment", "registration"];
const leads = (item: Item): boolean => leading.includes(storedKindOf(item));

/** Markers go before the registrations to which they belong, as `npm run ops -- check` expects. What leads to others goes last. */
const inOrder = (items: readonly Item[]): Item[] => {
  const placeOf = (item: Item) => (storedKindOf(item) === "marker of a notice" ? 0 : leads(item) ? 2 : 1);
  return items.toSorted((one, other) => placeOf(one) - placeOf(other));
};

const isWaiting = (item: Item): boolean =>
  storedKindOf(item) === "payment" && waitsFor(item as unknown as Payment) !== undefined;

/** @returns whether there was nothing to do, something was done, or the time was over before the last item */
async function eraseItems(items: readonly Item[], { email, pseudonym }: Required<Erasure>, deadline: Deadline) {
  const backoff = new Backoff(deadline);
  let found: "nothing" | "items" = "nothing";
  let isRefused = false;
  for (const item of inOrder(items)) {
    const erased = erasedMembers(item, email, pseudonym);
    if (!erased) continue;
    found = "items";
    if (backoff.isOver) return "no time";
    if (isRefused && leads(item)) break;
    // Under another name, a registration has no code: whom it was given to is noted there.
    const code = storedKindOf(item) === "registration" ? await useGivenBack(registrationIn(item)) : {};
    // Refused, when the item has changed since it was read.
    if (await writeOnce({ ...erased, ...code }, deadline)) isRefused = true;
  }
  return found;
}

/** Records have still to follow the person to a new email. */
const isMoving = (item: Item): boolean => storedKindOf(item) === "new email" && item.movedAt !== undefined;

function delayIn(items: readonly Item[]): "money" | "busy" | undefined {
  if (items.some(isWaiting)) return "money";
  return items.some((item) => isMoving(item) || isUnforgotten(item)) ? "busy" : undefined;
}

/**
 * `more`: the next run looks again. `money`: some is under way. `busy`: the registrations are not all forgotten yet. `back`:
 * the person keeps everything, and the note is gone.
 */
export type ErasureState = "over" | "more" | "money" | "busy" | "back";

/**
 * Does what is left of one erasure. If it is not over, it is due again, a day later at the earliest; without time for all
 * items, it stays due.
 */
export async function endErasure(note: ErasureNote, now: number, deadline: Deadline): Promise<ErasureState> {
  const { email, deletedAt, pseudonym = newPseudonym() } = note;
  const erasure = { email, deletedAt, pseudonym };
  const items = await ownItems(email, now);
  const again = { erasure, due: Math.max(dueIn(note), now + day) };
  if (isBack(items, erasure)) {
    await writeOnce(closeNote(note), deadline);
    return "back";
  }
  if (note.pseudonym === undefined) await writeOnce({ note: changeNote(note, erasure) }, deadline);
  const waits = delayIn(items);
  if (!waits) await emptyFeedbackOf(email, now, { ...systemContext("erasure", now), ...deadline });
  const found = waits ?? (await eraseItems(items, erasure, deadline));
  if (found === "no time") return "more";
  await writeOnce(closeNote(note, found === "nothing" ? undefined : again), deadline);
  if (found === "nothing") return "over";
  return found === "items" ? "more" : found;
}

/**
 * Ends the erasures that are due, in the order in which they are due, until the deadline. A person who has come back keeps
 * everything. One that fails does not keep others waiting.
 * @param now epoch milliseconds
 * @returns how many are over
 * @throws Error some have failed: they are still due
 */
export async function eraseDue(now: number, deadline: Deadline): Promise<number> {
  const backoff = new Backoff(deadline);
  const states = new Map<ErasureState | "failed", number>();
  const count = (state: ErasureState | "failed") => states.set(state, (states.get(state) ?? 0) + 1);
  // Of several deletions of one person only one gives names; the next run closes the others.
  const begun = new Set<string>();
  const end = async (note: ErasureNote): Promise<void> => {
    if (backoff.isOver || begun.has(note.email)) return;
    begun.add(note.email);
    try {
      count(await endErasure(note, now, deadline));
    } catch (error) {
      count("failed");
      log.error("erasure failed", { due: dueIn(note), error });
    }
  };
  await pMap(queryItems<ErasureNote>(dueErasures(now)), end, { concurrency: atOnce });
  const failed = states.get("failed") ?? 0;
  if (failed > 0 && !backoff.isOver) throw new Error(`${failed} erasures failed; the others have been ended`);
  return (states.get("over") ?? 0) + (states.get("back") ?? 0);
}

/** Why no erasure of the person ends now. @param now epoch milliseconds */
export const delayOf = async (email: string, now: number) => delayIn(await ownItems(email, now));
