/**
 * Counts the different states in which the runs of a situation end. The number shows how much a change of the search or
 * of the product costs.
 */
import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { Situation } from "./situations.ts";
import type { MemoryTable } from "./table.ts";

/** The statuses without names, the state, the seats, the capacity, the gate, and the length of the line. */
export function stateOf(table: MemoryTable, { before = [], acts }: Situation): string {
  const people = new Set([...before, ...acts].flatMap((act) => ("who" in act ? [act.who] : [])));
  const statuses = [...people].map(
    (who) => table.peek({ PK: `USER#${who}@model.example`, SK: "REG#model#2030" })?.status ?? "none",
  );
  const { state, seats, capacity, gate } = table.peek({ PK: "SEAT#model#2030#00", SK: "POOL" }) ?? {};
  const line = new QueryCommand({
    TableName: "Model",
    KeyConditionExpression: "PK = :line",
    ExpressionAttributeValues: { ":line": "WAIT#model#2030" },
    Select: "COUNT",
  });
  const { Count } = table.execute(line, () => 0) as { Count?: number };
  return JSON.stringify([statuses.sort(), state, seats, capacity, gate, Count]);
}

export class StateCount {
  readonly #seen = new Map<string, { runs: number; readonly states: Set<string> }>();

  add({ name }: Situation, state: string): void {
    const counted = this.#seen.get(name) ?? { runs: 0, states: new Set() };
    this.#seen.set(name, counted);
    counted.runs += 1;
    counted.states.add(state);
  }

  /** One line for each situation. */
  toString(): string {
    const lines = [...this.#seen].map(
      ([name, { runs, states }]) => `${String(states.size).padStart(7)} ${String(runs).padStart(7)}  ${name}`,
    );
    return [" states    runs  situation", ...lines].join("\n");
  }
}
