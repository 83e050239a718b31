/** The source queues of dead letters. Pure. */
export interface QueueFacts {
  readonly url: string;
  readonly arn: string;
  readonly name: string;
  readonly messages: number;
  /** The ARN of the queue's dead-letter queue. */
  readonly givesUpTo?: string;
}

/**
 * The queue to which a dead-letter queue's messages are moved back: the consumer's own queue, the first one of the chain. SQS
 * cannot determine it, because messages that a rule could not deliver have never been in a queue.
 * @returns undefined when the messages come from no queue. Pure.
 */
export function originOf(arn: string, queues: readonly QueueFacts[]): QueueFacts | undefined {
  const seen = new Set<string>();
  let origin: QueueFacts | undefined;
  for (let at: string | undefined = arn; at !== undefined && !seen.has(at); ) {
    const here: string = at;
    seen.add(here);
    const source = queues.find(({ givesUpTo }) => givesUpTo === here);
    origin = source ?? origin;
    at = source?.arn;
  }
  return origin;
}
