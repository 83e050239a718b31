/** Sends entries to the bus, and answers which ones the bus did not take. */
import { setTimeout as pause } from "node:timers/promises";
import { EventBridgeClient, PutEventsCommand, type PutEventsResultEntry } from "@aws-sdk/client-eventbridge";
import { callLimits } from "#kit/call-limits.ts";
import { requiredEnv } from "#kit/env.ts";
import type { BusEntry } from "./bus-entry.ts";

export const busName = requiredEnv("BUS_NAME");

/** Created at module load, so that all invocations of an instance share its connections. */
const client = new EventBridgeClient({
  maxAttempts: 3,
  requestHandler: callLimits(5_000),
});

/** An entry that the bus did not take, with the bus's error code. */
export interface Refusal {
  readonly entry: BusEntry;
  readonly code: string;
}

/** Milliseconds, at least, before refused entries are sent again. */
const pauses = [50, 200];

/** Errors that pass: the bus throttles, or has a failure of its own. */
const passing = new Set(["ThrottlingException", "InternalFailure", "InternalException", "ServiceUnavailable"]);

/**
 * Sends the entries of one request. When an error may pass, only the refused entries are sent again: the other ones are
 * on the bus already.
 * @returns the entries that the bus did not take in the end, in order
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
    // The SDK has already repeated this call.
    const code = (error as Error).name;
    return request.map((entry) => ({ entry, code }));
  }
  return request.flatMap((entry, index) => {
    const { EventId, ErrorCode = "NoAnswer" } = results[index] ?? {};
    return EventId === undefined ? [{ entry, code: ErrorCode }] : [];
  });
}
