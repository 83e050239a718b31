/** Items as the service reads them: a registration with its fields, not in the form in which it is stored. Pure. */
import { registrationIn } from "#domain/registrations/stored-form.ts";
import type { Item, Key } from "#kit/table.ts";

const isRegistration = ({ PK, SK }: Key): boolean => PK.startsWith("USER#") && SK.startsWith("REG#");

/** The item with its fields and its attributes of indexes. One that cannot be read stays as it is: its rule says so. */
export function asRead(item: Item): Item {
  if (!isRegistration(item)) return item;
  const { GSI1PK, GSI1SK, lb, lname } = item;
  try {
    return { GSI1PK, GSI1SK, lb, lname, ...registrationIn(item) } as unknown as Item;
  } catch {
    return item;
  }
}
