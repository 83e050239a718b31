/** The checked account, with one client per service. */
import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { CognitoIdentityProviderClient } from "@aws-sdk/client-cognito-identity-provider";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { S3ControlClient } from "@aws-sdk/client-s3-control";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SESv2Client } from "@aws-sdk/client-sesv2";
import { SNSClient } from "@aws-sdk/client-sns";
import { STSClient } from "@aws-sdk/client-sts";
import type { StageConfig } from "../../../lib/stages.ts";
import type { Finding } from "../../kit/finding.ts";
import { AccountPlans } from "./account-plans.ts";

/**
 * The clients of a region. A service that does not respond takes at most 16 seconds: two tries of three seconds for the
 * connection and five for the response. Without `throwOnRequestTimeout` the SDK would only log a timeout.
 */
export function clientsIn(region: string) {
  const settings = {
    region,
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
  };
  return {
    callers: new STSClient(settings),
    mail: new SESv2Client(settings),
    functions: new LambdaClient(settings),
    storage: new S3ControlClient(settings),
    secrets: new SecretsManagerClient(settings),
    signIn: new CognitoIdentityProviderClient(settings),
    stacks: new CloudFormationClient(settings),
    tables: new DynamoDBClient(settings),
    topics: new SNSClient(settings),
    plans: new AccountPlans(),
  };
}

export type Clients = ReturnType<typeof clientsIn>;

/** The input of every check. */
export interface Account {
  /** The account's number, twelve digits. */
  readonly id: string;
  readonly region: string;
  readonly stage: StageConfig;
  readonly clients: Clients;
}

/** A prerequisite of a deploy or an opening night. */
export interface Check {
  /** The prefix of its lines. */
  readonly name: string;
  /** Whether a deploy of a running stage depends on it; false: only the service does. */
  readonly isForDeploy: boolean;
  /** Checks the account, read-only. */
  readonly look: (account: Account) => Promise<readonly Finding[]>;
}
