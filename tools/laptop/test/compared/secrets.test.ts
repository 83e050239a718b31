/** Secrets Manager: the values of a secret by name and ARN. */
import {
  CreateSecretCommand,
  GetSecretValueCommand,
  type GetSecretValueCommandInput,
  PutSecretValueCommand,
  type PutSecretValueCommandInput,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { expect } from "@jest/globals";
import { startSecrets } from "../../secrets/index.ts";
import { compareWithMiniStack, type Difference, laptopClient, type Operation } from "./compare.ts";

interface Side {
  readonly client: SecretsManagerClient;
  /** ARN of the secret `Ticket`. */
  readonly arn: string;
  close(): unknown;
}

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** The value of `Ticket`. */
const get = async ({ client, arn }: Side, request: Partial<GetSecretValueCommandInput> = {}) => {
  const { $metadata, ARN, CreatedDate, ...answer } = await client.send(
    new GetSecretValueCommand({ SecretId: "Ticket", ...request }),
  );
  return { ...answer, isItsArn: ARN === arn, isDated: CreatedDate instanceof Date };
};
const put = async ({ client }: Side, request: Partial<PutSecretValueCommandInput>) => {
  const { $metadata, ARN, ...answer } = await client.send(
    new PutSecretValueCommand({ SecretId: "Ticket", ...request }),
  );
  return answer;
};
const value = (SecretString: string) => ({
  Name: "Ticket",
  SecretString,
  VersionId: uuid,
  VersionStages: ["AWSCURRENT"],
  isItsArn: true,
  isDated: true,
});

const operations: readonly Operation<Side>[] = [
  ["gets a value by name", (side) => get(side), value("old")],
  ["gets a value by ARN", (side) => get(side, { SecretId: side.arn }), value("old")],
  ["gets no unknown secret", (side) => get(side, { SecretId: "Other" }), "ResourceNotFoundException"],
  [
    "puts a value",
    (side) => put(side, { SecretString: "new" }),
    { Name: "Ticket", VersionId: uuid, VersionStages: ["AWSCURRENT"] },
  ],
  ["gets the value that was put", (side) => get(side), value("new")],
  ["puts no empty value", (side) => put(side, { SecretId: "Empty", SecretString: "" }), "InvalidRequestException"],
  ["puts nothing", (side) => put(side, { SecretId: "Empty" }), "InvalidRequestException"],
  ["gets no secret without a value", (side) => get(side, { SecretId: "Empty" }), "ResourceNotFoundException"],
];

const withoutValue = { Name: "Empty", VersionId: uuid, VersionStages: ["AWSCURRENT"] };
const page = "https://docs.aws.amazon.com/secretsmanager/latest/apireference";
const differences: readonly Difference[] = [
  ["puts no empty value", withoutValue, `${page}/API_PutSecretValue.html: SecretString has at least one character`],
  [
    "puts nothing",
    withoutValue,
    `${page}/API_PutSecretValue.html: a request must include SecretBinary or SecretString`,
  ],
  [
    "gets no secret without a value",
    { ...withoutValue, isItsArn: false, isDated: true },
    `${page}/API_CreateSecret.html: only with SecretString or SecretBinary a version is made`,
  ],
];

compareWithMiniStack({
  operations,
  differences,
  ours: async () => {
    const arn = "arn:aws:secretsmanager:us-west-2:000000000000:secret:Ticket-abcdef";
    const empty = { name: "Empty", arn: arn.replace("Ticket", "Empty"), properties: {} };
    const secrets = await startSecrets({
      secrets: [{ name: "Ticket", arn, properties: { SecretString: "old" } }, empty],
    });
    const client = new SecretsManagerClient(laptopClient(secrets.url));
    return { client, arn, close: () => secrets.close() };
  },
  theirs: async (partner) => {
    const client = new SecretsManagerClient(partner.client);
    const { ARN = "" } = await client.send(new CreateSecretCommand({ Name: "Ticket", SecretString: "old" }));
    await client.send(new CreateSecretCommand({ Name: "Empty" }));
    return { client, arn: ARN, close: () => client.destroy() };
  },
});
