/** The logs of a deployed stage's functions, in CloudWatch. */
import { CloudFormationClient, paginateListStackResources } from "@aws-sdk/client-cloudformation";
import { CloudWatchLogsClient, paginateFilterLogEvents } from "@aws-sdk/client-cloudwatch-logs";
import { errorLevels, isErrorLine, type LoggedError, type Logs } from "./step-kit/logs.ts";

/** The actions that reading the logs needs. */
export type LogAction = "cloudformation:ListStackResources" | "logs:FilterLogEvents";

/**
 * The lines of `isErrorLine`. https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html
 * An endpoint that is not AWS's own may ignore such a pattern, and answer all lines.
 */
const errorPattern = `{ ${errorLevels.map((level) => `$.level = "${level}"`).join(" || ")} || $.record.status = "timeout" }`;

/** A function's log group has the function's name with `Logs`, and the CDK appends a hash. */
const functionNameIn = (logicalId: string): string | undefined => /^(\w+)Logs[0-9A-F]{8}$/.exec(logicalId)?.[1];

type Granted = <T>(action: LogAction, answer: Promise<T>) => Promise<T>;

/**
 * @param settings of the clients
 * @param granted describes why a call failed
 */
export function stackLogs(stackName: string, settings: { readonly region: string }, granted: Granted): Logs {
  const stacks = new CloudFormationClient(settings);
  const client = new CloudWatchLogsClient(settings);
  let known: Promise<ReadonlyMap<string, string>> | undefined;

  /** The names of the log groups by the names of the functions. CloudFormation has named them. */
  async function readGroups(): Promise<ReadonlyMap<string, string>> {
    const groups = new Map<string, string>();
    for await (const { StackResourceSummaries = [] } of paginateListStackResources(
      { client: stacks },
      { StackName: stackName },
    )) {
      for (const { ResourceType, LogicalResourceId = "", PhysicalResourceId } of StackResourceSummaries) {
        const name = ResourceType === "AWS::Logs::LogGroup" ? functionNameIn(LogicalResourceId) : undefined;
        if (name && PhysicalResourceId) groups.set(name, PhysicalResourceId);
      }
    }
    return groups;
  }

  /** A page may be empty and not be the last. */
  async function errorsIn(functionName: string, logGroupName: string, since: number): Promise<LoggedError[]> {
    const errors: LoggedError[] = [];
    const request = { logGroupName, startTime: since, filterPattern: errorPattern };
    for await (const { events = [] } of paginateFilterLogEvents({ client }, request)) {
      for (const { message: text = "", timestamp: at = since } of events) {
        if (isErrorLine(text)) errors.push({ functionName, at, text });
      }
    }
    return errors;
  }

  return {
    delay: 10_000,
    async errors(since, stop, functionNames) {
      known ??= granted("cloudformation:ListStackResources", readGroups());
      const errors: LoggedError[] = [];
      // One after the other: AWS allows few of these calls a second.
      // https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/cloudwatch_limits_cwl.html
      for (const [name, group] of await known) {
        stop.throwIfAborted();
        if (functionNames && !functionNames.includes(name)) continue;
        errors.push(...(await granted("logs:FilterLogEvents", errorsIn(name, group, since))));
      }
      return errors;
    },
  };
}
