/** The event source mapping between a queue and a function. */

import type { FilterCriteria } from "../patterns/event-filter.ts";
import { Activity, closingTime } from "../service-kit/activity.ts";
import { reportedFailures, reportsFailures } from "../service-kit/batch-response.ts";
import type { Disorder } from "../service-kit/disorder.ts";
import { type ReceivedMessage, type SqsRecord, sqsRecord } from "./message.ts";
import type { Queue } from "./queue.ts";

/**
 * `AWS::Lambda::EventSourceMapping`, as far as it concerns queues. A mapping with a filter or a batching window is
 * refused.
 */
export interface QueueMappingProperties {
  /** Of the queue. */
  readonly EventSourceArn: string;
  /** Messages; 10 when absent. */
  readonly BatchSize?: number;
  readonly FilterCriteria?: FilterCriteria;
  readonly FunctionResponseTypes?: readonly string[];
  readonly MaximumBatchingWindowInSeconds?: number;
  readonly ScalingConfig?: { readonly MaximumConcurrency?: number };
}

export interface QueueMappingOptions {
  readonly properties: QueueMappingProperties;
  readonly queue: Queue;
  readonly invoke: (event: { readonly Records: readonly SqsRecord[] }) => Promise<unknown>;
  /** Counts the work of all services together. */
  readonly activity?: Activity;
  /** Batches are late and smaller, and some messages are repeated. Absent: each is delivered once unless it fails. */
  readonly disorder?: Disorder | undefined;
}

export interface QueueMapping {
  /** Resolves when the function is not running and no message can be received; failed messages may come back later. */
  settled(): Promise<void>;
  /** Receives no more messages; the running function may end. */
  close(): Promise<void>;
}

/** Lambda's initial concurrency when the mapping has no value. */
const usualConcurrency = 5;

/**
 * Hands the queue's messages to the function. The function is called only when there are messages.
 * @throws Error for properties that the local stage does not support
 */
export function startQueueMapping(options: QueueMappingOptions): QueueMapping {
  const { properties, queue, invoke, disorder } = options;
  const { BatchSize: batchSize = 10, MaximumBatchingWindowInSeconds: window = 0 } = properties;
  if (properties.FilterCriteria || window > 0) {
    throw new Error(`${properties.EventSourceArn}: the local stage has no filters or batching windows of queues.`);
  }
  const concurrency = properties.ScalingConfig?.MaximumConcurrency ?? usualConcurrency;
  const reports = reportsFailures(properties.FunctionResponseTypes);
  const activity = new Activity(options.activity);
  let closed = false;
  let running = 0;
  /** Messages that come a second time, under the receipt handle of the first time. */
  const again: ReceivedMessage[] = [];
  let isLooking = false;

  /** Deletes the messages that the function has processed. The others come back after their visibility timeout. */
  async function run(messages: readonly ReceivedMessage[]): Promise<void> {
    try {
      const response = await invoke({ Records: messages.map((message) => sqsRecord(message, queue.definition)) });
      const failed = reports
        ? reportedFailures(response, new Set(messages.map(({ messageId }) => messageId)))
        : new Set<string>();
      if (!failed) return;
      for (const { messageId, receiptHandle } of messages) if (!failed.has(messageId)) queue.delete(receiptHandle);
    } catch {
      // The function's log has the reason.
    }
  }

  function start(messages: readonly ReceivedMessage[]): void {
    running += 1;
    void activity.during(async () => {
      await run(messages);
      running -= 1;
      receive();
    });
  }

  /** Repeats some messages: at the same time, or later, when they are deleted already. */
  function repeatSome(messages: readonly ReceivedMessage[]): void {
    for (const message of messages) {
      if (message.receivedHere > 1 || !disorder?.repeats()) continue;
      void activity.during(async () => {
        await disorder.pause();
        again.push(message);
        receive();
      });
    }
  }

  function receive(): void {
    while (!closed && running < concurrency && again.length > 0) start(again.splice(0, 1));
    while (!closed && running < concurrency && queue.visible > 0) {
      const most = disorder ? 1 + disorder.below(batchSize) : batchSize;
      const messages = queue.receive(most);
      if (messages.length === 0) continue;
      start(messages);
      repeatSome(messages);
    }
  }

  /** Schedules a receive, so that messages that are sent together are received together. */
  function look(): void {
    if (closed || isLooking) return;
    isLooking = true;
    activity.begin();
    const now = (): void => {
      isLooking = false;
      receive();
      activity.end();
    };
    if (disorder) void disorder.pause().then(now);
    else setImmediate(now);
  }

  const stopListening = queue.onVisible(look);
  look();
  return {
    settled: () => activity.settled(),
    close: async () => {
      closed = true;
      stopListening();
      await activity.settledWithin(closingTime);
    },
  };
}
