/** What happens to stored data when the stack is deleted. */
import { RemovalPolicy } from "aws-cdk-lib";
import type { StageConfig } from "./stages.ts";

/**
 * The removal policy of every resource in this stage that holds data. A resource that stays when the stack is deleted is
 * deleted all the same when its creation is rolled back: it is empty then, and would only be in the way.
 */
export const removalPolicy = (stage: StageConfig): RemovalPolicy =>
  stage.removalPolicy === "retain" ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
