/**
 * Claims: of several tries at the same work only one runs at a time, and the others see whether it has ended
 * (`docs/design.md`, "The executor"). A claim is one conditional update. Users specify whether a try may take over after
 * the lease, and record how the work ended.
 */
import { randomUUID } from "node:crypto";
import { log } from "../log.ts";
import { UnknownOutcome } from "./conflict.ts";
import { type Deadline, retried } from "./retry.ts";
import { type Key, setting, updateOrFind, writeIf } from "./table.ts";

type Attributes = Readonly<Record<string, string | boolean>>;

/** Work for one try at a time. */
export interface Work {
  readonly key: Key;
  /** Milliseconds for which a try is presumed active. */
  readonly lease: number;
  /**
   * Whether a try may take over a claim whose lease has ended. `true`: the work is done at least once, and twice if the
   * other try was only slow. `false`: at most once, because only its own try can release the claim.
   */
  readonly takesOver: boolean;
  /** Seconds after which the claim expires, and the work may be claimed again. */
  readonly keptFor: number;
  /** Attributes that the claim writes. A claim with other values is for other work, and is not replaced. */
  readonly facts?: Attributes;
}

/** A claim of one try. */
export interface Claim {
  readonly key: Key;
  /** Identifies the try; new for each claim. */
  readonly claimedBy: string;
}

/** The item of a claim, as stored. */
export interface ClaimItem {
  /** `claimed`, `released`, or how the work ended. */
  readonly state: string;
  readonly claimedBy: string;
  /** Epoch milliseconds. */
  readonly leaseUntil: number;
  /** How often the work was claimed; a claim whose request was repeated may count twice. */
  readonly tries: number;
  /** Epoch seconds. DynamoDB deletes expired items late, so readers compare it. */
  readonly ttl: number;
}

/** `done`: the work has ended, or another try keeps its claim. `busy`: another try is active. */
type ClaimOutcome<Item> =
  | { readonly outcome: "claimed"; readonly claim: Claim }
  | { readonly outcome: "done"; readonly item: Item & ClaimItem }
  | { readonly outcome: "busy"; readonly item: Item & ClaimItem };

/**
 * A claim without a response is sent again, so a try's own claim counts as free. A late execution of the first request is
 * refused if the try has released the claim, or another one has claimed the work since.
 */
const isFree =
  "(#state = :claimed AND claimedBy = :me) OR (#state = :released AND claimedBy <> :me AND leaseUntil <= :until)";
const isLapsed = "(#state = :claimed AND leaseUntil <= :now)";

function claiming(
  { key, lease, takesOver, keptFor, facts = {} }: Work,
  { claimedBy, state, now }: { readonly claimedBy: string; readonly state: string; readonly now: number },
) {
  const { parts, names, values } = setting(facts);
  const claimed = ["#state = :state, claimedBy = :me, leaseUntil = :until, #ttl = :ttl", ...parts].join(", ");
  const isSameAndFree = [...parts, `(${takesOver ? `${isFree} OR ${isLapsed}` : isFree})`].join(" AND ");
  return {
    Key: key,
    UpdateExpression: `SET ${claimed} ADD tries :one`,
    ConditionExpression: `attribute_not_exists(PK) OR #ttl <= :seconds OR ${isSameAndFree}`,
    ExpressionAttributeNames: { "#state": "state", "#ttl": "ttl", ...names },
    ExpressionAttributeValues: {
      ":state": state,
      ":claimed": "claimed",
      ":released": "released",
      ":me": claimedBy,
      ":until": now + lease,
      ":ttl": Math.ceil(now / 1_000) + keptFor,
      ":seconds": Math.floor(now / 1_000),
      ":one": 1,
      ...(takesOver && { ":now": now }),
      ...values,
    },
  };
}

/**
 * Claims work. Of several concurrent tries only one gets the claim.
 * @param now epoch milliseconds
 * @throws Contended nothing was written
 * @throws UnknownOutcome the claim may have been written; it is released, if the table responds now
 */
export async function claim<Item extends object>(
  work: Work,
  now: number,
  deadline: Deadline,
): Promise<ClaimOutcome<Item>> {
  const claimedBy = randomUUID();
  const put = (state: "claimed" | "released") =>
    retried(() => updateOrFind<Item & ClaimItem>(claiming(work, { claimedBy, state, now })), deadline);
  const item = await put("claimed").catch(async (error: unknown) => {
    // If the claim is executed late, it must be refused.
    if (error instanceof UnknownOutcome) await unlessItFails(work.key, () => put("released"));
    throw error;
  });
  if (!item) return { outcome: "claimed", claim: { key: work.key, claimedBy } };
  const isUnderWay = item.state === "released" || (item.state === "claimed" && work.takesOver);
  return { outcome: isUnderWay ? "busy" : "done", item };
}

/**
 * An update of the claim's item. Refused if the work has ended, or another try has the claim.
 * @param evenIfTakenOver not refused if another try has the claim
 */
export function updateOf({ key, claimedBy }: Claim, set: Attributes, evenIfTakenOver = false) {
  const { parts, names, values } = setting(set);
  return {
    Key: key,
    UpdateExpression: `SET ${parts.join(", ")}`,
    ConditionExpression: evenIfTakenOver ? "attribute_exists(PK)" : "claimedBy = :me AND #state = :claimed",
    ExpressionAttributeNames: { "#state": "state", ...names },
    ExpressionAttributeValues: { ...(!evenIfTakenOver && { ":me": claimedBy, ":claimed": "claimed" }), ...values },
  };
}

/**
 * Records how the work ended, so that no other try starts it. Idempotent.
 * @param end the final state, and other attributes
 * @param evenIfTakenOver also when another try has taken over the claim, because its work is no longer needed
 */
export async function recordEnd(
  claim: Claim,
  end: Attributes & Pick<ClaimItem, "state">,
  deadline: Deadline,
  evenIfTakenOver = false,
): Promise<void> {
  await retried(() => writeIf(updateOf(claim, end, evenIfTakenOver)), deadline);
}

/**
 * Releases the claim of work that was not done, so that the next try need not wait for the end of the lease. Never throws,
 * because the caller reports the error that ended the try. If it fails, the claim remains.
 */
export const release = (claim: Claim, deadline: Deadline): Promise<void> =>
  unlessItFails(claim.key, () => retried(() => writeIf(updateOf(claim, { state: "released" })), deadline));

async function unlessItFails({ PK }: Key, giveBack: () => Promise<unknown>): Promise<void> {
  try {
    await giveBack();
  } catch (error) {
    log.warn("claim not given back", { kind: PK.split("#")[0], reason: (error as Error).name });
  }
}
