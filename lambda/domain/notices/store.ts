/**
 * Keys and writes of markers: one for each notice, channel and person. The marker of a mail also says whether a calendar
 * entry may have been sent with it.
 */
import type { EventKey } from "#domain/events/event.ts";
import { type Deadline, retried } from "#kit/retry.ts";
import { type Key, queryOnce, updateOrFind, writeIf } from "#kit/table.ts";

export interface Marker {
  readonly outboxId: string;
  readonly channel: "mail" | "chat";
  readonly email: string;
  /** The event of the registration that the notice is about. Absent: it is about no registration. */
  readonly event?: EventKey;
}

/** How a notice ends in a channel. `failed`: the mail or chat service refused it, or another try is not allowed. */
export type Ending = "sent" | "superseded" | "failed";

interface MarkerItem {
  readonly state: Ending | "claimed" | "released";
  readonly claimedBy: string;
  /** Epoch milliseconds: until this time the try that claimed the notice counts as still at work. */
  readonly leaseUntil: number;
  /** How often the notice was claimed; a claim that was sent twice may count twice. */
  readonly tries: number;
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

const ttlIn = (days: number, now: number): number => Math.floor(now / 1_000) + days * day;

/** The notices about one registration stand together, so that one query finds them. */
export const markerKey = ({ outboxId, channel, email, event }: Marker): Key => ({
  PK: `SENT#${channel}#${email}`,
  SK: event ? `${event.id}#${event.year}#${outboxId}` : outboxId,
});

export interface Claimant {
  /** Names this try. Only the try that has claimed a notice may release it. */
  readonly claimedBy: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether this try may take over a claim whose lease has ended. The notice may have been sent already then. */
  readonly takesOver: boolean;
  /** Whether a calendar entry may go out with the notice. */
  readonly invites?: boolean;
}

/**
 * `over`: the notice has ended, or it goes out at most once and a try has claimed it. `busy`: another try is sending it.
 */
export type ClaimOutcome = "claimed" | "over" | "busy";

/**
 * A claim that stayed without an answer is sent again, so the own claim is free. It may also be carried out late: a
 * claim of before is refused when the same try has released it, or another one has claimed the notice since.
 */
const isFree = `attribute_not_exists(PK) OR (#state = :claimed AND claimedBy = :me)
  OR (#state = :released AND claimedBy <> :me AND leaseUntil <= :until)`;

const lifetimeOf = (invites: boolean | undefined): number => (invites ? daysInvited : daysMarked);

/** @returns the marker that refuses the claim */
const putClaim = (marker: Marker, { claimedBy, now, takesOver, invites }: Claimant) =>
  updateOrFind<MarkerItem>({
    Key: markerKey(marker),
    UpdateExpression: `SET #state = :claimed, claimedBy = :me, leaseUntil = :until, #ttl = :ttl${
      invites ? ", invites = :invites" : ""
    } ADD tries :one`,
    ConditionExpression: takesOver ? `${isFree} OR (#state = :claimed AND leaseUntil <= :now)` : isFree,
    ExpressionAttributeNames: { "#state": "state", "#ttl": "ttl" },
    ExpressionAttributeValues: {
      ":claimed": "claimed",
      ":released": "released",
      ":me": claimedBy,
      ":until": now + lease,
      ":ttl": ttlIn(lifetimeOf(invites), now),
      ":one": 1,
      ...(invites && { ":invites": true }),
      ...(takesOver && { ":now": now }),
    },
  });

/** Claims the sending of a notice. Of several tries at the same time only one gets the claim. */
export async function claim(marker: Marker, claimant: Claimant, deadline: Deadline): Promise<ClaimOutcome> {
  const found = await retried(() => putClaim(marker, claimant), deadline);
  if (!found) return "claimed";
  const isUnderWay = found.state === "released" || (found.state === "claimed" && claimant.takesOver);
  return isUnderWay ? "busy" : "over";
}

/** Only the try that has claimed a notice may change its marker, and only before the notice has ended. */
const ifStillMine = "claimedBy = :me AND #state = :claimed";

/**
 * Releases a claim, because nothing was sent. Then the next try does not have to wait for the end of the lease. A
 * second release changes nothing.
 */
export async function release(marker: Marker, claimedBy: string, deadline: Deadline): Promise<void> {
  const giveBack = () =>
    writeIf({
      Key: markerKey(marker),
      UpdateExpression: "SET #state = :released",
      ConditionExpression: ifStillMine,
      ExpressionAttributeNames: { "#state": "state" },
      ExpressionAttributeValues: { ":released": "released", ":claimed": "claimed", ":me": claimedBy },
    });
  await retried(giveBack, deadline);
}

/**
 * Notes how a notice has ended. `sent` is noted even if another try has taken over the claim, because the notice is
 * out. The other endings are noted only by the try that still has the claim. A second note changes nothing.
 */
export async function markEnded(
  marker: Marker,
  ending: Ending,
  {
    claimedBy,
    now,
    invites,
    withoutEntry,
  }: Pick<Claimant, "claimedBy" | "now" | "invites"> & Pick<MarkerItem, "withoutEntry">,
  deadline: Deadline,
): Promise<void> {
  const mustBeMine = ending !== "sent";
  const note = () =>
    writeIf({
      Key: markerKey(marker),
      UpdateExpression: `SET #state = :ending, claimedBy = :noClaim, leaseUntil = :now, #ttl = :ttl${
        withoutEntry ? ", withoutEntry = :withoutEntry" : ""
      }`,
      ...(mustBeMine && { ConditionExpression: ifStillMine }),
      ExpressionAttributeNames: { "#state": "state", "#ttl": "ttl" },
      ExpressionAttributeValues: {
        ":ending": ending,
        ":noClaim": "",
        ":now": now,
        ":ttl": ttlIn(lifetimeOf(invites), now),
        ...(withoutEntry && { ":withoutEntry": true }),
        ...(mustBeMine && { ":claimed": "claimed", ":me": claimedBy }),
      },
    });
  await retried(note, deadline);
}

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
