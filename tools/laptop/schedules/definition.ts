/** Schedules as CloudFormation describes them, and the payloads of their targets. */
import { type BusPlace, completeEvent } from "../bus/event.ts";

/** `AWS::Events::Rule` with a schedule. */
export interface ScheduledRuleProperties {
  readonly ScheduleExpression?: string;
  readonly Targets?: readonly { readonly Id: string; readonly Arn: string }[];
}

export interface ScheduleDefinition {
  readonly name: string;
  readonly expression: string;
  /** ARNs. */
  readonly targets: readonly string[];
  /** What the targets get at a time, in epoch milliseconds. */
  readonly payload: (at: number) => unknown;
}

interface Named {
  readonly name: string;
  readonly arn: string;
}

/** Undefined for a rule that waits for events. */
export function scheduleOfRule(
  { name, arn }: Named,
  { ScheduleExpression: expression, Targets = [] }: ScheduledRuleProperties,
  place: BusPlace,
): ScheduleDefinition | undefined {
  if (expression === undefined) return undefined;
  const event = { source: "aws.events", "detail-type": "Scheduled Event", resources: [arn], detail: {} };
  const payload = (at: number) => completeEvent(event, place, at);
  return { name, expression, targets: Targets.map(({ Arn }) => Arn), payload };
}
