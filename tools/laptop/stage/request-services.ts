/**
 * Starts the managed services that answer requests of functions and clients, each from its resources in the template.
 */
import { join } from "node:path";
import type { JWK } from "jose";
import { type Bucket, type ObjectCreatedEvent, publicPrefixes, startBucket } from "../bucket/index.ts";
import { type Chat, startChat } from "../chat/index.ts";
import {
  startTableEngine,
  type TableDefinition,
  type TableEngine,
  type TableEngineOptions,
} from "../dynamodb/index.ts";
import { accessKeyPrefix, localSecret } from "../functions/index.ts";
import { type CodeMessage, type IdentityService, readPoolSettings, startIdentity } from "../identity/index.ts";
import { type Payments, type PaymentsOptions, startPayments } from "../payments/server/index.ts";
import { type Secrets, startSecrets } from "../secrets/index.ts";
import type { Authorize } from "../service-kit/authorize.ts";
import { type Template, TemplateProblem } from "../template/index.ts";

/** The options of all these services. */
export interface ServiceOptions {
  readonly template: Template;
  /** 0: any free port. */
  readonly port: number;
  /** Where data is kept, a folder for each service. Absent: in memory. */
  readonly directory: string | undefined;
  /** Authorizes the requests of functions. */
  readonly authorize: Authorize;
}

/** A name that hosts and buckets allow as well. */
const lowerCaseName = (template: Template, logicalId: string): string => template.physicalName(logicalId).toLowerCase();

/** DynamoDB with the template's one table. */
export async function startTable(
  { template, port, directory, authorize }: ServiceOptions,
  more: Pick<TableEngineOptions, "conflictMilliseconds" | "onCall" | "indexLag" | "callLatency" | "partitionLimit">,
): Promise<{ engine: TableEngine; tableName: string }> {
  const [resource] = [
    ...template.resourcesOf("AWS::DynamoDB::Table"),
    ...template.resourcesOf("AWS::DynamoDB::GlobalTable"),
  ];
  if (!resource) throw new Error("The template has no table.");
  const tableName = template.physicalName(resource.logicalId);
  const arn = template.arn("dynamodb", `table/${tableName}`);
  template.provide(resource.logicalId, {
    ref: tableName,
    attributes: { Arn: arn, StreamArn: `${arn}/stream/local`, TableId: tableName },
  });
  const { region, accountId } = template.place;
  const engine = await startTableEngine({
    port,
    directory: directory && join(directory, "table"),
    region,
    accountId,
    authorize,
    ...more,
  });
  await engine.ensureTable({ ...(resource.all() as unknown as TableDefinition), TableName: tableName });
  return { engine, tableName };
}

export interface UserPoolOptions extends ServiceOptions {
  sendCode(message: CodeMessage): Promise<void>;
  /** Calls a function by its ARN. */
  invoke(arn: string, event: unknown): Promise<unknown>;
  readonly makeKeyPair?: (() => Promise<JWK>) | undefined;
}

/**
 * Cognito with the template's user pool, its triggers and its web client.
 * @throws TemplateProblem when the pool has another trigger
 */
export async function startUserPool(options: UserPoolOptions): Promise<IdentityService> {
  const { template, port, directory, authorize, sendCode, invoke, makeKeyPair } = options;
  const { region } = template.place;
  const poolId = `${region}_ClubLocal`;
  const clientId = "clublocalwebclient00000000";
  const pool = template.theOnly("AWS::Cognito::UserPool");
  const client = template.theOnly("AWS::Cognito::UserPoolClient");
  template.provide(client.logicalId, { ref: clientId });
  const poolArn = template.arn("cognito-idp", `userpool/${poolId}`);
  const provider = `cognito-idp.${region}.amazonaws.com/${poolId}`;
  template.provide(pool.logicalId, {
    ref: poolId,
    attributes: {
      Arn: poolArn,
      ProviderName: provider,
      ProviderURL: `https://${provider}`,
    },
  });
  const { PreSignUp, CustomMessage, ...others } = (pool.all().LambdaConfig ?? {}) as Readonly<Record<string, string>>;
  const [other] = Object.keys(others);
  if (other) throw new TemplateProblem(`${pool.logicalId}: the local stage does not run the trigger ${other}.`);
  return startIdentity({
    ...(PreSignUp && { preSignUp: (event: unknown) => invoke(PreSignUp, event) }),
    ...(CustomMessage && { customMessage: (event: unknown) => invoke(CustomMessage, event) }),
    accessKeyPrefix,
    refusalOf: (accessKeyId, operation) => authorize(accessKeyId, `cognito-idp:${operation}`, poolArn),
    port,
    directory: directory && join(directory, "identity"),
    pool: readPoolSettings(pool.all(), client.all()),
    region,
    poolId,
    clientId,
    sendCode,
    makeKeyPair,
  });
}

