/** Wrapper of every consumer: handles each message of a batch separately. Only failed messages are delivered again. */
import { BatchProcessor, EventType, processPartialResponse } from "@aws-lambda-powertools/batch";
import type { SQSBatchResponse, SQSEvent, SQSRecord, SQSRecordAttributes } from "aws-lambda";
import { log } from "#kit/log.ts";
import { refusedAction } from "#kit/refused-action.ts";
import { deadlineWithin, type RemainingTime, type RequestContext, systemContext } from "#kit/request/context.ts";
import { NotYet, UnknownMessage } from "#outbox/messages.ts";

/** The common fields of this service's messages and the events of AWS services. */
interface Named {
  readonly id: string;
  readonly type: string;
  readonly requestId: string;
}

/** Frames of an error: as many as stand between the SDK's innermost function and the line of ours that called it. */
Error.stackTraceLimit = 50;

const ours = /\blambda\/(?:api|consumers|domain|outbox|kit)\//;

/** Its first line, without what a library quotes: that may be an address or a name. */
const messageOf = ({ message }: Error): string =>
  (message.split("\n", 1)[0] ?? "").replaceAll(/"[^"]*"|Value '[^']*'|\S*@\S*/g, "…").slice(0, 300);

/**
 * The logged parts of an error: its name, its message, where it happened in this repository, the name of its cause, and the
 * action that IAM has refused.
 */
function traceOf(error: Error): Record<string, unknown> {
  const { name, stack = "", cause } = error;
  const refused = refusedAction(error);
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  const own = frames.filter((frame) => ours.test(frame) && !frame.includes("node_modules"));
  return {
    name,
    message: messageOf(error),
    places: (own.length > 0 ? own : frames).slice(0, 5).map((line) => line.trim()),
    ...(cause instanceof Error && { cause: cause.name }),
    ...(refused !== undefined && { refused }),
  };
}

function report(error: Error, messageId: string, message: Named | undefined): void {
  const which = { messageId, ...(message && { id: message.id, correlationId: message.requestId }) };
  if (error instanceof NotYet) log.info("message has to come again", { ...which, reason: error.message });
  else if (error instanceof UnknownMessage) log.error("message is not understood", { ...which, reason: error.message });
  else log.error("message failed", { ...which, trace: traceOf(error) });
}

/** How the queue delivered a message. */
export interface Delivery {
  /** The queue has not delivered it before. */
  readonly isFirst: boolean;
}

const deliveryOf = (attributes: Partial<SQSRecordAttributes> | null | undefined): Delivery => ({
  isFirst: attributes?.ApproximateReceiveCount === "1",
});

/**
 * Makes the handler of a queue that reports failures of single messages. A message that fails or is malformed is delivered
 * again; after the last try the queue moves it to the dead-letter queue. The messages of a batch are processed
 * sequentially, so that a consumer respects the rate limit of the service that it calls.
 */
export function consumer<N extends Named>(
  read: (body: string) => N,
  act: (message: N, context: RequestContext, delivery: Delivery) => Promise<void>,
) {
  const handleRecord = async ({ messageId, body, attributes }: SQSRecord, lambda: RemainingTime): Promise<void> => {
    let message: N | undefined;
    try {
      message = read(body);
      const { id, type, requestId } = message;
      await act(
        message,
        systemContext(requestId, Date.now(), deadlineWithin(lambda, Number.POSITIVE_INFINITY)),
        deliveryOf(attributes),
      );
      log.info("message handled", { id, type, correlationId: requestId });
    } catch (error) {
      report(error as Error, messageId, message);
      throw error;
    }
  };
  // Each call gets its own processor: a processor keeps the state of a batch, and on the laptop one process may run
  // several batches at once.
  return (event: SQSEvent, lambda: RemainingTime = {}): Promise<SQSBatchResponse> =>
    processPartialResponse(
      event,
      (record: SQSRecord) => handleRecord(record, lambda),
      new BatchProcessor(EventType.SQS),
      {
        processInParallel: false,
        throwOnFullBatchFailure: false,
      },
    );
}
