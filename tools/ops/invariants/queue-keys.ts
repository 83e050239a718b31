/** Checks that queueKeys are unique within an event. */

import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import { keyIn } from "#kit/table/item.ts";
import type { Item, Key } from "#kit/table/table.ts";
import { isRegistration } from "./as-read.ts";

type Named = Key & Partial<Pick<RegistrationRecord, "queueKey" | "status">>;

/** The event and queueKey of a registration. Undefined for other items, and for tombstones, which have no place. */
function nameOf(item: Named): string | undefined {
  const { SK, queueKey, status } = item;
  return isRegistration(item) && queueKey !== undefined && status !== "deleted" ? `${SK} ${queueKey}` : undefined;
}

/** Whether two registrations have the same event and queueKey. */
export const shareQueueKey = (one: Item, other: Item): boolean => {
  const name = nameOf(one);
  return name !== undefined && name === nameOf(other) && one.PK !== other.PK;
};

/** The queueKeys that a walk has read, in memory: 100 to 200 bytes each. */
export class QueueKeys {
  readonly #owners = new Map<string, string>();

  /** @returns an earlier registration with the same event and queueKey */
  add(item: Item): Key | undefined {
    const name = nameOf(item);
    if (name === undefined) return undefined;
    const owner = this.#owners.get(name);
    if (owner === undefined) this.#owners.set(name, item.PK);
    return owner === undefined || owner === item.PK ? undefined : { ...keyIn(item), PK: owner };
  }
}
