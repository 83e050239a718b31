/** The stage that a command works on, and what its calls need. */
import { type Target as AnyTarget, targetIn as anyTargetIn } from "../kit/target.ts";

export interface Target extends AnyTarget {
  readonly hasChat: boolean;
  readonly userPoolId: string;
  readonly busName: string;
  /** The bucket of images, and the public address that items name. */
  readonly imageBucket: string;
  readonly imagesUrl: string;
  /** The prefix of the names of the stage's queues and rules. */
  readonly prefix: string;
}

/** @throws UsageError */
export async function targetIn(file: string): Promise<Target> {
  const target = await anyTargetIn(file);
  const { stage, isLaptop, text } = target;
  const busName = text(isLaptop ? "busName" : "BusName");
  const settings = {
    BUS_NAME: busName,
    STAGE: stage.name,
    ADMIN_EMAIL_DOMAIN: stage.adminEmailDomain,
    TIME_ZONE: stage.timeZone,
    CURRENCY: stage.currency,
    MEMBERSHIP_PRICE: String(stage.membershipPrice),
    MEMBERSHIP_PRICES: JSON.stringify(stage.membershipPrices ?? {}),
    MEMBERSHIP_TERM: JSON.stringify(stage.membershipTerm),
    PAYMENTS_SECRET: stage.paymentsSecret,
    // The lines of a command are for its operator. The functions' log lines would stand between them.
    POWERTOOLS_LOG_LEVEL: "SILENT",
  };
  const laptop = () => ({
    AWS_ENDPOINT_URL_APIGATEWAYV2: text("gatewayUrl"),
    AWS_ENDPOINT_URL_S3: text("imagesUrl"),
    AWS_ENDPOINT_URL_EVENTBRIDGE: text("busUrl"),
    AWS_ENDPOINT_URL_SQS: text("queuesUrl"),
    AWS_ENDPOINT_URL_SECRETS_MANAGER: text("secretsUrl"),
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: text("identityUrl"),
    PAYMENTS_ENDPOINT_URL: text("paymentsUrl"),
  });
  const imageBucket = text(isLaptop ? "imageBucket" : "ImageBucketName");
  return {
    ...target,
    environment: { ...target.environment, ...settings, ...(isLaptop && laptop()) },
    hasChat: stage.chatWebhookSecret !== undefined,
    userPoolId: text(isLaptop ? "userPoolId" : "UserPoolId"),
    busName,
    imageBucket,
    imagesUrl: isLaptop
      ? `${text("imagesUrl")}/${imageBucket}`
      : `${stage.imageUrlScheme}://${imageBucket}.s3.${target.region}.amazonaws.com`,
    prefix: `${target.stackName}-`,
  };
}
