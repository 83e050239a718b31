/** Whether each registration of an event has a queueKey of its own. */
import type { RegistrationRecord } from "#domain/registrations/record/registration.ts";
import type { Item, Key } from "#kit/table.ts";

type Named = Key & Partial<Pick<RegistrationRecord, "queueKey" | "status">>;

/** The event and the queueKey of a registration. Undefined for another item, and for a tombstone: it has no place. */
function nameOf({ PK, SK, queueKey, status }: Named): string | undefined {
  const isRegistration = PK.startsWith("USER#") && SK.startsWith("REG#");
  return isRegistration && queueKey !== undefined && status !== "deleted" ? `${SK} ${queueKey}` : undefined;
}

/** Whether two registrations are of one event and have the same queueKey. */
export const shareQueueKey = (one: Item, other: Item): boolean => {
  const name = nameOf(one);
  return name !== undefined && name === nameOf(other) && one.PK !== other.PK;
};

/** The queueKeys of the registrations that a walk has met, in memory: 100 to 200 bytes each. */
export class QueueKeys {
  readonly #owners = new Map<string, string>();

  /** @returns the registration that was met before with the same event and queueKey */
  add(item: Item): Key | undefined {
    const name = nameOf(item);
    if (name === undefined) return undefined;
    const owner = this.#owners.get(name);
    if (owner === undefined) this.#owners.set(name, item.PK);
    return owner === undefined || owner === item.PK ? undefined : { PK: owner, SK: item.SK };
  }
}
