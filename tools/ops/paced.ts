/** Holds the reads of a command below a rate, so that the stage keeps its own. */
import { setTimeout as pause } from "node:timers/promises";
import { client } from "#kit/table.ts";

/** What an answer of the table says about its cost. */
interface Cost {
  readonly CapacityUnits?: number;
}

export interface Meter {
  /** Units that were read, as the table counted them. */
  units: number;
}

/** The sum of an answer's costs: one for each table of a batch. */
const unitsOf = (costs: Cost | readonly Cost[] | undefined): number =>
  [costs ?? []].flat().reduce((sum, { CapacityUnits = 0 }: Cost) => sum + CapacityUnits, 0);

const reads = /^(?:Get|BatchGet|Query|Scan|TransactGet)/;

/**
 * Counts the units of all reads from now on, and lets a read begin only when the reads before it are below the rate.
 * @param rate units a second; undefined: as fast as the table answers
 */
export function paced(rate: number | undefined): Meter {
  const meter: Meter = { units: 0 };
  /** Until when the units that were read are paid for at this rate. */
  let free = performance.now();
  client.middlewareStack.add(
    (next, context) => async (args) => {
      if (!reads.test(context.commandName ?? "")) return next(args);
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
