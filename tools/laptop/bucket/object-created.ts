/**
 * The event that S3 sends to EventBridge for a stored object.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/ev-events.html
 */
import { type BusEvent, type BusPlace, completeEvent } from "../bus/event.ts";
import type { ObjectDescription } from "./objects.ts";

export type ObjectCreatedEvent = BusEvent;

/** Makes the events of one bucket; a later event of a key has a greater sequencer. */
export function objectCreatedEvents(name: string, place: BusPlace, clock: () => number) {
  let sequence = 0;
  return (stored: ObjectDescription, reason: "PutObject" | "CopyObject", requestId: string): ObjectCreatedEvent => {
    sequence = Math.max(sequence + 1, clock());
    const sent = {
      source: "aws.s3",
      "detail-type": "Object Created",
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
        requester: place.accountId,
        "source-ip-address": "127.0.0.1",
        reason,
      },
    };
    return completeEvent(sent, place, clock());
  };
}
