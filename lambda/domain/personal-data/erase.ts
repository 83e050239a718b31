/**
 * The end of an erasure, sixty days after the account's deletion: what was kept for refunds, late mails and the provider's
 * events goes, and what has to stay gets a name that leads to nobody (`docs/contract.md`, "A person's data"). The name is
 * chosen by chance, and only the note of the erasure knows it. The note goes when a run finds nothing more to do. So a run
 * may die anywhere, and what is written beside it is found a day later, with the same name.
 */
import { factsOf, storedKindOf } from "#domain/catalogue/stored-kinds.ts";
import type { Payment } from "#domain/payments/payment.ts";
import { waitsFor } from "#domain/payments/waits-for.ts";
import {
  allErasures,
  changeNote,
  closeNote,
  dueErasures,
  dueIn,
  type Erasure,
  newPseudonym,
} from "#domain/people/users/erasures.ts";
import { allOf, queryItems } from "#kit/lists/pages.ts";
import { writeOnce } from "#kit/table/execute.ts";
import { Backoff, type Deadline } from "#kit/table/retry.ts";
import { deleteIf, type Item, put, putIf, queryOnce, type Transaction } from "#kit/table/table.ts";
import { isBack } from "./after-deletion.ts";
import { itemsAbout } from "./find.ts";

const day = 86_400_000;

type Note = Erasure & Item;

/** The item with another name instead of the email, in its keys too, and without the name that the game shows. */
function renamed(item: Item, email: string, pseudonym: string): Item {
  const named = (value: unknown): unknown =>
    typeof value === "string"
      ? value
          .split("#")
          .map((part) => (part === email ? pseudonym : part))
          .join("#")
      : value;
  const other = Object.fromEntries(Object.entries(item).map(([name, value]) => [name, named(value)])) as Item;
  return item.displayName === undefined ? other : { ...other, displayName: "Player" };
}

/** The condition that the item is as it was read. */
const unchanged = ({ version }: Item) =>
  version === undefined
    ? { ConditionExpression: "attribute_exists(PK)" }
    : { ConditionExpression: "version = :read", ExpressionAttributeValues: { ":read": version } };

/** What becomes of an item. Undefined: it stays as it is. */
function erasedMembers(item: Item, email: string, pseudonym: string): Transaction | undefined {
  const after = factsOf(storedKindOf(item) ?? "")?.personal?.after;
  if (!after || storedKindOf(item) === "erasure to come") return undefined;
  const { PK, SK } = item;
  // A tombstone keeps the version for someone who registers again.
  const isTombstone = item.status === "deleted";
  if ("goesLater" in after || isTombstone) return { item: deleteIf({ PK, SK }, unchanged(item)) };
  if (!("isRenamed" in after)) return undefined;
  const other = renamed(item, email, pseudonym);
  if (other.PK === PK && other.SK === SK) return { item: putIf(other, unchanged(item)) };
  return { former: deleteIf({ PK, SK }, unchanged(item)), item: put(other, "beside a condition") };
}

/** Whether the next run finds other items by it: a game's line in the list by the account, and a payment by what was paid. */
const leads = (item: Item): boolean => ["account in the game", "own payment"].includes(storedKindOf(item) ?? "");

/** Markers go before the registrations to which they belong, as `npm run ops -- check` expects. What leads to others goes last. */
const inOrder = (items: readonly Item[]): Item[] => {
  const placeOf = (item: Item) => (storedKindOf(item) === "marker of a notice" ? 0 : leads(item) ? 2 : 1);
  return items.toSorted((one, other) => placeOf(one) - placeOf(other));
};

const isWaiting = (item: Item): boolean =>
  storedKindOf(item) === "payment" && waitsFor(item as unknown as Payment) !== undefined;

/** @returns whether there was nothing to do */
async function eraseItems(items: readonly Item[], { email, pseudonym }: Required<Erasure>, deadline: Deadline) {
  const backoff = new Backoff(deadline);
  let isDone = true;
  let isRefused = false;
  for (const item of inOrder(items)) {
    const members = erasedMembers(item, email, pseudonym);
    if (!members) continue;
    isDone = false;
    if (backoff.isOver || (isRefused && leads(item))) break;
    // Refused, when the item has changed since it was read.
    if (await writeOnce(members, deadline)) isRefused = true;
  }
  return isDone;
}

/** `more`: the next run looks again. `money`: some is under way. `back`: the person keeps everything, and the note is gone. */
export type ErasureState = "over" | "more" | "money" | "back";

/** Does what is left of one erasure. If it is not over, it is due again, a day later at the earliest. */
export async function endErasure(note: Note, now: number, deadline: Deadline): Promise<ErasureState> {
  const { email, deletedAt, pseudonym = newPseudonym() } = note;
  const erasure = { email, deletedAt, pseudonym };
  const items = await itemsAbout(email);
  const again = { erasure, due: Math.max(dueIn(note), now + day) };
  if (isBack(items, erasure)) {
    await writeOnce(closeNote(note), deadline);
    return "back";
  }
  if (note.pseudonym === undefined) await writeOnce({ note: changeNote(note, erasure) }, deadline);
  const isMoney = items.some(isWaiting);
  const isDone = !isMoney && (await eraseItems(items, erasure, deadline));
  await writeOnce(closeNote(note, isDone ? undefined : again), deadline);
  return isDone ? "over" : isMoney ? "money" : "more";
}

/**
 * Ends the erasures that are due, ten at most. Somebody who has come back keeps everything.
 * @param now epoch milliseconds
 * @returns how many are over
 */
export async function eraseDue(now: number, deadline: Deadline): Promise<number> {
  const { items } = await queryOnce<Note>(dueErasures(now));
  let erased = 0;
  for (const note of items) if (["over", "back"].includes(await endErasure(note, now, deadline))) erased += 1;
  return erased;
}

/** The erasures to come of a person. */
export const notesOf = async (email: string): Promise<Note[]> =>
  (await allOf(queryItems<Note>(allErasures()))).filter((note) => note.email === email);

/** Whether a payment of the person waits for something, so that no erasure ends. */
export const isMoneyUnderWay = async (email: string): Promise<boolean> => (await itemsAbout(email)).some(isWaiting);
