/** The schedules of a stage: the sweeper and the reconciliation. */
import { DisableRuleCommand, EnableRuleCommand, EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { nameOf } from "./stack.ts";
import type { Target } from "./target.ts";

const schedules = ["SweeperSchedule", "ReconcilerSchedule"];

/**
 * Milliseconds after which a disabled schedule certainly starts nothing. AWS says "a short period of time"
 * (https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DisableRule.html), and a run of the sweeper takes up to
 * half a minute.
 */
export const untilOff = 60_000;

async function setRules(
  target: Target,
  change: (name: string) => DisableRuleCommand | EnableRuleCommand,
): Promise<void> {
  const client = new EventBridgeClient({ region: target.region });
  for (const schedule of schedules) {
    const name = target.isLaptop ? schedule : await nameOf(target, "AWS::Events::Rule", schedule);
    await client.send(change(name) as DisableRuleCommand);
  }
}

export const stopSchedules = (target: Target): Promise<void> =>
  setRules(target, (Name) => new DisableRuleCommand({ Name }));

export const startSchedules = (target: Target): Promise<void> =>
  setRules(target, (Name) => new EnableRuleCommand({ Name }));

/** The commands that do the same as `startSchedules`, in the words of the runbook. */
export const startingSchedules = schedules.map(
  (schedule) => `aws events enable-rule --name "$(resource Events::Rule ${schedule})"`,
);
