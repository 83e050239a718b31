/** The smoke run in AWS: what its rehearsal with MiniStack does not meet. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CloudFormationClient, ListStackResourcesCommand } from "@aws-sdk/client-cloudformation";
import { CloudWatchLogsClient, FilterLogEventsCommand } from "@aws-sdk/client-cloudwatch-logs";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { staging } from "../../../lib/stages.ts";
import { awsError } from "../../preflight/test/account.ts";
import { awsPlace } from "../aws.ts";
import { stageIn, type TestedStage } from "../outputs.ts";

const secrets = mockClient(SecretsManagerClient);
const stacks = mockClient(CloudFormationClient);
const logs = mockClient(CloudWatchLogsClient);

const deployed: TestedStage = {
  isLaptop: false,
  stage: staging,
  stackName: "ClubEvents-staging",
  region: "ca-central-1",
  text: String,
  apiUrl: "https://api.test",
  userPoolId: "ca-central-1_own",
  userPoolClientId: "client",
  imageBucket: "images",
  origin: "https://app.test",
  membership: { amount: 15_00, currency: "CAD" },
};
const place = awsPlace(deployed);
const { signal } = new AbortController();
const denied = awsError("AccessDeniedException", "not authorized");

beforeEach(() => {
  for (const service of [secrets, stacks, logs]) service.reset();
});

describe("the webhook's secret", () => {
  test.each<[string, object | Error, object]>([
    [
      "is not stored yet",
      awsError("ResourceNotFoundException"),
      { why: "there is no secret club-events/staging/payments yet", stored: false },
    ],
    ["may not be read", denied, { why: "these credentials may not read club-events/staging/payments", stored: true }],
  ])("%s", async (_name, answer, found) => {
    const asked = secrets.on(GetSecretValueCommand);
    if (answer instanceof Error) asked.rejects(answer);
    else asked.resolves(answer);
    expect(await place.webhookSecret(signal)).toEqual(found);
  });

  test("is never printed", async () => {
    secrets.on(GetSecretValueCommand).resolves({ SecretString: "whsec_Confidential" });
    await expect(place.webhookSecret(signal)).rejects.toThrow(/^club-events\/staging\/payments is not JSON\.$/);
  });
});

describe("the logs of the functions", () => {
  const group = (LogicalResourceId: string) => ({
    LogicalResourceId,
    ResourceType: "AWS::Logs::LogGroup",
    PhysicalResourceId: `group-of-${LogicalResourceId}`,
    LastUpdatedTimestamp: new Date(),
    ResourceStatus: "CREATE_COMPLETE" as const,
  });
  const resources = [
    group("MailLogs0123ABCD"),
    { ...group("Mail0123ABCD"), ResourceType: "AWS::Lambda::Function" },
    group("ApiAccessLog0123ABCD"),
    group("IdentityPreSignUpLogs4567ABCD"),
  ];
  /** A place reads the names of the groups once. */
  const logsOf = () => awsPlace(deployed).logs;
  const mailLogs = { logGroupName: "group-of-MailLogs0123ABCD", startTime: 7 };

  test("are read page by page; a page may be empty, or have lines that do not match the pattern", async () => {
    const line = '{"level":"ERROR","message":"it broke"}';
    stacks.on(ListStackResourcesCommand).resolves({ StackResourceSummaries: resources });
    logs.on(FilterLogEventsCommand).resolves({ events: [] });
    logs.on(FilterLogEventsCommand, mailLogs).resolves({ events: [], nextToken: "more" });
    logs.on(FilterLogEventsCommand, { ...mailLogs, nextToken: "more" }).resolves({
      events: ["START RequestId", '{"level":"INFO"}', line].map((message) => ({ message, timestamp: 8 })),
    });
    const place = logsOf();
    expect(await place.errors(7, signal)).toEqual([{ functionName: "Mail", at: 8, text: line }]);
    expect(await place.errors(7, signal, ["IdentityPreSignUp"])).toEqual([]);
    const asked = logs.commandCalls(FilterLogEventsCommand).map(({ args }) => args[0].input.logGroupName);
    const preSignUp = "group-of-IdentityPreSignUpLogs4567ABCD";
    expect(asked).toEqual([mailLogs.logGroupName, mailLogs.logGroupName, preSignUp, preSignUp]);
    expect(stacks.commandCalls(ListStackResourcesCommand).map(({ args }) => args[0].input.StackName)).toEqual([
      "ClubEvents-staging",
    ]);
  });
});

describe("at another endpoint", () => {
  const setting = "AWS_ENDPOINT_URL";
  afterEach(() => {
    delete process.env[setting];
  });

  test.each<[string, number, string, string | undefined]>([
    ["MiniStack without IAM", 200, '{"auth":"disabled"}', "MiniStack without AUTH=true refuses no function"],
    ["any other one", 404, "<html>", undefined],
  ])("%s says whether rights mean something", async (_name, status, body, sentence) => {
    const server = createServer((_request, response) => void response.writeHead(status).end(body));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    expect(await awsPlace(deployed).lack(signal)).toBeUndefined();
    process.env[setting] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const lack = await awsPlace(deployed).lack(signal);
    server.close();
    expect(lack?.startsWith(sentence ?? "")).toBe(sentence && true);
  });
});

test("the outputs of a deploy name the stage; without a region among them, the pool has it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "smoke-aws-"));
  const file = join(folder, "outputs.json");
  const outputs = {
    ApiUrl: "https://api.test/",
    UserPoolId: "ca-central-1_own",
    UserPoolClientId: "client",
    ImageBucketName: "images",
    TableName: "Table",
  };
  const read = async (more: object) => {
    await writeFile(file, JSON.stringify({ "ClubEvents-staging": { ...outputs, ...more } }));
    return stageIn(file);
  };
  expect(await read({})).toMatchObject({
    isLaptop: false,
    stage: staging,
    stackName: "ClubEvents-staging",
    apiUrl: "https://api.test",
    region: "ca-central-1",
    userPoolId: "ca-central-1_own",
    userPoolClientId: "client",
    imageBucket: "images",
    membership: { amount: staging.membershipPrice, currency: staging.currency },
    origin: staging.allowedOrigins[0],
  });
  expect(await read({ Region: "us-west-2" })).toMatchObject({ region: "us-west-2" });
  await rm(folder, { recursive: true });
});
