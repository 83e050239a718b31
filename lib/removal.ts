/** What happens to stored data when the stack is deleted. */
import { RemovalPolicy } from "aws-cdk-lib";
import type { StageConfig } from "./stages.ts";

/**
 * The removal policy of every resource with data. A retained resource is still deleted when its creation is rolled back,
 * because it is empty then and would block the next deploy.
 */
export const removalPolicy = (stage: StageConfig): RemovalPolicy =>
  stage.removalPolicy === "retain" ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
