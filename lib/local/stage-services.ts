/** The managed services of the local stage, each started from its resources in the template. */
import { join } from "node:path";
import { startTableEngine, type TableDefinition, type TableEngine, type TableEngineOptions } from "./dynamodb/index.ts";
import { type CodeMessage, type IdentityService, readPoolSettings, startIdentity } from "./identity/index.ts";
import type { Template } from "./template.ts";

/** What all services are told. */
export interface ServiceOptions {
  readonly template: Template;
  /** 0: any free one. */
  readonly port: number;
  /** Where data is kept, a folder for each service. Absent: in memory. */
  readonly directory: string | undefined;
}

/** A name that is fine for hosts and buckets as well. */
const lowerCaseName = (template: Template, logicalId: string): string => template.physicalName(logicalId).toLowerCase();

/** DynamoDB with the template's one table. */
export async function startTable(
  { template, port, directory }: ServiceOptions,
  more: Pick<TableEngineOptions, "conflictMilliseconds" | "onCall">,
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
    ...more,
  });
  await engine.ensureTable({ ...(resource.all() as unknown as TableDefinition), TableName: tableName });
  return { engine, tableName };
}

/** Cognito with the template's user pool and web client. */
export function startUserPool(
  { template, port, directory }: ServiceOptions,
  sendCode: (message: CodeMessage) => Promise<void>,
): Promise<IdentityService> {
  const { region } = template.place;
  const poolId = `${region}_ClubLocal`;
  const clientId = "clublocalwebclient00000000";
  const pool = template.theOnly("AWS::Cognito::UserPool");
  const client = template.theOnly("AWS::Cognito::UserPoolClient");
  template.provide(client.logicalId, { ref: clientId });
  const provider = `cognito-idp.${region}.amazonaws.com/${poolId}`;
  template.provide(pool.logicalId, {
    ref: poolId,
    attributes: {
      Arn: template.arn("cognito-idp", `userpool/${poolId}`),
      ProviderName: provider,
      ProviderURL: `https://${provider}`,
    },
  });
  return startIdentity({
    port,
    directory: directory && join(directory, "identity"),
    pool: readPoolSettings(pool.all(), client.all()),
    region,
    poolId,
    clientId,
    sendCode,
  });
}

/** Names the bucket. Its address in the template is a host name; the laptop's has the bucket in the path. */
export function nameBucket(template: Template, port: number): string {
  const { logicalId } = template.theOnly("AWS::S3::Bucket");
  const name = lowerCaseName(template, logicalId);
  const host = `127.0.0.1:${port}/${name}`;
  template.provide(logicalId, {
    ref: name,
    attributes: { Arn: `arn:aws:s3:::${name}`, DomainName: host, RegionalDomainName: host },
  });
  return name;
}

/** Names what is referred to and not run: nothing on the laptop stands behind it. */
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
  for (const { logicalId } of template.resourcesOf("AWS::Cognito::UserPoolDomain")) {
    template.provide(logicalId, { ref: lowerCaseName(template, logicalId) });
  }
}
