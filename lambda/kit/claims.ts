/**
 * Claims: of several tries at the same work one at a time is at it, and the others see whether it is over
 * (`docs/design.md`, "The executor"). A claim is one conditional update. Each user says whether a try may take over from
 * one that seems dead, and notes how the work ended.
 */
import { randomUUID } from "node:crypto";
import { UnknownOutcome } from "./conflict.ts";
import { log } from "./log.ts";
import { type Deadline, retried } from "./retry.ts";
import { type Key, setting, updateOrFind, writeIf } from "./table.ts";

type Attributes = Readonly<Record<string, string | boolean>>;

/** Work that is to be done by one try. */
export interface Work {
  readonly key: Key;
  /** Milliseconds for which a try is believed to be at work. */
  readonly lease: number;
  /**
   * Whether a try may take over a claim whose lease has ended. `true`: the work is done at least once, and twice when the
   * other try was only slow. `false`: at most once, because the claim stays with its try unless that gives it back.
   */
  readonly takesOver: boolean;
  /** Seconds from the claim after which the work is forgotten, and may be claimed anew. */
  readonly keptFor: number;
  /** Attributes that the claim writes. A claim with other values is of other work, and stays. */
  readonly facts?: Attributes;
}

/** A claim that one try has. */
export interface Claim {
  readonly key: Key;
  /** Names the try; new for each claim. */
  readonly claimedBy: string;
}

/** The item of a claim, as stored. */
export interface ClaimItem {
  /** `released`: the claim was given back. Any other state than that and `claimed` says how the work ended. */
  readonly state: string;
  readonly claimedBy: string;
  /** Epoch milliseconds. */
  readonly leaseUntil: number;
  /** How often the work was claimed; a claim that was sent twice may count twice. */
  readonly tries: number;
  /** Epoch seconds. DynamoDB deletes the item some time later, so it does not count any more from then on. */
  readonly ttl: number;
}

/** `done`: the work has ended, or another try has its claim for good. `busy`: another try is at work. */
type ClaimOutcome<Item> =
  | { readonly outcome: "claimed"; readonly claim: Claim }
  | { readonly outcome: "done"; readonly item: Item & ClaimItem }
  | { readonly outcome: "busy"; readonly item: Item & ClaimItem };

/**
 * A claim that stayed without an answer is sent again, so the own claim is free. It may also be carried out late: a
 * claim of before is refused when the same try has given it back, or another one has claimed the work since.
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
 * Claims work. Of several tries at the same time only one gets the claim.
 * @param now epoch milliseconds
 * @throws Contended nothing was written
 * @throws UnknownOutcome the claim may have been written; it is given back, if the table answers now
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
    // A claim that is carried out later must find itself given back.
    if (error instanceof UnknownOutcome) await unlessItFails(work.key, () => put("released"));
    throw error;
  });
  if (!item) return { outcome: "claimed", claim: { key: work.key, claimedBy } };
  const isUnderWay = item.state === "released" || (item.state === "claimed" && work.takesOver);
  return { outcome: isUnderWay ? "busy" : "done", item };
}

/**
 * An update of the claim's item. It is refused if the work has ended, or another try has the claim.
 * @param whoeverHasIt not refused then
 */
export function updateOf({ key, claimedBy }: Claim, set: Attributes, whoeverHasIt = false) {
  const { parts, names, values } = setting(set);
  return {
    Key: key,
    UpdateExpression: `SET ${parts.join(", ")}`,
    ConditionExpression: whoeverHasIt ? "attribute_exists(PK)" : "claimedBy = :me AND #state = :claimed",
    ExpressionAttributeNames: { "#state": "state", ...names },
    ExpressionAttributeValues: { ...(!whoeverHasIt && { ":me": claimedBy, ":claimed": "claimed" }), ...values },
  };
}

/**
 * Notes how the work ended, so that no other try begins with it. A second note changes nothing.
 * @param end the last state, and what else is told of the end
 * @param whoeverHasIt also when another try has taken over the claim, because its work is not needed any more
 */
export async function noteEnd(
  claim: Claim,
  end: Attributes & Pick<ClaimItem, "state">,
  deadline: Deadline,
  whoeverHasIt = false,
): Promise<void> {
  await retried(() => writeIf(updateOf(claim, end, whoeverHasIt)), deadline);
}

/**
 * Gives the claim back, because the work was not done: the next try need not wait for the end of the lease. It throws
 * nothing, because the caller reports the error that ended the try. A claim that cannot be given back stays.
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
