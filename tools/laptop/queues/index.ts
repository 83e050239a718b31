/** The local stage's SQS: the standard queues of a template. */
import { type Clock, systemClock } from "../service-kit/clock.ts";
import type { Disorder } from "../service-kit/disorder.ts";
import type { QueueDefinition } from "./properties.ts";
import { Queue } from "./queue.ts";

export { type QueueMappingProperties, startQueueMapping } from "./mapping.ts";
export type { DeadLetter, SqsRecord } from "./message.ts";
export type { QueueDefinition, QueueProperties } from "./properties.ts";
export type { Queue } from "./queue.ts";
export { moveMessages, startQueueService } from "./service.ts";

export interface QueuesOptions {
  readonly queues: readonly QueueDefinition[];
  /** A file for each queue. Absent: in memory. */
  readonly directory?: string;
  readonly clock?: Clock;
  /** Messages are received in random order. Absent: roughly in the order of sending. */
  readonly disorder?: Disorder | undefined;
}

export interface Queues {
  /** @throws Error when there is no such queue */
  of(arn: string): Queue;
  has(arn: string): boolean;
  all(): readonly Queue[];
  /** Undefined when there is no such queue. */
  named(name: string): Queue | undefined;
  close(): Promise<void>;
}

/**
 * Opens the queues with the messages that they held before a stop or a kill.
 * @throws Error when a queue's dead-letter queue does not exist, or a queue has properties that the local stage does
 * not support
 */
export function startQueues({ queues, directory, clock = systemClock, disorder }: QueuesOptions): Queues {
  const all = new Map<string, Queue>();
  const of = (arn: string): Queue => {
    const queue = all.get(arn);
    if (!queue) throw new Error(`There is no queue ${arn}.`);
    return queue;
  };
  for (const definition of queues) {
    const giveUp = (message: Parameters<Queue["put"]>[0], toArn: string): void => of(toArn).put(message);
    all.set(
      definition.arn,
      new Queue({ definition, directory, clock, giveUp, disorder: disorder?.of(definition.name) }),
    );
  }
  for (const { settings } of all.values()) if (settings.redrive) of(settings.redrive.arn);
  return {
    of,
    has: (arn) => all.has(arn),
    all: () => [...all.values()],
    named: (name) => [...all.values()].find(({ definition }) => definition.name === name),
    close: async () => {
      for (const queue of all.values()) queue.close();
    },
  };
}
