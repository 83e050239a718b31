/** Keys and writes of what has been sent: a marker for each notice and channel, and a record of each calendar entry. */
import { again, untilSettled } from "#kit/retry.ts";
import { getItem, type Key, writeIf } from "#kit/table.ts";

export interface Marker {
  readonly outboxId: string;
  readonly channel: "mail" | "chat";
  readonly email: string;
}

/** How the telling of a notice ends. `failed`: nobody will take it, or nobody may try again. */
export type Ending = "sent" | "superseded" | "failed";

interface MarkerItem {
  readonly state: Ending | "claimed" | "released";
  /** Epoch milliseconds: until when whoever claimed it is believed to be at work. */
  readonly leaseUntil: number;
}

/** How long somebody may take to send one notice, in milliseconds. A function must not run for longer. */
export const lease = 60_000;

const day = 86_400;
const daysMarked = 30;
const daysInvited = 400;

const ttlIn = (days: number, now: number): number => Math.floor(now / 1_000) + days * day;

const markerKey = ({ outboxId, channel, email }: Marker): Key => ({
  PK: `SENT#${outboxId}#${channel}#${email}`,
  SK: "SENT",
});

export interface Claimant {
  /** Names this try, so that it recognizes its own claim when the answer to it got lost. */
  readonly claimedBy: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether a claim whose lease has ended may be taken over: what it was for may have been sent. */
  readonly takesOver: boolean;
}

/** `over`: it has ended already. `busy`: somebody is at it. `abandoned`: somebody was, and nobody knows how far. */
export type ClaimOutcome = "claimed" | "over" | "busy" | "abandoned";

const nobodys = "attribute_not_exists(PK) OR #state = :released OR claimedBy = :me";

function writeClaim(marker: Marker, { claimedBy, now, takesOver }: Claimant): Promise<boolean> {
  return writeIf({
    Key: markerKey(marker),
    UpdateExpression: "SET #state = :claimed, claimedBy = :me, leaseUntil = :until, #ttl = :ttl",
    // Whoever ends a notice takes their name off it, so that a claim of this try is one that has not ended.
    ConditionExpression: takesOver ? `${nobodys} OR (#state = :claimed AND leaseUntil <= :now)` : nobodys,
    ExpressionAttributeNames: { "#state": "state", "#ttl": "ttl" },
    ExpressionAttributeValues: {
      ":claimed": "claimed",
      ":released": "released",
      ":me": claimedBy,
      ":until": now + lease,
      ":ttl": ttlIn(daysMarked, now),
      ...(takesOver && { ":now": now }),
    },
  });
}

/** Claims the sending of a notice. Of all who try at the same time, one gets it. */
export const claim = (marker: Marker, claimant: Claimant): Promise<ClaimOutcome> =>
  untilSettled(async () => {
    if (await writeClaim(marker, claimant)) return "claimed";
    const known = await getItem<MarkerItem>(markerKey(marker), "strong");
    if (!known || known.state === "released") return again;
    if (known.state !== "claimed") return "over";
    if (known.leaseUntil > claimant.now) return "busy";
    return claimant.takesOver ? again : "abandoned";
  });

/** What somebody has claimed, they alone may change, and only while it has not ended. */
const ifStillMine = "claimedBy = :me AND #state = :claimed";

/** Gives a claim back: nothing was sent, and whoever comes next need not wait for the lease to end. */
export async function release(marker: Marker, claimedBy: string): Promise<void> {
  await untilSettled(() =>
    writeIf({
      Key: markerKey(marker),
      UpdateExpression: "SET #state = :released",
      ConditionExpression: ifStillMine,
      ExpressionAttributeNames: { "#state": "state" },
      ExpressionAttributeValues: { ":released": "released", ":claimed": "claimed", ":me": claimedBy },
    }),
  );
}

/**
 * Notes how a notice has ended. `sent` is a fact, whoever has the claim by now; everything else is said only by whoever
 * still has it.
 */
export async function markEnded(marker: Marker, ending: Ending, claimedBy: string, now: number): Promise<void> {
  const mustBeMine = ending !== "sent";
  await untilSettled(() =>
    writeIf({
      Key: markerKey(marker),
      UpdateExpression: "SET #state = :ending, claimedBy = :nobody, leaseUntil = :now, #ttl = :ttl",
      ...(mustBeMine && { ConditionExpression: ifStillMine }),
      ExpressionAttributeNames: { "#state": "state", "#ttl": "ttl" },
      ExpressionAttributeValues: {
        ":ending": ending,
        ":nobody": "",
        ":now": now,
        ":ttl": ttlIn(daysMarked, now),
        ...(mustBeMine && { ":claimed": "claimed", ":me": claimedBy }),
      },
    }),
  );
}

const inviteKey = (calendarUid: string): Key => ({ PK: `INVITE#${calendarUid}`, SK: "INVITE" });

/** Notes that an invite may have been sent from now on. */
export async function rememberInvite(calendarUid: string, now: number): Promise<void> {
  await untilSettled(() =>
    writeIf({
      Key: inviteKey(calendarUid),
      UpdateExpression: "SET #ttl = :ttl",
      ExpressionAttributeNames: { "#ttl": "ttl" },
      ExpressionAttributeValues: { ":ttl": ttlIn(daysInvited, now) },
    }),
  );
}

/** Whether an invite may have been sent; strongly consistent. */
export const wasInvited = async (calendarUid: string): Promise<boolean> =>
  (await untilSettled(() => getItem(inviteKey(calendarUid), "strong"))) !== undefined;
