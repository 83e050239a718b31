/** Limits the rate at which a command reads and puts items, to leave capacity for the stage. */
import { setTimeout as pause } from "node:timers/promises";
import { client } from "#kit/table/table.ts";

/** The consumed capacity in a response of the table. */
interface Cost {
  readonly CapacityUnits?: number;
}

export interface Meter {
  /** Consumed units. */
  units: number;
}

/** The sum of a response's costs: one per table of a batch. */
const unitsOf = (costs: Cost | readonly Cost[] | undefined): number =>
  [costs ?? []].flat().reduce((sum, { CapacityUnits = 0 }: Cost) => sum + CapacityUnits, 0);

const measured = /^(?:Get|BatchGet|Put|Query|Scan|TransactGet)/;

/**
 * Counts the units of all that is read and put from now on, and delays it to stay below the rate.
 * @param rate units per second; undefined: unlimited
 */
export function paced(rate: number | undefined): Meter {
  const meter: Meter = { units: 0 };
  /** When the consumed units are covered by the rate. */
  let free = performance.now();
  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (!measured.test(context.commandName ?? "")) return next(args);
      const wait = rate === undefined ? 0 : free - performance.now();
      if (wait > 0) await pause(wait);
      const input = { ...args.input, ReturnConsumedCapacity: "TOTAL" };
      const answer = await next({ ...args, input } as typeof args);
      const units = unitsOf((answer.output as { ConsumedCapacity?: Cost | readonly Cost[] }).ConsumedCapacity);
      meter.units += units;
      if (rate !== undefined) free = Math.max(free, performance.now()) + (units / rate) * 1_000;
      return answer;
    },
    { step: "initialize", name: "paced", override: true },
  );
  return meter;
}
