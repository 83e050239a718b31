/**
 * Keys and writes of markers: one for each notice, channel and person. The marker of a mail also says whether a calendar
 * entry may have been sent with it.
 */
import type { EventKey } from "#domain/events/event.ts";
import type { ClaimItem, Work } from "#kit/claims.ts";
import { type Deadline, retried } from "#kit/retry.ts";
import { type Key, queryOnce } from "#kit/table.ts";

export interface Marker {
  readonly outboxId: string;
  readonly channel: "mail" | "chat";
  readonly email: string;
  /** The event of the registration that the notice is about. Absent: it is about no registration. */
  readonly event?: EventKey;
}

/** How a notice ends in a channel. `failed`: the mail or chat service refused it, or another try is not allowed. */
export type Ending = "sent" | "superseded" | "failed";

interface MarkerItem extends ClaimItem {
  /** The notice is one that comes with a calendar entry. */
  readonly invites?: boolean;
  /** The mail that was sent had no calendar entry, because the event had no date. */
  readonly withoutEntry?: boolean;
}

/** Milliseconds that a try may take to send one notice. The function must not run for longer. */
export const lease = 60_000;

const day = 86_400;
const daysMarked = 30;
const daysInvited = 400;

/** The notices about one registration stand together, so that one query finds them. */
export const markerKey = ({ outboxId, channel, email, event }: Marker): Key => ({
  PK: `SENT#${channel}#${email}`,
  SK: event ? `${event.id}#${event.year}#${outboxId}` : outboxId,
});

/**
 * The sending of a notice, as work to claim. A mail goes out at least once: a try takes over from one that seems dead. A
 * chat message goes out at most once.
 * @param invites whether a calendar entry may go out with the notice
 */
export const sendingOf = (marker: Marker, invites = false): Work => ({
  key: markerKey(marker),
  lease,
  takesOver: marker.channel === "mail",
  keptFor: (invites ? daysInvited : daysMarked) * day,
  ...(invites && { facts: { invites } }),
});

/**
 * Whether a calendar entry may have gone out with a notice. A notice of one try whose end is known is certain; of more
 * tries, an earlier one may have sent the entry before it ended.
 */
const mayHaveInvited = ({ invites, tries, state, withoutEntry }: MarkerItem): boolean =>
  invites === true && !(tries === 1 && (withoutEntry || state === "superseded" || state === "failed"));

/**
 * Whether a calendar entry of this registration may have been sent. The read is strongly consistent, and a notice is
 * claimed before its registration is read: a notice that this read misses finds the registration as it is now.
 */
export async function wasInvited({ email, event }: Required<Pick<Marker, "email" | "event">>, deadline: Deadline) {
  const { PK, SK } = markerKey({ outboxId: "", channel: "mail", email, event });
  const values = { ":person": PK, ":event": SK };
  const notices = {
    KeyConditionExpression: "PK = :person AND begins_with(SK, :event)",
    ExpressionAttributeValues: values,
    ConsistentRead: true,
  };
  const { items } = await retried(() => queryOnce<MarkerItem>(notices), deadline);
  return items.some(mayHaveInvited);
}
