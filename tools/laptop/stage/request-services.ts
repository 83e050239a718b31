/**
 * Starts the managed services that answer requests of functions and clients, each from its resources in the template.
 */
import { join } from "node:path";
import { type Bucket, type ObjectCreatedEvent, publicPrefixes, startBucket } from "../bucket/index.ts";
import { startTableEngine, type TableDefinition, type TableEngine } from "../dynamodb/index.ts";
import { accessKeyPrefix, localSecret } from "../functions/index.ts";
import { type CodeMessage, type IdentityService, readPoolSettings, startIdentity } from "../identity/index.ts";
import { type SecretProperties, type Secrets, startSecrets } from "../secrets/index.ts";
import { type Template, TemplateProblem } from "../template/index.ts";
import type { StageSetup } from "./setup.ts";

type Setup = Pick<StageSetup, "options" | "template" | "ports" | "data" | "activity" | "permissions">;

/** The folder of a service's data; undefined: it is kept in memory. */
export const folderIn = ({ data }: Pick<Setup, "data">, name: string): string | undefined => data && join(data, name);

/** A name that hosts and buckets allow as well. */
const lowerCaseName = (template: Template, logicalId: string): string => template.physicalName(logicalId).toLowerCase();

/** DynamoDB with the template's one table. */
export async function startTable(setup: Setup): Promise<{ engine: TableEngine; tableName: string }> {
  const { options, template, ports, permissions } = setup;
  const resource = template.theOnly("AWS::DynamoDB::Table");
  const tableName = template.physicalName(resource.logicalId);
  const arn = template.arn("dynamodb", `table/${tableName}`);
  template.provide(resource.logicalId, {
    ref: tableName,
    attributes: { Arn: arn, StreamArn: `${arn}/stream/local`, TableId: tableName },
  });
  const { region, accountId } = template.place;
  const { conflicts = true, indexLag, callLatency, partitionLimit } = options;
  const engine = await startTableEngine({
    port: ports.dynamodb,
    directory: folderIn(setup, "table"),
    region,
    accountId,
    authorize: permissions.authorize,
    // Absent: the engine's own time.
    conflictMilliseconds: typeof conflicts === "number" ? conflicts : conflicts ? undefined : 0,
    onCall: options.onTableCall,
    indexLag,
    callLatency,
    partitionLimit,
  });
  await engine.ensureTable({ ...(resource.all() as unknown as TableDefinition), TableName: tableName });
  return { engine, tableName };
}

/**
 * Cognito with the template's user pool, its triggers and its web client.
 * @param invoke calls a function by its ARN
 * @throws TemplateProblem when the pool has another trigger
 */
export async function startUserPool(
  setup: Setup,
  sendCode: (message: CodeMessage) => Promise<void>,
  invoke: (arn: string, event: unknown) => Promise<unknown>,
): Promise<IdentityService> {
  const { options, template, ports, permissions } = setup;
  const { region } = template.place;
  const poolId = `${region}_ClubLocal`;
  const clientId = "clublocalwebclient00000000";
  const pool = template.theOnly("AWS::Cognito::UserPool");
  const client = template.theOnly("AWS::Cognito::UserPoolClient");
  template.provide(client.logicalId, { ref: clientId });
  const poolArn = template.arn("cognito-idp", `userpool/${poolId}`);
  const provider = `cognito-idp.${region}.amazonaws.com/${poolId}`;
  const attributes = { Arn: poolArn, ProviderName: provider, ProviderURL: `https://${provider}` };
  template.provide(pool.logicalId, { ref: poolId, attributes });
  const { PreSignUp, CustomMessage, ...others } = (pool.all().LambdaConfig ?? {}) as Readonly<Record<string, string>>;
  const [other] = Object.keys(others);
  if (other) throw new TemplateProblem(`${pool.logicalId}: the local stage does not run the trigger ${other}.`);
  return startIdentity({
    ...(PreSignUp && { preSignUp: (event: unknown) => invoke(PreSignUp, event) }),
    ...(CustomMessage && { customMessage: (event: unknown) => invoke(CustomMessage, event) }),
    accessKeyPrefix,
    refusalOf: (accessKeyId, operation) => permissions.authorize(accessKeyId, `cognito-idp:${operation}`, poolArn),
    port: ports.identity,
    directory: folderIn(setup, "identity"),
    pool: readPoolSettings(pool.all(), client.all()),
    region,
    poolId,
    clientId,
    sendCode,
    makeKeyPair: options.makeKeyPair,
  });
}

