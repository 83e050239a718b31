/** What the preflight asks the account, and what it says of a question that failed. */
import * as failures from "../kit/failures.ts";
import type { Finding } from "../kit/finding.ts";

/** The actions that checks ask for; a policy with them is in docs/deploy.md, "Preflight". */
type Action =
  | "cloudformation:DescribeStacks"
  | "cloudformation:ListStackResources"
  | "cognito-idp:DescribeUserPool"
  | "cognito-idp:DescribeUserPoolClient"
  | "cognito-idp:DescribeUserPoolDomain"
  | "dynamodb:ListTables"
  | "lambda:GetAccountSettings"
  | "s3:GetAccountPublicAccessBlock"
  | "secretsmanager:GetSecretValue"
  | "ses:GetAccount"
  | "ses:GetEmailIdentity"
  | "sns:ListSubscriptionsByTopic"
  | "ssm:GetParameter"
  | "sts:GetCallerIdentity";

/** @throws an error that `failure` explains when the caller may not do this action; any other error as it comes */
export const asking = <T>(action: Action, answer: Promise<T>): Promise<T> => failures.asking(action, answer);

/** @returns the finding of a question that failed */
export const failure = (error: unknown, region: string): Finding =>
  failures.failure(error, region, 'docs/deploy.md, "Preflight"');
