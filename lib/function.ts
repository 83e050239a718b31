/** The Lambda function of this service: runtime, role, log group and variables that all functions share. */

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Duration } from "aws-cdk-lib";
import { type PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, Code, Function as LambdaFunction, LoggingFormat, Runtime } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { Settings } from "#kit/env.ts";
import type { FunctionName } from "./entries.ts";
import { removalPolicy } from "./removal.ts";
import type { StageConfig } from "./stages.ts";

/**
 * A resource that functions use. `variables` tell the function where the resource is, `statements` allow the actions.
 * ClubFunction.uses() takes both at once, so that a function cannot have one without the other.
 */
export interface Usable<Action extends string> {
  readonly variables: Settings;
  statements(actions: readonly Action[]): PolicyStatement[];
}

export interface ClubFunctionProps {
  readonly stage: StageConfig;
  /** Folder under dist/functions. Laptop and cloud run the same bundle. */
  readonly bundle: FunctionName;
  readonly description: string;
  /** In megabytes; 256 when absent. The share of a CPU grows with it. */
  readonly memory?: number;
  /** 15 seconds when absent. */
  readonly timeout?: Duration;
  /** Environment variables that belong to no resource. */
  readonly environment?: Settings;
}

const bundles = fileURLToPath(new URL("../dist/functions/", import.meta.url));

/** @throws Error when the bundle has not been built. */
const bundleCode = (name: FunctionName): Code => {
  const folder = `${bundles}${name}`;
  if (!existsSync(folder)) throw new Error(`dist/functions/${name} is missing: run "npm run build" first.`);
  return Code.fromAsset(folder);
};

export class ClubFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, { stage, bundle, ...props }: ClubFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: stage.logRetentionDays,
      removalPolicy: removalPolicy(stage),
    });
    // The role may write to this log group only. AWS's basic execution policy would allow every log group.
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    logGroup.grantWrite(role);

    super(scope, id, {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: bundleCode(bundle),
      handler: "index.handler",
      description: props.description,
      memorySize: props.memory ?? 256,
      timeout: props.timeout ?? Duration.seconds(15),
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      environment: {
        NODE_OPTIONS: "--enable-source-maps",
        POWERTOOLS_SERVICE_NAME: bundle,
        LOG_LEVEL: "INFO",
        STAGE: stage.name,
        ...props.environment,
      },
    });
  }

  /** Tells the function where the resource is, and allows exactly these actions. */
  uses<Action extends string>(resource: Usable<Action>, actions: readonly Action[]): this {
    for (const [name, value] of Object.entries(resource.variables)) this.addEnvironment(name, value);
    for (const statement of resource.statements(actions)) this.addToRolePolicy(statement);
    return this;
  }
}
