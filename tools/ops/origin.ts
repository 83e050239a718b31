/** Queues, and where dead letters go back to. Pure. */
export interface QueueFacts {
  readonly url: string;
  readonly arn: string;
  readonly name: string;
  readonly messages: number;
  /** Where the queue gives its messages up to. */
  readonly givesUpTo?: string;
}

/**
 * The queue that a dead-letter queue's messages go back to: the consumer's own queue, the first one of the chain. A
 * message that a rule could not deliver has never been in a queue, so this cannot be left to SQS.
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
