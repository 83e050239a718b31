/** The CDK application for what a stage needs before its first deploy: the mail identities, and GitHub's roles. */
import { Annotations, App, type AppProps, type Environment } from "aws-cdk-lib";
import { featureFlags } from "../feature-flags.ts";
import { placeholders } from "../placeholders.ts";
import { UnknownStage } from "../stack/club-app.ts";
import { type DeliveryConfig, delivery as ownDelivery, stages as ownStages, type StageConfig } from "../stages.ts";
import { DeliveryStack } from "./delivery-stack.ts";
import { repositoryProblem } from "./git-hub-repository.ts";
import { MailStack } from "./mail-stack.ts";

export interface DeliveryApp {
  readonly delivery?: DeliveryConfig;
  /** The stages of which `-c stage=` chooses. */
  readonly stages?: readonly StageConfig[];
  readonly env?: Environment;
}

const hasContext = (app: App, name: string, value: string): boolean => app.node.tryGetContext(name) === value;

/**
 * `ClubMail-<stage>` for each stage, so that no deploy removes the identity of another one, and `ClubDelivery`, one for an
 * account.
 *
 * - `-c stage=production` for an account that has only this stage; by default it has both.
 * - `-c provider=existing` where the account has GitHub's identity provider already.
 * - `-c placeholders=ok` accepts placeholder values, in a synthesis that is not deployed.
 *
 * @throws UnknownStage
 */
export function deliveryApp(props: AppProps = {}, { delivery = ownDelivery, stages, env }: DeliveryApp = {}): App {
  const app = new App({ ...props, context: { ...featureFlags(), ...props.context } });
  const all = stages ?? [ownStages.staging, ownStages.production];
  const only: unknown = app.node.tryGetContext("stage");
  const chosen = all.filter(({ name }) => only === undefined || only === name);
  if (chosen.length === 0) {
    throw new UnknownStage(`There is no stage "${only}" in AWS; there are ${all.map(({ name }) => name).join(", ")}.`);
  }
  const { hostedZone } = delivery;
  const mails = chosen.map((stage) => {
    const { name, mailSender } = stage;
    return {
      stack: new MailStack(app, `ClubMail-${name}`, { stage, hostedZone, env }),
      values: { hostedZone, mailSender },
    };
  });
  const gitHub = new DeliveryStack(app, "ClubDelivery", {
    gitHub: delivery.gitHub,
    stages: chosen,
    hasProvider: hasContext(app, "provider", "existing"),
    env,
  });
  const placeholder = placeholders({ gitHub: delivery.gitHub });
  const wrong = placeholder.length > 0 ? undefined : repositoryProblem(delivery.gitHub);
  if (wrong) Annotations.of(gitHub).addError(`lib/stages.ts, delivery.gitHub: "${delivery.gitHub}" ${wrong}.`);
  if (hasContext(app, "placeholders", "ok")) return app;
  const refuse = (stack: MailStack | DeliveryStack, left: readonly string[]) => {
    if (left.length > 0)
      Annotations.of(stack).addError(`lib/stages.ts still has placeholders:\n  ${left.join("\n  ")}`);
  };
  for (const { stack, values } of mails) refuse(stack, placeholders(values));
  refuse(gitHub, placeholder);
  return app;
}
