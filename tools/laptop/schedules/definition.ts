/** Schedules as CloudFormation describes them, and the payloads of their targets. */
import { randomUUID } from "node:crypto";
import { type BusPlace, eventTime } from "../bus/event.ts";

/** `AWS::Events::Rule` with a schedule. */
export interface ScheduledRuleProperties {
  readonly ScheduleExpression?: string;
  readonly State?: string;
  readonly Targets?: readonly { readonly Id: string; readonly Arn: string }[];
}

export interface ScheduleDefinition {
  readonly name: string;
  readonly expression: string;
  readonly enabled: boolean;
  /** ARNs. */
  readonly targets: readonly string[];
  /** What the targets get at a time, in epoch milliseconds. */
  readonly payload: (at: number) => unknown;
}

interface Named {
  readonly name: string;
  readonly arn: string;
}

const scheduledEvent = (arn: string, { region, accountId }: BusPlace, at: number) => ({
  version: "0",
  id: randomUUID(),
  "detail-type": "Scheduled Event",
  source: "aws.events",
  account: accountId,
  time: eventTime(at),
  region,
  resources: [arn],
  detail: {},
});

/** Undefined for a rule that waits for events. */
export function scheduleOfRule(
  { name, arn }: Named,
  { ScheduleExpression: expression, State, Targets = [] }: ScheduledRuleProperties,
  place: BusPlace,
): ScheduleDefinition | undefined {
  if (expression === undefined) return undefined;
  const payload = (at: number) => scheduledEvent(arn, place, at);
  return { name, expression, enabled: State !== "DISABLED", targets: Targets.map(({ Arn }) => Arn), payload };
}
