/** A deployed stage, with the AWS credentials of the caller. */
import { randomUUID } from "node:crypto";
import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
} from "@aws-sdk/client-cognito-identity-provider";
import { DeleteObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import type { smokeActions } from "../../lib/delivery/permissions.ts";
import { asking, failure, isMissingPermission, isNamed } from "../kit/failures.ts";
import { stackLogs } from "./aws-logs.ts";
import { endpointOf, objectAddress } from "./endpoint.ts";
import { rightsLacking } from "./lacking.ts";
import type { TestedStage } from "./outputs.ts";
import { signedIn } from "./sign-in.ts";
import type { People, Place, WebhookSecret } from "./step-kit/place.ts";
import { Failed, within } from "./step-kit/waiting.ts";

type Action = (typeof smokeActions)[number];

const longestSignIn = 30_000;

/**
 * Describes why a call failed.
 * @throws Failed
 */
async function granted<T>(action: Action, region: string, answer: Promise<T>): Promise<T> {
  try {
    return await asking(action, answer);
  } catch (error) {
    const { text, fix } = failure(error, region, "lib/delivery/permissions.ts");
    throw new Failed(`${action}: ${text} Fix: ${fix}`, { cause: error });
  }
}

/** Accounts created by an administrator of the pool, without mails. */
function temporaryPeople(
  { region, userPoolId, userPoolClientId }: TestedStage,
  pool: CognitoIdentityProviderClient,
): People {
  const userPoolEndpoint = endpointOf("COGNITO_IDENTITY_PROVIDER");
  const remove = async (email: string, abortSignal: AbortSignal) => {
    const request = new AdminDeleteUserCommand({ UserPoolId: userPoolId, Username: email });
    const answer = pool.send(request, { abortSignal }).catch((error: unknown) => {
      if (!isNamed(error, "UserNotFoundException")) throw error;
    });
    await granted("cognito-idp:AdminDeleteUser", region, answer);
  };
  return {
    async signedIn(email, made, stop) {
      const password = `Aa1!${randomUUID()}`;
      made.expect({
        what: `the account ${email}`,
        remove: (signal) => remove(email, signal),
        command: `aws cognito-idp admin-delete-user --region ${region} --user-pool-id ${userPoolId} --username ${email}`,
      });
      const account = { UserPoolId: userPoolId, Username: email };
      const create = new AdminCreateUserCommand({
        ...account,
        MessageAction: "SUPPRESS",
        UserAttributes: [
          { Name: "email", Value: email },
          { Name: "email_verified", Value: "true" },
        ],
      });
      await granted("cognito-idp:AdminCreateUser", region, pool.send(create));
      const set = new AdminSetUserPasswordCommand({ ...account, Password: password, Permanent: true });
      await granted("cognito-idp:AdminSetUserPassword", region, pool.send(set));
      const { idToken: token } = await within(longestSignIn, `the sign-in of ${email}`, stop, () =>
        signedIn({ userPoolId, userPoolClientId, userPoolEndpoint }, email, password),
      );
      return { email, token };
    },
  };
}

export function awsPlace(stage: TestedStage): Place {
  const { stackName, region, imageBucket } = stage;
  const { paymentsSecret } = stage.stage;
  const settings = {
    region,
    maxAttempts: 3,
    requestHandler: { connectionTimeout: 3_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  };
  const secrets = new SecretsManagerClient(settings);
  const imagesEndpoint = endpointOf("S3");
  const storage = new S3Client({ ...settings, forcePathStyle: imagesEndpoint !== undefined });
  return {
    lack: (stop) => rightsLacking(endpointOf("LAMBDA"), stop),
    reached: (url) => objectAddress(url, imageBucket, imagesEndpoint),
    people: temporaryPeople(stage, new CognitoIdentityProviderClient(settings)),
    logs: stackLogs(stackName, settings, (action, answer) => granted(action, region, answer)),
    adminToken: "<ID token of an admin>",
    removeImage: (key, abortSignal) => {
      const request = new DeleteObjectCommand({ Bucket: imageBucket, Key: key });
      return granted("s3:DeleteObject", region, storage.send(request, { abortSignal }));
    },
    removeImageCommand: (key) => `aws s3 rm --region ${region} s3://${imageBucket}/${key}`,
    async webhookSecret(abortSignal): Promise<WebhookSecret> {
      const request = new GetSecretValueCommand({ SecretId: paymentsSecret });
      const action = "secretsmanager:GetSecretValue";
      try {
        const { SecretString = "{}" } = await granted(action, region, secrets.send(request, { abortSignal }));
        const { webhookSecrets: [secret] = [] } = JSON.parse(SecretString) as { webhookSecrets?: string[] };
        return secret ? { secret } : { why: `${paymentsSecret} has no webhook secret yet`, stored: false };
      } catch (error) {
        const { cause } = error as Error;
        if (isNamed(cause, "ResourceNotFoundException")) {
          return { why: `there is no secret ${paymentsSecret} yet`, stored: false };
        }
        if (isMissingPermission(cause))
          return { why: `these credentials may not read ${paymentsSecret}`, stored: true };
        // The text of JSON.parse would show a part of the secret.
        throw error instanceof SyntaxError ? new Failed(`${paymentsSecret} is not JSON.`) : error;
      }
    },
  };
}
