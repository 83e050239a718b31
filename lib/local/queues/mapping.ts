/** The event source mapping between a queue and a function. */
import { reportedFailures, reportsFailures } from "../functions/batch-response.ts";
import { eventFilter, type FilterCriteria } from "../patterns/event-filter.ts";
import { Activity, closingTime } from "../service-kit/activity.ts";
import { type Clock, systemClock } from "../service-kit/clock.ts";
import { type ReceivedMessage, type SqsRecord, sqsRecord } from "./message.ts";
import type { Queue } from "./queue.ts";

/** `AWS::Lambda::EventSourceMapping`, as far as it concerns queues. */
export interface QueueMappingProperties {
  /** Of the queue. */
  readonly EventSourceArn: string;
  /** Messages; 10 when absent. */
  readonly BatchSize?: number;
  readonly Enabled?: boolean;
  readonly FilterCriteria?: FilterCriteria;
  readonly FunctionResponseTypes?: readonly string[];
  /** Seconds; 0 when absent. */
  readonly MaximumBatchingWindowInSeconds?: number;
  readonly ScalingConfig?: { readonly MaximumConcurrency?: number };
}

export interface QueueMappingOptions {
  readonly properties: QueueMappingProperties;
  readonly queue: Queue;
  readonly invoke: (event: { readonly Records: readonly SqsRecord[] }) => Promise<unknown>;
  /** Counts the work of all services together. */
  readonly activity?: Activity;
  readonly clock?: Clock;
}

export interface QueueMapping {
  /** Resolves when the function is at nothing and nothing can be received; what failed may come back later. */
  settled(): Promise<void>;
  /** Receives nothing more; what the function is doing may end. */
  close(): Promise<void>;
}

/** Batches at a time that Lambda begins with where a mapping says nothing. */
const usualConcurrency = 5;

/** A filter sees the body as JSON where it is. */
function filtered(record: SqsRecord): unknown {
  try {
    return { ...record, body: JSON.parse(record.body) as unknown };
  } catch {
    return record;
  }
}

/** Starts to hand the queue's messages to the function. It is called when there are some and never just to look. */
export function startQueueMapping(options: QueueMappingOptions): QueueMapping {
  const { properties, queue, invoke, clock = systemClock } = options;
  const { BatchSize: batchSize = 10, MaximumBatchingWindowInSeconds: window = 0 } = properties;
  const concurrency = properties.ScalingConfig?.MaximumConcurrency ?? usualConcurrency;
  const passes = eventFilter(properties.FilterCriteria);
  const reports = reportsFailures(properties.FunctionResponseTypes);
  const activity = new Activity(options.activity);
  let closed = properties.Enabled === false;
  let running = 0;
  let isLooking = false;
  let openWindow: { readonly isOver: () => boolean; readonly cancel: () => void } | undefined;

  /** Deletes what the function is done with; the rest comes back when its visibility timeout is over. */
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

  /** Whether to wait for a batch to fill up; begins to wait if so. */
  function waitsForMore(): boolean {
    if (window === 0 || queue.visible >= batchSize || openWindow?.isOver()) return false;
    if (!openWindow) {
      let over = false;
      activity.begin();
      const cancel = clock.after(window * 1000, () => {
        over = true;
        look();
      });
      openWindow = { isOver: () => over, cancel };
    }
    return true;
  }

  function closeWindow(): void {
    if (!openWindow) return;
    openWindow.cancel();
    openWindow = undefined;
    activity.end();
  }

  function receive(): void {
    while (!closed && running < concurrency && queue.visible > 0 && !waitsForMore()) {
      const messages = queue.receive(batchSize).filter((message) => {
        if (passes(filtered(sqsRecord(message, queue.definition)))) return true;
        queue.delete(message.receiptHandle);
        return false;
      });
      closeWindow();
      if (messages.length === 0) continue;
      running += 1;
      void activity.during(async () => {
        await run(messages);
        running -= 1;
        receive();
      });
    }
    if (queue.visible === 0) closeWindow();
  }

  /** Receives soon: what is sent together is received together. */
  function look(): void {
    if (closed || isLooking) return;
    isLooking = true;
    activity.begin();
    setImmediate(() => {
      isLooking = false;
      receive();
      activity.end();
    });
  }

  const stopListening = queue.onVisible(look);
  look();
  return {
    settled: () => activity.settled(),
    close: async () => {
      closed = true;
      stopListening();
      closeWindow();
      await activity.settledWithin(closingTime);
    },
  };
}
