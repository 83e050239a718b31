/** The stage that a run tries, out of its outputs file. */
import { UsageError } from "../kit/outputs.ts";
import { type Target, targetIn } from "../kit/target.ts";
import type { MembershipPrice } from "./step-kit/step.ts";

export interface TestedStage extends Pick<Target, "isLaptop" | "stage" | "stackName" | "region" | "text"> {
  /** Without a slash at its end. */
  readonly apiUrl: string;
  readonly userPoolId: string;
  readonly userPoolClientId: string;
  readonly imageBucket: string;
  readonly membership: MembershipPrice;
  /** One of the origins that the stage allows; of the laptop, unless it was started with others. */
  readonly origin: string;
}

/** @throws UsageError when the file does not name exactly one stage with all outputs that the run needs */
export async function stageIn(file: string): Promise<TestedStage> {
  const target = await targetIn(file);
  const { isLaptop, stage, text } = target;
  const address = isLaptop ? "apiUrl" : "ApiUrl";
  const url = text(address);
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw new UsageError(`${address} is no web address in ${file}.`);
  return {
    ...target,
    apiUrl: url.replace(/\/+$/, ""),
    userPoolId: text(isLaptop ? "userPoolId" : "UserPoolId"),
    userPoolClientId: text(isLaptop ? "userPoolClientId" : "UserPoolClientId"),
    imageBucket: text(isLaptop ? "imageBucket" : "ImageBucketName"),
    membership: isLaptop
      ? { amount: Number(text("membershipPrice")), currency: text("currency") }
      : { amount: stage.membershipPrice, currency: stage.currency },
    origin: stage.allowedOrigins[0] ?? "",
  };
}
