/** Converts stored registrations and places to the form in which the service reads them. Pure. */
import { placeIn } from "#domain/capacity/line.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import type { KeyTexts } from "#kit/table/item.ts";
import type { Item } from "#kit/table/table.ts";
import { isOfKind } from "#outbox/stored-kinds.ts";

export const isRegistration = (key: KeyTexts): boolean => isOfKind("registration", key);

/** Whether an item is a place in line, also in the partners' one. */
export const isPlace = (key: KeyTexts): boolean =>
  isOfKind("place in line", key) || isOfKind("place in the partners' line", key);

/** The item with its fields and index attributes. An unreadable one is unchanged: its rule reports it. */
export function asRead(item: Item): Item {
  if (isPlace(item)) return { ...item, ...placeIn(item) };
  if (!isRegistration(item)) return item;
  const { leaderboard, lname } = item;
  try {
    return { leaderboard, lname, ...registrationIn(item) } as unknown as Item;
  } catch {
    return item;
  }
}
