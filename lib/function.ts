/** The base construct of all Lambda functions: runtime, role, log group and variables. */

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Duration } from "aws-cdk-lib";
import { type PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, Code, Function as LambdaFunction, LoggingFormat, Runtime } from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { FunctionName } from "./entries.ts";
import { removalPolicy } from "./removal.ts";
import type { StageConfig } from "./stages.ts";

/** Environment variables. */
export type Variables = Readonly<Record<string, string>>;

/**
 * A resource that functions use. `variables` are the environment variables that identify the resource, `statements` allow
 * the actions. ClubFunction.uses() adds both, so that a function cannot have one without the other.
 */
export interface Usable<Action extends string> {
  readonly variables: Variables;
  statements(actions: readonly Action[]): PolicyStatement[];
}

export interface ClubFunctionProps {
  readonly stage: StageConfig;
  /** Folder under dist/functions. Laptop and cloud run the same bundle. */
  readonly bundle: FunctionName;
  readonly description: string;
  /** In megabytes, by default 256. */
  readonly memory?: number;
  /** In seconds, by default 15. */
  readonly timeout?: number;
  /** Other than those of resources. */
  readonly environment?: Variables;
}

const bundles = fileURLToPath(new URL("../dist/functions/", import.meta.url));

/** @throws Error the bundle was not built */
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
    // The role may write only to this log group. AWS's basic execution policy would allow all.
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    logGroup.grantWrite(role);

    super(scope, id, {
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: bundleCode(bundle),
      handler: "index.handler",
      description: props.description,
      memorySize: props.memory ?? 256,
      timeout: Duration.seconds(props.timeout ?? 15),
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

  /** Adds the resource's environment variables, and allows exactly these actions. */
  uses<Action extends string>(resource: Usable<Action>, actions: readonly Action[]): this {
    for (const [name, value] of Object.entries(resource.variables)) this.addEnvironment(name, value);
    for (const statement of resource.statements(actions)) this.addToRolePolicy(statement);
    return this;
  }
}
