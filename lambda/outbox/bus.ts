/** Sends to the bus what it takes, and says what it did not take. */
import { setTimeout as pause } from "node:timers/promises";
import { EventBridgeClient, PutEventsCommand, type PutEventsResultEntry } from "@aws-sdk/client-eventbridge";
import { requiredEnv } from "#kit/env.ts";
import type { BusEntry } from "./bus-entry.ts";

export const busName = requiredEnv("BUS_NAME");

/** Created once, at module load. */
const client = new EventBridgeClient({
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 5_000 },
});

/** An entry that the bus did not take, and its word for why. */
export interface Refusal {
  readonly entry: BusEntry;
  readonly code: string;
}

/** Pauses before an entry that was refused is sent again, in milliseconds. */
const pauses = [50, 200];

/** What passes: there was too much at once, or the bus had a failure of its own. */
const passing = new Set(["ThrottlingException", "InternalFailure", "InternalException", "ServiceUnavailable"]);

/**
 * Sends the entries of one request. Those that the bus refuses for now are sent again, without the others, which are
 * out already.
 * @returns what it did not take in the end, in order
 */
export async function putEvents(request: readonly BusEntry[]): Promise<Refusal[]> {
  let refused = await putOnce(request);
  for (const milliseconds of pauses) {
    if (!refused.some(({ code }) => passing.has(code))) break;
    await pause(milliseconds * (1 + Math.random()));
    refused = await putOnce(refused.map(({ entry }) => entry));
  }
  return refused;
}

async function putOnce(request: readonly BusEntry[]): Promise<Refusal[]> {
  let results: PutEventsResultEntry[];
  try {
    const { Entries } = await client.send(new PutEventsCommand({ Entries: request.map(({ entry }) => entry) }));
    results = Entries ?? [];
  } catch (error) {
    // The SDK has tried again already.
    const code = (error as Error).name;
    return request.map((entry) => ({ entry, code }));
  }
  return request.flatMap((entry, index) => {
    const { EventId, ErrorCode = "NoAnswer" } = results[index] ?? {};
    return EventId === undefined ? [{ entry, code: ErrorCode }] : [];
  });
}
