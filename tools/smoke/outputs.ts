/** The stage that a run tries, out of its outputs file. */
import { localStage } from "../../lib/stages.ts";
import { type OutputsOfStage, outputsIn, UsageError } from "../kit/outputs.ts";
import type { MembershipPrice } from "./step-kit/step.ts";

/** The common values of both kinds of stages. */
interface AnyStage {
  readonly apiUrl: string;
  readonly region: string;
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  readonly imageBucket: string;
  readonly adminEmailDomain: string;
  readonly membership: MembershipPrice;
  /** One of the origins that the stage allows; of the laptop, unless it was started with others. */
  readonly origin: string;
}

export interface DeployedStage extends AnyStage {
  readonly kind: "deployed";
  readonly name: "staging" | "production";
  readonly stackName: string;
  /** Name of the secret in Secrets Manager. */
  readonly paymentsSecret: string;
}

export interface LaptopStage extends AnyStage {
  readonly kind: "laptop";
  readonly identityUrl: string;
  readonly imagesUrl: string;
  readonly mailUrl: string;
  readonly webhookSecret: string;
}

type Stage = NonNullable<OutputsOfStage["stage"]>;

const firstOrigin = ({ allowedOrigins: [origin = ""] }: Stage): string => origin;

export type TestedStage = DeployedStage | LaptopStage;

/** The address of the API, without a slash at its end. @throws UsageError */
function address(file: string, { text }: OutputsOfStage, name: string): string {
  const url = text(name);
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new UsageError(`${name} is no web address in ${file}.`);
  return url.replace(/\/+$/, "");
}

/** The outputs of the laptop. */
function laptop(file: string, found: OutputsOfStage): LaptopStage {
  const { text } = found;
  return {
    kind: "laptop",
    apiUrl: address(file, found, "apiUrl"),
    region: text("region"),
    userPoolId: text("userPoolId"),
    userPoolClientId: text("userPoolClientId"),
    imageBucket: text("imageBucket"),
    adminEmailDomain: text("adminEmailDomain"),
    membership: { amount: Number(text("membershipPrice")), currency: text("currency") },
    origin: firstOrigin(localStage()),
    identityUrl: text("identityUrl"),
    imagesUrl: text("imagesUrl"),
    mailUrl: text("mailUrl"),
    webhookSecret: text("webhookSecret"),
  };
}

/** The outputs of a stack. The id of a user pool begins with its region. */
function deployed(file: string, found: OutputsOfStage, stage: Stage): DeployedStage {
  const { outputs, text, stackName = "" } = found;
  const userPoolId = text("UserPoolId");
  const { Region: region = userPoolId.split("_")[0] } = outputs;
  return {
    kind: "deployed",
    name: stage.name as DeployedStage["name"],
    stackName,
    apiUrl: address(file, found, "ApiUrl"),
    region: String(region),
    userPoolId,
    userPoolClientId: text("UserPoolClientId"),
    imageBucket: text("ImageBucketName"),
    adminEmailDomain: stage.adminEmailDomain,
    membership: { amount: stage.membershipPrice, currency: stage.currency },
    origin: firstOrigin(stage),
    paymentsSecret: stage.paymentsSecret,
  };
}

/** @throws UsageError when the file does not name exactly one stage with all outputs that the run needs */
export async function stageIn(file: string): Promise<TestedStage> {
  const found = await outputsIn(file);
  return found.stage === undefined ? laptop(file, found) : deployed(file, found, found.stage);
}
