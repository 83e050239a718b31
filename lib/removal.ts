/** What happens to stored data when the stack is deleted. */
import { RemovalPolicy } from "aws-cdk-lib";
import type { StageConfig } from "./stages.ts";

/** The removal policy of every resource in this stage that holds data. */
export const removalPolicy = (stage: StageConfig): RemovalPolicy =>
  stage.removalPolicy === "retain" ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
