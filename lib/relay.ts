/** The relay: the function that reads outbox rows from the table's stream and sends their messages to the bus. */
import { Duration } from "aws-cdk-lib";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { FilterCriteria, FilterRule, StartingPosition } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { DeadLetterQueue } from "./dead-letter-queue.ts";
import type { ClubEventBus } from "./event-bus.ts";
import { ClubFunction } from "./function.ts";
import type { StageConfig } from "./stages.ts";
import type { ClubTable } from "./table.ts";

export interface RelayProps {
  readonly stage: StageConfig;
  readonly table: ClubTable;
  readonly bus: ClubEventBus;
}

export class Relay extends ClubFunction {
  constructor(scope: Construct, id: string, { stage, table, bus }: RelayProps) {
    super(scope, id, {
      stage,
      bundle: "relay",
      description: "Sends outbox messages from the table's stream to the bus",
      // Time for the ten requests of a batch, with retries.
      timeout: Duration.seconds(60),
    });
    this.uses(bus, ["PutEvents"]);

    const stream = table.table.tableStreamArn;
    if (stream === undefined) throw new Error("The table has no stream.");
    const failures = new DeadLetterQueue(this, "Failures", { alarm: "seatsGivenUp" });
    // DynamoEventSource is not used: it would let the function list the streams of every table in the account. Lambda
    // asks for all four actions when the mapping is made. https://github.com/aws-samples/lambda-refarch-webapp/issues/7
    const statements = [
      {
        actions: ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"],
        resources: [stream],
      },
      { actions: ["dynamodb:ListStreams"], resources: [`${table.table.tableArn}/stream/*`] },
      { actions: ["sqs:SendMessage"], resources: [failures.queueArn] },
    ];
    for (const statement of statements) this.addToRolePolicy(new PolicyStatement(statement));
    this.addEventSourceMapping("Stream", {
      eventSourceArn: stream,
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual("INSERT"),
          dynamodb: { Keys: { PK: { S: FilterRule.beginsWith("OUT#") } } },
        }),
      ],
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 100,
      // One batch at a time per shard preserves the order of the messages.
      parallelizationFactor: 1,
      reportBatchItemFailures: true,
      // Lambda splits a failed batch at the row that cannot be sent. After 20 retries it discards the failed part and
      // continues with the other rows.
      bisectBatchOnError: true,
      retryAttempts: 20,
      // SqsDlq is not used: it would also grant actions that Lambda does not need.
      onFailure: { bind: () => ({ destination: failures.queueArn }) },
    });
  }
}
