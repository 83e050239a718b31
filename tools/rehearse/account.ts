/** The account in the emulator. */
import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
} from "@aws-sdk/client-cloudformation";
import {
  AdminCreateUserCommand,
  AdminDisableUserCommand,
  AdminSetUserPasswordCommand,
  CognitoIdentityProviderClient,
} from "@aws-sdk/client-cognito-identity-provider";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { CreateSecretCommand, DeleteSecretCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { DeleteIdentityCommand, SESClient, VerifyDomainIdentityCommand } from "@aws-sdk/client-ses";
import { GetCallerIdentityCommand, STSClient } from "@aws-sdk/client-sts";
import type { Emulator } from "./emulator.ts";

/** The settings of a client that reaches the emulator. */
export const clientSettings = ({ endpoint, variables, certificate }: Emulator) => ({
  endpoint,
  region: String(variables.AWS_REGION),
  credentials: {
    accessKeyId: String(variables.AWS_ACCESS_KEY_ID),
    secretAccessKey: String(variables.AWS_SECRET_ACCESS_KEY),
  },
  requestHandler: { requestTimeout: 30_000, ...(certificate !== undefined && { httpsAgent: { ca: certificate } }) },
});

export interface Account {
  /** Its number and region, as the CDK names them. */
  environment(): Promise<string>;
  /** What CloudFormation says about a stack: its status, and how many resources it has. */
  stack(name: string): Promise<{ readonly status: string; readonly resources: number }>;
  /** Stores what a person stores before a deploy (docs/deploy.md): secrets, and a mail domain, which emulators verify at once. */
  prepare(mailDomain: string, secrets: Readonly<Record<string, string>>): Promise<void>;
  /** Makes accounts with these emails, the last of them disabled, and an image: a smoke run leaves neither. */
  people(poolId: string, emails: readonly string[], bucket: string): Promise<void>;
  /** Deletes what `prepare` has stored. */
  clear(mailDomain: string, secrets: Readonly<Record<string, string>>): Promise<void>;
}

export function accountIn(emulator: Emulator): Account {
  const settings = clientSettings(emulator);
  const stacks = new CloudFormationClient(settings);
  const secretStore = new SecretsManagerClient(settings);
  const mail = new SESClient(settings);
  const pool = new CognitoIdentityProviderClient(settings);
  // Emulators have no host names for buckets.
  const images = new S3Client({ ...settings, forcePathStyle: true });
  return {
    async environment() {
      const { Account: id } = await new STSClient(settings).send(new GetCallerIdentityCommand({}));
      return `aws://${id}/${settings.region}`;
    },
    async stack(StackName) {
      const { Stacks: [stack] = [] } = await stacks.send(new DescribeStacksCommand({ StackName }));
      let resources = 0;
      for await (const { StackResourceSummaries = [] } of paginateListStackResources(
        { client: stacks },
        { StackName },
      )) {
        resources += StackResourceSummaries.filter(({ ResourceStatus }) => ResourceStatus !== "DELETE_COMPLETE").length;
      }
      return { status: String(stack?.StackStatus), resources };
    },
    async prepare(Domain, secrets) {
      await mail.send(new VerifyDomainIdentityCommand({ Domain }));
      for (const [Name, SecretString] of Object.entries(secrets)) {
        await secretStore.send(new CreateSecretCommand({ Name, SecretString }));
      }
    },
    async people(UserPoolId, emails, Bucket) {
      const Password = "Before-Words-1";
      for (const Username of emails) {
        const UserAttributes = [
          { Name: "email", Value: Username },
          { Name: "email_verified", Value: "true" },
        ];
        await pool.send(
          new AdminCreateUserCommand({ UserPoolId, Username, UserAttributes, MessageAction: "SUPPRESS" }),
        );
        await pool.send(new AdminSetUserPasswordCommand({ UserPoolId, Username, Password, Permanent: true }));
      }
      await pool.send(new AdminDisableUserCommand({ UserPoolId, Username: emails.at(-1) }));
      const image = { Bucket, Key: "event-thumbnails/gala/optimized/1.png", ContentType: "image/png" };
      await images.send(new PutObjectCommand({ ...image, Body: "a banner" }));
    },
    async clear(Domain, secrets) {
      await mail.send(new DeleteIdentityCommand({ Identity: Domain }));
      for (const SecretId of Object.keys(secrets)) {
        await secretStore.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
      }
    },
  };
}
