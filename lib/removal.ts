/** What happens to what holds data when the stack goes. */
import { RemovalPolicy } from "aws-cdk-lib";
import type { StageConfig } from "./stages.ts";

/** The removal policy of everything in this stage that holds data. */
export const removalPolicy = (stage: StageConfig): RemovalPolicy =>
  stage.removalPolicy === "retain" ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
