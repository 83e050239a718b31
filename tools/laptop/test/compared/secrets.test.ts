/** Secrets Manager: the values of a secret by name, ARN, stage and version. */
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
const value = (SecretString: string, VersionStages = ["AWSCURRENT"]) => ({
  Name: "Ticket",
  SecretString,
  VersionId: uuid,
  VersionStages,
  isItsArn: true,
  isDated: true,
});

const operations: readonly Operation<Side>[] = [
  { name: "gets a value by name", call: (side) => get(side), answer: value("old") },
  { name: "gets a value by ARN", call: (side) => get(side, { SecretId: side.arn }), answer: value("old") },
  {
    name: "gets no unknown secret",
    call: (side) => get(side, { SecretId: "Other" }),
    answer: "ResourceNotFoundException",
  },
  {
    name: "gets no previous value before there is one",
    call: (side) => get(side, { VersionStage: "AWSPREVIOUS" }),
    answer: "ResourceNotFoundException",
  },
  {
    name: "gets no unknown version",
    call: (side) => get(side, { VersionId: "00000000-0000-0000-0000-000000000000" }),
    answer: "ResourceNotFoundException",
  },
  {
    name: "puts a value",
    call: (side) => put(side, { SecretString: "new" }),
    answer: { Name: "Ticket", VersionId: uuid, VersionStages: ["AWSCURRENT"] },
  },
  { name: "gets the value that was put", call: (side) => get(side), answer: value("new") },
  {
    name: "gets the value before it",
    call: (side) => get(side, { VersionStage: "AWSPREVIOUS" }),
    answer: value("old", ["AWSPREVIOUS"]),
  },
  {
    name: "gets a version by its id",
    call: async (side) => get(side, { VersionId: (await get(side)).VersionId }),
    answer: value("new"),
  },
  {
    name: "puts no value of an unknown secret",
    call: (side) => put(side, { SecretId: "Other", SecretString: "new" }),
    answer: "ResourceNotFoundException",
  },
  {
    name: "puts no empty value",
    call: (side) => put(side, { SecretId: "Empty", SecretString: "" }),
    answer: "InvalidRequestException",
  },
  { name: "puts nothing", call: (side) => put(side, { SecretId: "Empty" }), answer: "InvalidRequestException" },
  {
    name: "gets no secret without a value",
    call: (side) => get(side, { SecretId: "Empty" }),
    answer: "ResourceNotFoundException",
  },
];

const withoutValue = { Name: "Empty", VersionId: uuid, VersionStages: ["AWSCURRENT"] };
const page = "https://docs.aws.amazon.com/secretsmanager/latest/apireference";
const differences: readonly Difference[] = [
  {
    operation: "puts no empty value",
    theirs: withoutValue,
    source: `${page}/API_PutSecretValue.html: SecretString has at least one character`,
  },
  {
    operation: "puts nothing",
    theirs: withoutValue,
    source: `${page}/API_PutSecretValue.html: a request must include SecretBinary or SecretString`,
  },
  {
    operation: "gets no secret without a value",
    theirs: { ...withoutValue, isItsArn: false, isDated: true },
    source: `${page}/API_CreateSecret.html: only with SecretString or SecretBinary a version is made`,
  },
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
