/**
 * The seats of an event whose registrations are imported. Nothing is refused: people who were admitted before keep their
 * seats, even above the capacity.
 */

import { type Counters, counterNames, type Gate, type Holder, type Seats, seatsKey } from "#domain/capacity/seats.ts";
import type { EventKey } from "#domain/events/event.ts";
import { type TransactItem, tableName } from "#kit/table/table.ts";

/** A registration before and after its import, as the seats count it. */
export interface TakenOver {
  /** Absent when the seats did not count the person before. */
  readonly before?: Holder | undefined;
  readonly after: Holder;
  /** Whether the person waits afterwards. */
  readonly waits: boolean;
}

type Counted = Counters & Pick<Seats, "choiceHolders" | "gate">;

/** The counts after these registrations. The gate is queued if anybody waits, so that newcomers join the line. */
export function countsAfter(seats: Seats, changes: readonly TakenOver[]): Counted {
  const { seats: taken, registered, checkedIn, incomplete, accepted, applicants, partners } = seats;
  const sums = { seats: taken, registered, checkedIn, incomplete, accepted, applicants, partners };
  const choiceHolders: Record<string, Readonly<Record<string, number>>> = { ...seats.choiceHolders };
  const add = (holder: Holder | undefined, by: 1 | -1) => {
    if (!holder) return;
    for (const name of counterNames) sums[name] += by * (holder.counters[name] ?? 0);
    for (const [question, choice] of Object.entries(holder.choices)) {
      const counted = choiceHolders[question] ?? {};
      choiceHolders[question] = { ...counted, [choice]: (counted[choice] ?? 0) + by };
    }
  };
  for (const { before, after } of changes) {
    add(before, -1);
    add(after, +1);
  }
  const gate: Gate = changes.some(({ waits }) => waits) ? "queued" : seats.gate;
  return { ...sums, choiceHolders, gate };
}

/** Sets the counts. Refused when they have changed since they were read, or the event has another generation. */
export function replaceCounts(event: EventKey, after: Counted, read: Seats): TransactItem<Seats> {
  const names = [...counterNames, "choiceHolders", "gate"] as const;
  return {
    Update: {
      TableName: tableName,
      Key: seatsKey(event),
      UpdateExpression: `SET ${names.map((name) => `${name} = :${name}`).join(", ")}`,
      ConditionExpression: [
        "generation = :generation",
        "#state <> :DELETED",
        ...names.map((name) => `${name} = :read_${name}`),
      ].join(" AND "),
      ExpressionAttributeNames: { "#state": "state" },
      ExpressionAttributeValues: {
        ":generation": read.generation,
        ":DELETED": "DELETED",
        ...Object.fromEntries(
          names.flatMap((name) => [
            [`:${name}`, after[name]],
            [`:read_${name}`, read[name]],
          ]),
        ),
      },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  };
}
