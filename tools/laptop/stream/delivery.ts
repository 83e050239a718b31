/** Hands a batch of stream records to a function until every record is processed or given up. */
import type { StreamRecord } from "../dynamodb/index.ts";
import { reportedFailures } from "../service-kit/batch-response.ts";
import type { Clock } from "../service-kit/clock.ts";
import { isThrottled } from "../service-kit/concurrency.ts";
import type { Pauses } from "../service-kit/pauses.ts";
import { type DiscardedBatch, discardedBatch } from "./discarded.ts";
import type { StreamSettings } from "./properties.ts";

export interface DeliveryOptions {
  readonly settings: StreamSettings;
  readonly reportsFailures: boolean;
  readonly functionArn: string;
  /** Calls the function. */
  readonly invoke: (event: { readonly Records: readonly StreamRecord[] }) => Promise<unknown>;
  /** Gets a report of records that are given up, if the mapping has a destination for it. */
  readonly onDiscarded: (destinationArn: string, batch: DiscardedBatch) => Promise<void>;
  /** Milliseconds before the first retry; doubled each time. */
  readonly retryDelay: number;
  readonly clock: Clock;
  readonly pauses: Pauses;
  readonly isClosed: () => boolean;
}

/** A part of a batch with deliveries of its own. */
interface Part {
  readonly records: readonly StreamRecord[];
  /** Failures that count towards the retries. */
  readonly failures: number;
  readonly invocations: number;
}

/** Index of the first failed record, and whether the function itself failed. */
interface Failure {
  readonly from: number;
  readonly functionFailed: boolean;
  /** The function was not called, which is no failure of the batch. */
  readonly isThrottled?: boolean;
}

/** The delay is doubled no more often than this. */
const maxDoublings = 6;

const sequenceOf = (record: StreamRecord | undefined): string => record?.dynamodb.SequenceNumber ?? "";

/**
 * Delivers in order, part after part; a failing part holds up the rest.
 * @param done gets the last sequence number of all records that are processed or given up
 */
export async function deliver(
  batch: readonly StreamRecord[],
  options: DeliveryOptions,
  done: (sequenceNumber: string) => void,
): Promise<void> {
  const { settings, pauses, retryDelay, isClosed } = options;
  const parts: Part[] = [{ records: batch, failures: 0, invocations: 0 }];
  let part = parts.shift();
  while (part && !isClosed()) {
    const failure = await attempt(part.records, options);
    const { records } = part;
    if (!failure) {
      done(sequenceOf(records.at(-1)));
      part = parts.shift();
      continue;
    }
    if (failure.isThrottled) {
      parts.unshift(part);
      await pauses.pause(retryDelay);
      part = parts.shift();
      continue;
    }
    if (failure.from > 0) done(sequenceOf(records[failure.from - 1]));
    const rest = remaining(part, failure.from, settings.bisects);
    const [next] = rest as [Part];
    if (next.failures > settings.retries) {
      await discard(next, failure.functionFailed, options);
      done(sequenceOf(records.at(-1)));
    } else {
      parts.unshift(...rest);
      const delay = retryDelay * 2 ** Math.min(Math.max(0, next.failures - 1), maxDoublings);
      await pauses.pause(delay);
    }
    part = parts.shift();
  }
}

/**
 * The parts to deliver after a failure. A mapping that bisects cuts the batch at the first record that the function
 * reports, or else in the middle; a cut in the middle does not count as a retry.
 */
function remaining(part: Part, from: number, bisects: boolean): Part[] {
  const records = part.records.slice(from);
  const invocations = part.invocations + 1;
  if (bisects && from > 0) return [{ records, failures: part.failures, invocations }];
  if (bisects && records.length > 1) {
    const middle = Math.ceil(records.length / 2);
    return [records.slice(0, middle), records.slice(middle)].map((half) => ({ ...part, records: half, invocations }));
  }
  return [{ records, failures: part.failures + 1, invocations }];
}

/** Calls the function once. Resolves to the failure; undefined when all records succeeded. */
async function attempt(
  records: readonly StreamRecord[],
  { invoke, reportsFailures }: DeliveryOptions,
): Promise<Failure | undefined> {
  let response: unknown;
  try {
    response = await invoke({ Records: records });
  } catch (problem) {
    // The function's log has the reason.
    return { from: 0, functionFailed: true, isThrottled: isThrottled(problem) };
  }
  if (!reportsFailures) return undefined;
  const failed = reportedFailures(response, new Set(records.map(sequenceOf)));
  if (!failed) return { from: 0, functionFailed: false };
  const from = records.findIndex((record) => failed.has(sequenceOf(record)));
  return from < 0 ? undefined : { from, functionFailed: false };
}

async function discard(
  { records, invocations }: Part,
  functionFailed: boolean,
  { settings, functionArn, onDiscarded, clock }: DeliveryOptions,
): Promise<void> {
  console.error(`${functionArn}: ${records.length} stream records were given up.`);
  if (!settings.failureDestination) return;
  const now = clock.now();
  const news = discardedBatch({ records, functionArn, invocations, functionFailed, now });
  await onDiscarded(settings.failureDestination, news);
}
