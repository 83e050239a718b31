/**
 * Keys and writes of markers (one for each notice, channel and person) and of notes that an invite may have been sent.
 */
import type { RequestContext } from "#kit/context.ts";
import { answer, type Decision, execute, write } from "#kit/execute.ts";
import { type Deadline, retried } from "#kit/retry.ts";
import { getItem, type Key, type TransactItem, tableName, writeIf } from "#kit/table.ts";

export interface Marker {
  readonly outboxId: string;
  readonly channel: "mail" | "chat";
  readonly email: string;
}

/** How a notice ends in a channel. `failed`: the mail or chat service refused it, or another try is not allowed. */
export type Ending = "sent" | "superseded" | "failed";

interface MarkerItem {
  readonly state: Ending | "claimed" | "released";
  /** Epoch milliseconds: until this time the try that claimed the notice counts as still at work. */
  readonly leaseUntil: number;
}

/** Milliseconds that a try may take to send one notice. The function must not run for longer. */
export const lease = 60_000;

const day = 86_400;
const daysMarked = 30;
const daysInvited = 400;

const ttlIn = (days: number, now: number): number => Math.floor(now / 1_000) + days * day;

export const markerKey = ({ outboxId, channel, email }: Marker): Key => ({
  PK: `SENT#${outboxId}#${channel}#${email}`,
  SK: "SENT",
});

export interface Claimant {
  /** Names this try. Only the try that has claimed a notice may release it. */
  readonly claimedBy: string;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Whether this try may take over a claim whose lease has ended. The notice may have been sent already then. */
  readonly takesOver: boolean;
}

/**
 * `over`: the notice has ended already. `busy`: another try is sending it. `abandoned`: another try has claimed it, its
 * lease has ended, and it is not known whether it has sent the notice.
 */
export type ClaimOutcome = "claimed" | "over" | "busy" | "abandoned";

const isFree = "attribute_not_exists(PK) OR #state = :released";

/** Refused when another try has claimed or ended the notice. The refusal returns the marker. */
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

/** @param known the marker that a refused claim returned */
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

/** Claims the sending of a notice. Of several tries at the same time only one gets the claim. */
export const claim = (marker: Marker, claimant: Claimant, deadline: Deadline): Promise<ClaimOutcome> =>
  execute(
    {
      // The first try reads nothing: the refusal of the claim returns the marker.
      read: async (_depth, known: MarkerItem | undefined) => known,
      decide: (known: MarkerItem | undefined) => decideClaim(marker, claimant, known),
    },
    deadline,
  );

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
  { claimedBy, now }: Pick<Claimant, "claimedBy" | "now">,
  deadline: Deadline,
): Promise<void> {
  const mustBeMine = ending !== "sent";
  const note = () =>
    writeIf({
      Key: markerKey(marker),
      UpdateExpression: "SET #state = :ending, claimedBy = :noClaim, leaseUntil = :now, #ttl = :ttl",
      ...(mustBeMine && { ConditionExpression: ifStillMine }),
      ExpressionAttributeNames: { "#state": "state", "#ttl": "ttl" },
      ExpressionAttributeValues: {
        ":ending": ending,
        ":noClaim": "",
        ":now": now,
        ":ttl": ttlIn(daysMarked, now),
        ...(mustBeMine && { ":claimed": "claimed", ":me": claimedBy }),
      },
    });
  await retried(note, deadline);
}

const inviteKey = (calendarUid: string): Key => ({ PK: `INVITE#${calendarUid}`, SK: "INVITE" });

/** Notes, before an invite is sent, that it may have been sent. */
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

/** Whether an invite may have been sent. The read is strongly consistent. */
export const wasInvited = async (calendarUid: string, deadline: Deadline): Promise<boolean> =>
  (await retried(() => getItem(inviteKey(calendarUid), "strong"), deadline)) !== undefined;
