/** Schedules as CloudFormation describes them, and the payloads of their targets. */
import { randomUUID } from "node:crypto";
import { type BusPlace, eventTime } from "../bus/event.ts";

/** `AWS::Events::Rule` with a schedule. */
export interface ScheduledRuleProperties {
  readonly ScheduleExpression?: string;
  readonly State?: string;
  readonly Targets?: readonly { readonly Id: string; readonly Arn: string; readonly Input?: string }[];
}

/** `AWS::Scheduler::Schedule` */
export interface ScheduleProperties {
  readonly ScheduleExpression: string;
  /** UTC when absent. */
  readonly ScheduleExpressionTimezone?: string;
  readonly State?: string;
  readonly Target: { readonly Arn: string; readonly Input?: string };
}

export interface ScheduleDefinition {
  readonly name: string;
  readonly expression: string;
  readonly timeZone?: string;
  readonly enabled: boolean;
  /** The payload of each target at a time, in epoch milliseconds. */
  readonly targets: readonly { readonly arn: string; readonly payload: (at: number) => unknown }[];
}

interface Named {
  readonly name: string;
  readonly arn: string;
}

const scheduledEvent = (source: string, arn: string, { region, accountId }: BusPlace, at: number) => ({
  version: "0",
  id: randomUUID(),
  "detail-type": "Scheduled Event",
  source,
  account: accountId,
  time: eventTime(at),
  region,
  resources: [arn],
});

/** Undefined for a rule that waits for events. */
export function scheduleOfRule(
  { name, arn }: Named,
  { ScheduleExpression: expression, State, Targets = [] }: ScheduledRuleProperties,
  place: BusPlace,
): ScheduleDefinition | undefined {
  if (expression === undefined) return undefined;
  const targets = Targets.map(({ Arn, Input }) => ({
    arn: Arn,
    payload: (at: number): unknown =>
      Input === undefined ? { ...scheduledEvent("aws.events", arn, place, at), detail: {} } : JSON.parse(Input),
  }));
  return { name, expression, enabled: State !== "DISABLED", targets };
}

/** https://docs.aws.amazon.com/scheduler/latest/UserGuide/managing-schedule-context-attributes.html */
const contextAttributes = (input: string, arn: string, at: number): string =>
  input
    .replaceAll("<aws.scheduler.schedule-arn>", arn)
    .replaceAll("<aws.scheduler.scheduled-time>", eventTime(at))
    .replaceAll("<aws.scheduler.execution-id>", randomUUID())
    .replaceAll("<aws.scheduler.attempt-number>", "1");

export function scheduleOfScheduler(
  { name, arn }: Named,
  { ScheduleExpression, ScheduleExpressionTimezone, State, Target }: ScheduleProperties,
  place: BusPlace,
): ScheduleDefinition {
  const payload = (at: number): unknown =>
    Target.Input === undefined
      ? { ...scheduledEvent("aws.scheduler", arn, place, at), detail: "{}" }
      : JSON.parse(contextAttributes(Target.Input, arn, at));
  return {
    name,
    expression: ScheduleExpression,
    ...(ScheduleExpressionTimezone !== undefined && { timeZone: ScheduleExpressionTimezone }),
    enabled: State !== "DISABLED",
    targets: [{ arn: Target.Arn, payload }],
  };
}
