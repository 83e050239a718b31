/** Counts of an hour. Each hour has items of its own, so none has to be reset. */
import { type Key, writeIf } from "#kit/table/table.ts";
import { hour, hourOf } from "#kit/text/time.ts";

/**
 * Counts one more, also beside others at once at most up to the limit.
 * @param key of the hour's item
 * @returns false when the count is full
 * @throws Conflict UnknownOutcome as `writeIf`: it may have been counted
 */
export const countUp = (key: Key, limit: number, now: number): Promise<boolean> =>
  writeIf({
    Key: key,
    UpdateExpression: "ADD #count :one SET #ttl = :ttl",
    ConditionExpression: "attribute_not_exists(#count) OR #count < :limit",
    ExpressionAttributeNames: { "#count": "count", "#ttl": "ttl" },
    ExpressionAttributeValues: {
      ":one": 1,
      // Clocks of instances may differ by minutes.
      ":ttl": (hourOf(now) + 2 * hour) / 1_000,
      ":limit": limit,
    },
  });
