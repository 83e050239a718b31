/** A queue as CloudFormation describes it, with AWS's defaults. */

/** `AWS::SQS::Queue`; times are seconds. */
export interface QueueProperties {
  readonly MessageRetentionPeriod?: number;
  readonly RedrivePolicy?: { readonly deadLetterTargetArn: string; readonly maxReceiveCount: number | string };
  readonly VisibilityTimeout?: number;
}

export interface QueueDefinition {
  /** Name of the queue and of its file. */
  readonly name: string;
  readonly arn: string;
  readonly properties: QueueProperties;
}

/** Times in milliseconds. */
export interface QueueSettings {
  readonly visibility: number;
  readonly retention: number;
  /** The receipts after which a message goes to the dead-letter queue, and the ARN of that queue. */
  readonly redrive: { readonly arn: string; readonly receives: number } | undefined;
}

/** @throws Error for properties that the local stage does not support */
export function readQueueSettings({ name, properties }: QueueDefinition): QueueSettings {
  for (const unsupported of ["FifoQueue", "DelaySeconds", "MaximumMessageSize"]) {
    if (unsupported in properties) throw new Error(`${name}: the local stage has no queue with ${unsupported}.`);
  }
  const { RedrivePolicy: redrive } = properties;
  return {
    visibility: (properties.VisibilityTimeout ?? 30) * 1000,
    retention: (properties.MessageRetentionPeriod ?? 4 * 86_400) * 1000,
    redrive: redrive && { arn: redrive.deadLetterTargetArn, receives: Number(redrive.maxReceiveCount) },
  };
}
