/**
 * The seats of an event whose registrations are imported. Nothing is refused: people who were admitted before keep their
 * seats, even above the capacity.
 */

import {
  type Counters,
  counterNames,
  type Gate,
  type Holder,
  type Pool,
  type Seats,
  seatsKey,
} from "#domain/capacity/seats.ts";
import type { EventKey } from "#domain/events/event.ts";
import { type TransactItem, tableName } from "#kit/table/table.ts";

/** An imported registration, as the seats count it. */
export interface TakenOver {
  readonly after: Holder;
  /** Whether the person waits afterwards, for a seat of this pool. */
  readonly waits: boolean;
  readonly pool?: Pool;
}

type Counted = Counters & Pick<Seats, "choiceHolders" | "gate" | "partnerGate">;

/** The counts after these registrations. The gate is queued if a person waits, so that newcomers join the line. */
export function countsAfter(seats: Seats, changes: readonly TakenOver[]): Counted {
  const sums = Object.fromEntries(counterNames.map((name) => [name, seats[name] ?? 0])) as Required<Counters>;
  const choiceHolders: Record<string, Readonly<Record<string, number>>> = { ...seats.choiceHolders };
  for (const { after } of changes) {
    for (const name of counterNames) Object.assign(sums, { [name]: sums[name] + (after.counters[name] ?? 0) });
    for (const [question, choice] of Object.entries(after.choices)) {
      const counted = choiceHolders[question] ?? {};
      choiceHolders[question] = { ...counted, [choice]: (counted[choice] ?? 0) + 1 };
    }
  }
  const queued = new Set(changes.filter(({ waits }) => waits).map(({ pool }) => pool));
  const gate: Gate = queued.has(undefined) ? "queued" : seats.gate;
  const partnerGate = queued.has("partners") ? "queued" : seats.partnerGate;
  return { ...sums, choiceHolders, gate, ...(partnerGate && { partnerGate }) };
}

/** Sets the counts. Refused when they have changed since they were read, or the event has another generation. */
export function replaceCounts(event: EventKey, after: Counted, read: Seats): TransactItem<Seats> {
  const all = [...counterNames, "choiceHolders", "gate", "partnerGate"] as const;
  const names = all.filter((name) => after[name] !== undefined);
  const known = names.filter((name) => read[name] !== undefined);
  return {
    Update: {
      TableName: tableName,
      Key: seatsKey(event),
      UpdateExpression: `SET ${names.map((name) => `${name} = :${name}`).join(", ")}`,
      ConditionExpression: [
        "generation = :generation",
        "#state <> :DELETED",
        ...names.map((name) => (known.includes(name) ? `${name} = :read_${name}` : `attribute_not_exists(${name})`)),
      ].join(" AND "),
      ExpressionAttributeNames: { "#state": "state" },
      ExpressionAttributeValues: {
        ":generation": read.generation,
        ":DELETED": "DELETED",
        ...Object.fromEntries([
          ...names.map((name) => [`:${name}`, after[name]]),
          ...known.map((name) => [`:read_${name}`, read[name]]),
        ]),
      },
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  };
}
