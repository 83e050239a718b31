/** The permissions that Lambda requires of a function's role when an event source mapping is created. */
import type { Permissions } from "../iam/index.ts";
import { TemplateProblem } from "../template/index.ts";
import type { EventSourceMappingProperties } from "../template/resources.ts";

/** Source: Lambda developer guide, "Process DynamoDB records with Lambda". */
const streamActions = ["GetRecords", "GetShardIterator", "DescribeStream"];
/** Source: Lambda developer guide, "Creating and configuring an Amazon SQS event source mapping". */
const queueActions = ["ReceiveMessage", "DeleteMessage", "GetQueueAttributes"];

/**
 * @throws TemplateProblem with AWS's error message: AWS refuses such a mapping during deployment
 * (https://github.com/aws-samples/lambda-refarch-webapp/issues/7, https://github.com/aws/aws-cdk/issues/6770)
 */
export function checkMapping(
  permissions: Pick<Permissions, "refusalOf">,
  mappingId: string,
  functionId: string,
  { EventSourceArn: source, DestinationConfig }: EventSourceMappingProperties,
): void {
  const may = (action: string, resource: string) =>
    permissions.refusalOf(functionId, { action, resource }) === undefined;
  const isStream = source.includes(":dynamodb:");
  // Lambda lists the streams of the table: its name stands before the last slash.
  const mayRead =
    !isStream ||
    (streamActions.every((name) => may(`dynamodb:${name}`, source)) &&
      may("dynamodb:ListStreams", source.replace(/[^/]*$/, "*")));
  if (!mayRead) {
    throw new TemplateProblem(
      `${mappingId}: Cannot access stream ${source}. Please ensure the role can perform the GetRecords, ` +
        "GetShardIterator, DescribeStream, and ListStreams Actions on your stream in IAM.",
    );
  }
  const failures = DestinationConfig?.OnFailure?.Destination;
  const onQueues = [
    ...(isStream ? [] : queueActions.map((name) => [name, source] as const)),
    ...(failures === undefined ? [] : [["SendMessage", failures] as const]),
  ];
  const missing = onQueues.find(([name, queue]) => !may(`sqs:${name}`, queue));
  if (missing) {
    throw new TemplateProblem(
      `${mappingId}: The function execution role does not have permissions to call ${missing[0]} on SQS`,
    );
  }
}
