/** The CDK application: one stack per stage. */
import { Annotations, App, type AppProps } from "aws-cdk-lib";
import { featureFlags } from "../feature-flags.ts";
import { placeholders } from "../placeholders.ts";
import { stackName } from "../stage-names.ts";
import { stages as ownStages, type StageConfig, type StageName } from "../stages.ts";
import { ClubStack } from "./club-stack.ts";

type Stages = Readonly<Record<StageName, StageConfig>>;

export class UnknownStage extends Error {}

/**
 * Creates the application with all stages for AWS, or only those in `-c stage=` or the variable STAGE, separated by commas.
 * Stacks are not bound to an account or region: `cdk deploy` uses those of the credentials.
 *
 * - `-c firstDeploy=true` disables all protections against deletion, with a warning.
 * - `-c placeholders=ok` accepts placeholder values. Without it the CDK's command line refuses such a stack.
 *
 * @throws UnknownStage
 * @throws WrongStage a stage has invalid values
 */
export function clubApp(props: AppProps = {}, stages: Stages = ownStages): App {
  const app = new App({ ...props, context: { ...featureFlags(), ...props.context } });
  const only: unknown = app.node.tryGetContext("stage") ?? process.env.STAGE;
  const isFirstDeploy = String(app.node.tryGetContext("firstDeploy")) === "true";
  const mayHavePlaceholders = app.node.tryGetContext("placeholders") === "ok";
  for (const stage of chosenStages(only, stages)) {
    const stack = new ClubStack(app, stackName(stage.name), { stage, isFirstDeploy });
    if (isFirstDeploy && stage.deletionProtection) Annotations.of(stack).addWarningV2("club:first-deploy", unprotected);
    const left = stage.name === "local" || mayHavePlaceholders ? [] : placeholders(stage);
    if (left.length > 0) Annotations.of(stack).addError(placeholderProblem(stage, left));
  }
  return app;
}

const unprotected =
  "The table, the accounts and the stack are not protected against deletion. When this deploy has succeeded, deploy once more without -c firstDeploy=true.";

const placeholderProblem = ({ name }: StageConfig, left: readonly string[]): string =>
  `lib/stages.ts still has placeholders for ${name}; write the club's own values there (docs/deploy.md):\n  ${left.join("\n  ")}`;

/** The local stage is not for AWS, and only included when it is named. */
const chosenStages = (only: unknown, stages: Stages): readonly StageConfig[] => {
  if (only === undefined || only === "") return [stages.production, stages.staging];
  return [...new Set(String(only).split(","))].map((name) => {
    if (Object.hasOwn(stages, name)) return stages[name as StageName];
    throw new UnknownStage(`There is no stage "${name}"; there are ${Object.keys(stages).join(", ")}.`);
  });
};
