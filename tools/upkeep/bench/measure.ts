/** Measures all endpoints with two sets of records in one stage, of which only the hot events differ in size. */
import { type Dataset, eventsOf, exec, importDatasets } from "./dataset.ts";
import { type Endpoint, endpoints, type World } from "./endpoints.ts";
import type { BenchStage } from "./stage.ts";

/** What one request to an endpoint costs. */
export interface Figures {
  /** Requested items. */
  readonly asked: number;
  readonly roundTrips: number;
  /** Units of the request and of all work that it triggers. */
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Of the answer. */
  readonly bytes: number;
}

/** By the names of the endpoints. */
export type Measured = Readonly<Record<string, Figures>>;

let newcomers = 0;

function worldOf({ send }: BenchStage, dataset: Dataset): World {
  return {
    dataset,
    events: eventsOf(dataset),
    send,
    async newcomer() {
      newcomers += 1;
      const email = `newcomer${String(newcomers).padStart(5, "0")}@student.example`;
      await send({ method: "POST", path: "/users", as: exec, body: { email, fname: "Grace", lname: "Hopper" } });
      return email;
    },
  };
}

/** Sends a request to each endpoint of a stage that has the records. */
export async function measureOn(
  bench: BenchStage,
  dataset: Dataset,
  which: readonly Endpoint[] = endpoints,
): Promise<Measured> {
  const world = worldOf(bench, dataset);
  const figures: Record<string, Figures> = {};
  for (const { name, by, request, asked } of which) {
    const { answer, roundTrips, readUnits, writeUnits, triggered, bytes } = await world.send(await request(world), by);
    figures[name] = {
      asked: asked?.(answer) ?? 1,
      roundTrips,
      readUnits: readUnits + triggered.readUnits,
      writeUnits: writeUnits + triggered.writeUnits,
      bytes,
    };
  }
  return figures;
}

export const [few, many]: readonly [Dataset, Dataset] = [{ size: 100 }, { size: 1_000 }];

/** Brings both sets into a stage without data, and measures. */
export async function measureBoth(
  bench: BenchStage,
  which?: readonly Endpoint[],
): Promise<Readonly<Record<"few" | "many", Measured>>> {
  await importDatasets([few, many], bench.stage.outputs);
  return { many: await measureOn(bench, many, which), few: await measureOn(bench, few, which) };
}

/** The columns of a row of `docs/performance.md`. */
export const columnsOf = ({ asked, roundTrips, readUnits, writeUnits, bytes }: Figures): readonly number[] => [
  asked,
  roundTrips,
  readUnits,
  writeUnits,
  Math.ceil(bytes / 1_000),
];
