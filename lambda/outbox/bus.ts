/** Sends entries to the bus, and returns those that it refused. */
import { setTimeout as pause } from "node:timers/promises";
import { EventBridgeClient, PutEventsCommand, type PutEventsResultEntry } from "@aws-sdk/client-eventbridge";
import { callLimits } from "#kit/call-limits.ts";
import { requiredEnv } from "#kit/env.ts";
import { refusedAction } from "#kit/refused-action.ts";
import type { BusEntry } from "./bus-entry.ts";

export const busName = requiredEnv("BUS_NAME");

/** Created at module load, so that all invocations of an instance share its connections. */
const client = new EventBridgeClient({
  maxAttempts: 3,
  requestHandler: callLimits(5_000),
});

/** An entry that the bus refused, with the bus's error code, and the action that IAM has refused. */
export interface Refusal {
  readonly entry: BusEntry;
  readonly code: string;
  readonly refused?: string;
}

/** Minimum milliseconds before refused entries are sent again. */
const pauses = [50, 200];

/** Transient errors: throttling, or failures of the bus. */
const passing = new Set(["ThrottlingException", "InternalFailure", "InternalException", "ServiceUnavailable"]);

/**
 * Sends the entries of one request. After transient errors, only the refused entries are sent again.
 * @returns the entries that were finally refused, in order
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
    // The SDK has already retried this call.
    const code = (error as Error).name;
    const refused = refusedAction(error);
    return request.map((entry) => ({ entry, code, ...(refused !== undefined && { refused }) }));
  }
  return request.flatMap((entry, index) => {
    const { EventId, ErrorCode = "NoAnswer" } = results[index] ?? {};
    return EventId === undefined ? [{ entry, code: ErrorCode }] : [];
  });
}
