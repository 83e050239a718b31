/** The CDK application: one stack per stage. */
import { App, type AppProps } from "aws-cdk-lib";
import { ClubStack } from "./club-stack.ts";
import { featureFlags } from "./feature-flags.ts";
import { stackName } from "./stage-names.ts";
import { type StageConfig, type StageName, stages } from "./stages.ts";

const isStageName = (name: string): name is StageName => Object.hasOwn(stages, name);

/**
 * Makes the application with every stage, or only with the stage that `-c stage=` or the variable STAGE names. A stack
 * is not bound to an account or region: `cdk deploy` uses those of the credentials.
 *
 * @throws Error when the named stage does not exist.
 */
export function clubApp(props: AppProps = {}): App {
  const app = new App({ ...props, context: { ...featureFlags(), ...props.context } });
  const only: unknown = app.node.tryGetContext("stage") ?? process.env.STAGE;
  for (const stage of chosenStages(only)) new ClubStack(app, stackName(stage.name), { stage });
  return app;
}

const chosenStages = (only: unknown): readonly StageConfig[] => {
  if (only === undefined || only === "") return Object.values(stages);
  if (typeof only === "string" && isStageName(only)) return [stages[only]];
  throw new Error(`There is no stage "${only}"; there are ${Object.keys(stages).join(", ")}.`);
};
