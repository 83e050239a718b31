/** The relay: the function that reads outbox rows from the table's stream and sends their messages to the bus. */
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import { FilterCriteria, FilterRule, StartingPosition } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { otherFunctions } from "#consumers/functions.ts";
import { partitionPrefixOf } from "#outbox/stored-kinds.ts";
import { DeadLetterQueue } from "./dead-letter-queue.ts";
import type { ClubEventBus } from "./event-bus.ts";
import { ClubFunction } from "./function.ts";
import { propsOf, type Resources } from "./resources.ts";

export class Relay extends ClubFunction {
  constructor(scope: Construct, id: string, resources: Resources, bus: ClubEventBus) {
    super(scope, id, propsOf("relay", otherFunctions.relay, resources));
    this.uses(bus, ["PutEvents"]);

    const { table } = resources.table;
    const stream = table.tableStreamArn;
    if (stream === undefined) throw new Error("The table has no stream.");
    const failures = new DeadLetterQueue(this, "Failures", { alarm: "seatsGivenUp" });
    // DynamoEventSource is not used: it would let the function list the streams of every table in the account. Lambda
    // asks for all four actions when the mapping is made. https://github.com/aws-samples/lambda-refarch-webapp/issues/7
    const statements = [
      {
        actions: ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"],
        resources: [stream],
      },
      { actions: ["dynamodb:ListStreams"], resources: [`${table.tableArn}/stream/*`] },
      { actions: ["sqs:SendMessage"], resources: [failures.queueArn] },
    ];
    for (const statement of statements) this.addToRolePolicy(new PolicyStatement(statement));
    this.addEventSourceMapping("Stream", {
      eventSourceArn: stream,
      filters: [
        FilterCriteria.filter({
          eventName: FilterRule.isEqual("INSERT"),
          dynamodb: { Keys: { PK: { S: FilterRule.beginsWith(partitionPrefixOf("outbox row")) } } },
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
