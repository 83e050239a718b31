/** Measures all endpoints with one set of records. */
import { type Dataset, eventsOf, exec, importDatasets } from "./dataset.ts";
import { type Endpoint, endpoints, hotEndpoints, type World, withoutMails } from "./endpoints.ts";
import { type BenchStage, type Sample, startBenchStage } from "./stage.ts";

/** What one request to an endpoint costs. */
export interface Figures {
  readonly roundTrips: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Units of all work that the request triggers. */
  readonly asyncReadUnits: number;
  readonly asyncWriteUnits: number;
  readonly bytes: number;
  /** Requested items. */
  readonly asked: number;
}

export interface Measured extends Dataset {
  /** By the names of the endpoints. */
  readonly figures: Readonly<Record<string, Figures>>;
}

function median(samples: readonly Sample[], of: (sample: Sample) => number): number {
  const sorted = samples.map(of).sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
}

/** @param requests to the endpoint; the first of several is not counted, because it may be a cold start */
async function samplesOf(endpoint: Endpoint, world: World, requests: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (samples.length < Math.min(requests, endpoint.maxRequests ?? requests)) {
    samples.push(await world.send(await endpoint.request(world, samples.length + 1)));
  }
  return samples.length > 1 ? samples.slice(1) : samples;
}

const figuresOf = (endpoint: Endpoint, samples: readonly Sample[]): Figures => ({
  roundTrips: median(samples, ({ roundTrips }) => roundTrips),
  readUnits: median(samples, ({ readUnits }) => readUnits),
  writeUnits: median(samples, ({ writeUnits }) => writeUnits),
  asyncReadUnits: median(samples, ({ triggered }) => triggered.readUnits),
  asyncWriteUnits: median(samples, ({ triggered }) => triggered.writeUnits),
  bytes: median(samples, ({ bytes }) => bytes),
  asked: endpoint.asked ? median(samples, ({ answer }) => endpoint.asked?.(answer) ?? 1) : 1,
});

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

/** Measures requests to a stage that has the records. */
export async function measureOn(
  bench: BenchStage,
  dataset: Dataset,
  requests: number,
  which: readonly Endpoint[] = endpoints,
): Promise<Measured> {
  const world = worldOf(bench, dataset);
  const figures: Record<string, Figures> = {};
  for (const endpoint of which) {
    const samples = await samplesOf(endpoint, world, requests);
    figures[endpoint.name] = figuresOf(endpoint, samples);
  }
  return { ...dataset, figures };
}

/**
 * Measures on a stage of its own. When all people are in the hot events, only requests to those are measured, and no campaign.
 * @param tell gets a line with the duration
 */
export async function measure(dataset: Dataset, tell: (line: string) => void): Promise<Measured> {
  const { size, share } = dataset;
  const begun = performance.now();
  const bench = await startBenchStage();
  try {
    await importDatasets([dataset], bench.stage.outputs);
    await bench.stage.settled();
    const imported = performance.now();
    const measured = await measureOn(bench, dataset, 6, share === "all" ? withoutMails(hotEndpoints) : endpoints);
    const seconds = (from: number, to: number) => ((to - from) / 1_000).toFixed(1);
    const [made, done] = [seconds(begun, imported), seconds(imported, performance.now())];
    tell(
      `${size.toLocaleString("en")} registrations, ${share} in a hot event: ${made} s to make, ${done} s to measure`,
    );
    return measured;
  } finally {
    await bench.close();
  }
}