/**
 * S3 with the template's one bucket: its CORS rules, the public permissions of its policy, and its events if they are
 * switched on.
 */
export async function startImages(
  { template, port, directory, authorize }: ServiceOptions,
  onObjectCreated: (event: ObjectCreatedEvent) => void,
): Promise<Bucket> {
  const resource = template.theOnly("AWS::S3::Bucket");
  const name = lowerCaseName(template, resource.logicalId);
  const Arn = `arn:aws:s3:::${name}`;
  // The policy needs name and ARN; the address follows below.
  template.provide(resource.logicalId, { ref: name, attributes: { Arn } });
  const { region, accountId } = template.place;
  const policies = template.resourcesOf("AWS::S3::BucketPolicy").filter((policy) => policy.get("Bucket") === name);
  const statements = policies.flatMap((policy) => policy.get("PolicyDocument").Statement);
  const bucket = await startBucket({
    port,
    directory: directory && join(directory, "images"),
    name,
    region,
    accountId,
    corsRules: resource.get("CorsConfiguration")?.CorsRules ?? [],
    publicPrefixes: publicPrefixes(statements, Arn),
    secretOf: (accessKeyId) => (accessKeyId.startsWith(accessKeyPrefix) ? localSecret : undefined),
    authorize,
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

/** The chat behind the chat webhook. The webhook's address is a secret, as in AWS. */
export function startClubChat({ port, directory }: Pick<ServiceOptions, "port" | "directory">): Promise<Chat> {
  return startChat({ port, directory: directory && join(directory, "chat") });
}

/** Name of the secret with the payment provider's keys, if the template has no other name. */
const paymentsSecret = "club-events/local/payments";

/**
 * Starts the payment provider; returns it with the secret that holds its keys.
 * @param secretName the secret's name in the functions' environment
 */
export async function startClubPayments(
  { port, directory }: Pick<ServiceOptions, "port" | "directory">,
  more: Pick<PaymentsOptions, "activity" | "retryDelay">,
  secretName = paymentsSecret,
): Promise<{ payments: Payments; keys: Readonly<Record<string, string>> }> {
  const payments = await startPayments({ port, directory: directory && join(directory, "payments"), ...more });
  const { apiKey, webhookSecret } = payments;
  return { payments, keys: { [secretName]: JSON.stringify({ apiKey, webhookSecrets: [webhookSecret] }) } };
}

/** Secrets Manager with the template's secrets, and with the secrets that an operator stores by hand in AWS. */
export function startSecretStore(
  { template, port, directory, authorize }: ServiceOptions,
  stored: Readonly<Record<string, string>>,
): Promise<Secrets> {
  const made = template.resourcesOf("AWS::SecretsManager::Secret").map((resource) => ({
    name: template.physicalName(resource.logicalId),
    arn: secretArn(template, template.physicalName(resource.logicalId)),
    properties: resource.all(),
  }));
  const known = Object.entries(stored).map(([name, SecretString]) => ({
    name,
    arn: secretArn(template, name),
    properties: { SecretString },
  }));
  return startSecrets({
    port,
    directory: directory && join(directory, "secrets"),
    secrets: [...made, ...known],
    authorize,
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
