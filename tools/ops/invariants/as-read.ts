/** Converts stored registrations and places to the form in which the service reads them. Pure. */
import { placeIn } from "#domain/capacity/line.ts";
import { registrationIn } from "#domain/registrations/record/stored-form.ts";
import type { Item, Key } from "#kit/table/table.ts";

const isRegistration = ({ PK, SK }: Key): boolean => PK.startsWith("USER#") && SK.startsWith("REG#");

/** The item with its fields and index attributes. An unreadable one is unchanged: its rule reports it. */
export function asRead(item: Item): Item {
  if (item.PK.startsWith("WAIT#")) return { ...item, ...placeIn(item) };
  if (!isRegistration(item)) return item;
  const { leaderboard, lname } = item;
  try {
    return { leaderboard, lname, ...registrationIn(item) } as unknown as Item;
  } catch {
    return item;
  }
}