/**
 * S3 with the template's one bucket: its CORS rules, the public permissions of its policy, and its events if they are
 * switched on.
 */
export async function startImages(setup: Setup, onObjectCreated: (event: ObjectCreatedEvent) => void): Promise<Bucket> {
  const { template, ports, permissions } = setup;
  const resource = template.theOnly("AWS::S3::Bucket");
  const name = lowerCaseName(template, resource.logicalId);
  const Arn = `arn:aws:s3:::${name}`;
  // The policy needs name and ARN; the address follows below.
  template.provide(resource.logicalId, { ref: name, attributes: { Arn } });
  const { region, accountId } = template.place;
  const policies = template.resourcesOf("AWS::S3::BucketPolicy").filter((policy) => policy.get("Bucket") === name);
  const statements = policies.flatMap((policy) => policy.get("PolicyDocument").Statement);
  const bucket = await startBucket({
    port: ports.images,
    directory: folderIn(setup, "images"),
    name,
    region,
    accountId,
    corsRules: resource.get("CorsConfiguration")?.CorsRules ?? [],
    publicPrefixes: publicPrefixes(statements, Arn),
    secretOf: (accessKeyId) => (accessKeyId.startsWith(accessKeyPrefix) ? localSecret : undefined),
    authorize: permissions.authorize,
  });
  // In AWS the bucket is part of the host name, here it is part of the path.
  const host = `${new URL(bucket.url).host}/${name}`;
  template.provide(resource.logicalId, {
    ref: name,
    attributes: { Arn, DomainName: host, RegionalDomainName: host },
  });
  if (resource.get("NotificationConfiguration")?.EventBridgeConfiguration?.EventBridgeEnabled) {
    bucket.onObjectCreated(onObjectCreated);
  }
  return bucket;
}

/**
 * Secrets Manager with the template's secrets.
 * @param stored values by the names of further secrets, which an operator stores by hand in AWS
 */
export function startSecretStore(setup: Setup, stored: Readonly<Record<string, string>>): Promise<Secrets> {
  const { template, ports, permissions } = setup;
  const named = (name: string, properties: SecretProperties) => ({ name, arn: secretArn(template, name), properties });
  const made = template.resourcesOf("AWS::SecretsManager::Secret");
  return startSecrets({
    port: ports.secrets,
    directory: folderIn(setup, "secrets"),
    secrets: [
      ...made.map((resource) => named(template.physicalName(resource.logicalId), resource.all())),
      ...Object.entries(stored).map(([name, SecretString]) => named(name, { SecretString })),
    ],
    authorize: permissions.authorize,
  });
}

/** Secrets Manager appends six characters to the name. */
const secretArn = (template: Template, name: string): string => template.arn("secretsmanager", `secret:${name}-000000`);

/** Names resources that others refer to or that need no start. Call it before reading the template. */
export function nameOthers(template: Template): void {
  for (const { logicalId } of template.resourcesOf("AWS::Events::EventBus")) {
    const name = template.physicalName(logicalId);
    template.provide(logicalId, {
      ref: name,
      attributes: { Name: name, Arn: template.arn("events", `event-bus/${name}`) },
    });
  }
  for (const { logicalId } of template.resourcesOf("AWS::SQS::Queue")) {
    const name = template.physicalName(logicalId);
    const Arn = template.arn("sqs", name);
    const url = `https://sqs.${template.place.region}.amazonaws.com/${template.place.accountId}/${name}`;
    template.provide(logicalId, { ref: url, attributes: { QueueName: name, Arn } });
  }
  for (const { logicalId } of template.resourcesOf("AWS::SES::ConfigurationSet")) {
    template.provide(logicalId, { ref: template.physicalName(logicalId) });
  }
  for (const { logicalId } of template.resourcesOf("AWS::SecretsManager::Secret")) {
    template.provide(logicalId, { ref: secretArn(template, template.physicalName(logicalId)) });
  }
  for (const { logicalId } of template.resourcesOf("AWS::Cognito::UserPoolDomain")) {
    template.provide(logicalId, { ref: lowerCaseName(template, logicalId) });
  }
}
