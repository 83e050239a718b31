/**
 * The event that S3 sends to EventBridge for a stored object.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/ev-events.html
 */
import { randomUUID } from "node:crypto";
import { eventTime } from "../bus/event.ts";
import type { ObjectDescription } from "./objects.ts";

/** The event as EventBridge delivers it. */
export interface ObjectCreatedEvent {
  readonly version: "0";
  readonly id: string;
  readonly "detail-type": "Object Created";
  readonly source: "aws.s3";
  readonly account: string;
  readonly time: string;
  readonly region: string;
  readonly resources: readonly string[];
  readonly detail: {
    readonly version: "0";
    readonly bucket: { readonly name: string };
    readonly object: { readonly key: string; readonly size: number; readonly etag: string; readonly sequencer: string };
    readonly "request-id": string;
    readonly requester: string;
    readonly "source-ip-address": string;
    readonly reason: "PutObject" | "CopyObject";
  };
}

export interface ObjectCreatedSettings {
  readonly name: string;
  readonly region: string;
  readonly accountId: string;
  readonly clock: () => number;
}

/** Makes the events of one bucket; a later event of a key has a greater sequencer. */
export function objectCreatedEvents({ name, region, accountId, clock }: ObjectCreatedSettings) {
  let sequence = 0;
  return (
    stored: ObjectDescription,
    reason: ObjectCreatedEvent["detail"]["reason"],
    requestId: string,
  ): ObjectCreatedEvent => {
    sequence = Math.max(sequence + 1, clock());
    return {
      version: "0",
      id: randomUUID(),
      "detail-type": "Object Created",
      source: "aws.s3",
      account: accountId,
      time: eventTime(clock()),
      region,
      resources: [`arn:aws:s3:::${name}`],
      detail: {
        version: "0",
        bucket: { name },
        object: {
          key: stored.key,
          size: stored.size,
          etag: stored.etag.replaceAll('"', ""),
          sequencer: sequence.toString(16).toUpperCase().padStart(16, "0"),
        },
        "request-id": requestId,
        requester: accountId,
        "source-ip-address": "127.0.0.1",
        reason,
      },
    };
  };
}
