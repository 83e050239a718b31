/** The stage of a command, from its outputs file, and the environment of its calls. */

import { stackName } from "../../lib/stage-names.ts";
import { localStage } from "../../lib/stages.ts";
import { type Target as ImportTarget, targetIn as importTargetIn } from "../import/target.ts";
import { outputsIn } from "../smoke/outputs.ts";

export interface Target extends ImportTarget {
  readonly region: string;
  readonly isLaptop: boolean;
  readonly hasChat: boolean;
  readonly userPoolId: string;
  readonly busName: string;
  /** The prefix of the names of the stage's queues and rules. */
  readonly prefix: string;
}

/** @throws UsageError */
export async function targetIn(file: string): Promise<Target> {
  const imported = await importTargetIn(file);
  const { stage, text } = await outputsIn(file);
  const { adminDomain, timeZone } = imported.values;
  const { currency, membershipPrice, paymentsSecret, chatWebhookSecret } = stage ?? localStage();
  const busName = text(stage ? "BusName" : "busName");
  const settings = {
    BUS_NAME: busName,
    STAGE: stage?.name ?? "local",
    ADMIN_EMAIL_DOMAIN: adminDomain,
    TIME_ZONE: timeZone,
    CURRENCY: currency,
    MEMBERSHIP_PRICE: String(membershipPrice),
    PAYMENTS_SECRET: paymentsSecret,
    // The functions' log lines would be mixed with the command's output.
    POWERTOOLS_LOG_LEVEL: "SILENT",
  };
  const laptop = () => ({
    AWS_ENDPOINT_URL_EVENTBRIDGE: text("busUrl"),
    AWS_ENDPOINT_URL_SQS: text("queuesUrl"),
    AWS_ENDPOINT_URL_SECRETS_MANAGER: text("secretsUrl"),
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: text("identityUrl"),
    PAYMENTS_ENDPOINT_URL: text("paymentsUrl"),
  });
  return {
    ...imported,
    environment: { ...imported.environment, ...settings, ...(!stage && laptop()) },
    region: imported.environment.AWS_REGION as string,
    isLaptop: stage === undefined,
    hasChat: chatWebhookSecret !== undefined,
    userPoolId: text(stage ? "UserPoolId" : "userPoolId"),
    busName,
    prefix: `${stackName(stage?.name ?? "local")}-`,
  };
}
