/** Keys and writes of what has been sent: a marker for each notice and channel, and a record of each calendar entry. */
import type { RequestContext } from "#kit/context.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { type Deadline, retried } from "#kit/retry.ts";
import { getItem, type Key, type TransactItem, tableName, writeIf } from "#kit/table.ts";

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
  /** Names this try: what it has claimed, it alone may give back. */
  readonly claimedBy: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether a claim whose lease has ended may be taken over: what it was for may have been sent. */
  readonly takesOver: boolean;
}

/** `over`: it has ended already. `busy`: somebody is at it. `abandoned`: somebody was, and nobody knows how far. */
export type ClaimOutcome = "claimed" | "over" | "busy" | "abandoned";

const isFree = "attribute_not_exists(PK) OR #state = :released";

/** Refused when somebody has the notice, or has ended it: with the marker as it is. */
const putClaim = (marker: Marker, { claimedBy, now, takesOver }: Claimant): TransactItem<MarkerItem> => ({
  Update: {
    TableName: tableName,
    Key: markerKey(marker),
    UpdateExpression: "SET #state = :claimed, claimedBy = :me, leaseUntil = :until, #ttl = :ttl",
    ConditionExpression: takesOver ? `${isFree} OR (#state = :claimed AND leaseUntil <= :now)` : isFree,
    ExpressionAttributeNames: { "#state": "state", "#ttl": "ttl" },
    ExpressionAttributeValues: {
      ":claimed": "claimed",
      ":released": "released",
      ":me": claimedBy,
      ":until": now + lease,
      ":ttl": ttlIn(daysMarked, now),
      ...(takesOver && { ":now": now }),
    },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  },
});

/** @param known the marker as a refused claim told it */
function decideClaim(
  marker: Marker,
  claimant: Claimant,
  known: MarkerItem | undefined,
): Decision<ClaimOutcome, MarkerItem | undefined> {
  const { now, takesOver } = claimant;
  if (known && known.state !== "claimed" && known.state !== "released") return answer("over");
  if (known?.state === "claimed") {
    if (known.leaseUntil > now) return answer("busy");
    if (!takesOver) return answer("abandoned");
  }
  const members = { claim: putClaim(marker, claimant) };
  return write(members, "claimed", ({ claim: there }) => there ?? undefined);
}

/** Claims the sending of a notice. Of all who try at the same time, one gets it. */
export const claim = (marker: Marker, claimant: Claimant, deadline: Deadline): Promise<ClaimOutcome> =>
  execute(
    {
      // The claim itself is the first look.
      read: async (_depth, known: MarkerItem | undefined) => known,
      decide: (known: MarkerItem | undefined) => decideClaim(marker, claimant, known),
    },
    deadline,
  );

/** What somebody has claimed, they alone may change, and only while it has not ended. */
const ifStillMine = "claimedBy = :me AND #state = :claimed";

/** Gives a claim back, once or more often: nothing was sent, and whoever comes next need not wait for the lease to end. */
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
 * Notes how a notice has ended. `sent` is a fact, whoever has the claim by now; everything else is said only by whoever
 * still has it. Noting it again changes nothing.
 */
export async function markEnded(
  marker: Marker,
  ending: Ending,
  { claimedBy, now }: Pick<Claimant, "claimedBy" | "now">,
  deadline: Deadline,
): Promise<void> {
  const mustBeMine = ending !== "sent";
  const note = () =>
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
    });
  await retried(note, deadline);
}

const inviteKey = (calendarUid: string): Key => ({ PK: `INVITE#${calendarUid}`, SK: "INVITE" });

/** Notes that an invite may have been sent from now on. */
export async function rememberInvite(calendarUid: string, { now, deadline }: RequestContext): Promise<void> {
  const note = () =>
    writeIf({
      Key: inviteKey(calendarUid),
      UpdateExpression: "SET #ttl = :ttl",
      ExpressionAttributeNames: { "#ttl": "ttl" },
      ExpressionAttributeValues: { ":ttl": ttlIn(daysInvited, now) },
    });
  await retried(note, { deadline });
}

/** Whether an invite may have been sent; strongly consistent. */
export const wasInvited = async (calendarUid: string, deadline: Deadline): Promise<boolean> =>
  (await retried(() => getItem(inviteKey(calendarUid), "strong"), deadline)) !== undefined;
