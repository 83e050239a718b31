/**
 * Keys and writes of markers: one per notice, channel and person. The marker of a mail also records whether a calendar
 * entry may have been sent with it.
 */

import type { EventKey } from "#domain/events/event.ts";
import { itemsBeginning } from "#kit/lists/pages.ts";
import type { ClaimItem, Work } from "#kit/table/claims.ts";
import { type Deadline, retried } from "#kit/table/retry.ts";
import { type Key, queryOnce } from "#kit/table/table.ts";
import { keyOf } from "#outbox/stored-kinds.ts";

export interface Marker {
  readonly outboxId: string;
  readonly channel: "mail" | "chat";
  readonly email: string;
  /** The event of the registration that the notice is about. Absent for other notices. */
  readonly event?: EventKey;
}

/** Whose marker a message has that is about no person. */
const treasurer = "treasurer";

/** Whose marker a message has. @param data of the message */
export const personIn = (data: object): string => ("email" in data ? String(data.email) : treasurer);

/** How a notice ends in a channel. `failed`: the mail or chat service refused it, or no retry is allowed. */
export type Ending = "sent" | "superseded" | "failed";

interface MarkerItem extends ClaimItem {
  /** Notices of this kind include a calendar entry. */
  readonly invites?: boolean;
  /** The sent mail had no calendar entry, because the event had no date. */
  readonly withoutEntry?: boolean;
}

/** Milliseconds in which a try must send one notice. The function must not run longer. */
export const lease = 60_000;

const day = 86_400;
const daysMarked = 30;
const daysInvited = 400;

/** The notices about one registration share a prefix, so that one query finds them. */
export const markerKey = ({ outboxId, channel, email, event }: Marker): Key => {
  const notice = event ? `${event.id}#${event.year}#${outboxId}` : outboxId;
  return keyOf("marker of a notice", { channel, email, notice });
};

/**
 * The sending of a notice, as work to claim. A mail is sent at least once: a later try takes over from one whose lease has
 * ended. A chat message is sent at most once.
 * @param invites whether the notice may include a calendar entry
 */
export const sendingOf = (marker: Marker, invites = false): Work => ({
  key: markerKey(marker),
  lease,
  takesOver: marker.channel === "mail",
  keptFor: (invites ? daysInvited : daysMarked) * day,
  ...(invites && { facts: { invites } }),
});

/**
 * Whether a calendar entry may have been sent with a notice. After a single try with a known ending this is certain;
 * after more tries, an earlier one may have sent the entry.
 */
const mayHaveInvited = ({ invites, tries, state, withoutEntry }: MarkerItem): boolean =>
  invites === true && !(tries === 1 && (withoutEntry || state === "superseded" || state === "failed"));

/**
 * Whether a calendar entry of this registration may have been sent. Notices are claimed before their registration is
 * read, and this read is strongly consistent: a notice that it misses reads the current registration.
 */
export async function wasInvited({ email, event }: Required<Pick<Marker, "email" | "event">>, deadline: Deadline) {
  const { PK, SK } = markerKey({ outboxId: "", channel: "mail", email, event });
  const { items } = await retried(() => queryOnce<MarkerItem>(itemsBeginning(PK, SK)), deadline);
  return items.some(mayHaveInvited);
}
