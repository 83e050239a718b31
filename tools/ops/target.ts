/** The stage that a command works on, out of its outputs file, and what its calls need. */

import { stackName } from "../../lib/stage-names.ts";
import { localStage } from "../../lib/stages.ts";
import { type Target as ImportTarget, targetIn as importTargetIn } from "../kit/target.ts";
import { outputsIn } from "../smoke/outputs.ts";

export interface Target extends ImportTarget {
  readonly region: string;
  readonly isLaptop: boolean;
  readonly hasChat: boolean;
  readonly userPoolId: string;
  readonly busName: string;
  /** What the names of the stage's queues and rules begin with. */
  readonly prefix: string;
}

/** @throws WrongUse */
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
    // The lines of a command are for its operator. The functions' log lines would stand between them.
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
