/** The local stage's Secrets Manager: GetSecretValue of the template's secrets. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Authorize, allowAll } from "../service-kit/authorize.ts";
import { JsonFile } from "../service-kit/json-file.ts";
import { accessDenied, ServiceProblem, startJsonService } from "../service-kit/json-service.ts";
import { type GenerateSecretString, generateSecret } from "./generated.ts";

export type { GenerateSecretString } from "./generated.ts";

/** `AWS::SecretsManager::Secret` */
export interface SecretProperties {
  readonly SecretString?: string;
  readonly GenerateSecretString?: GenerateSecretString;
}

export interface SecretDefinition {
  readonly name: string;
  readonly arn: string;
  readonly properties: SecretProperties;
}

export interface SecretsOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** Where generated values are kept, readable by the user only. Absent: in memory. */
  readonly directory?: string;
  readonly secrets: readonly SecretDefinition[];
  /** Judges every request. Absent: every caller may do everything. */
  readonly authorize?: Authorize;
}

export interface Secrets {
  /** `http://127.0.0.1:<port>`: the endpoint of Secrets Manager's client. */
  readonly url: string;
  /**
   * @throws ServiceProblem ResourceNotFoundException when no secret has this name or ARN, or the secret has no value
   */
  valueOf(id: string): string;
  /** Resolves at once: the service does no work of its own. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

interface Secret {
  readonly definition: SecretDefinition;
  readonly value: string | undefined;
  /** Epoch seconds. */
  readonly createdAt: number;
}

/** Generated values by the secret's name. */
type Stored = Readonly<Record<string, { readonly value: string; readonly createdAt: number }>>;

const notFound = (what: string): ServiceProblem =>
  new ServiceProblem("ResourceNotFoundException", `Secrets Manager can't find the specified ${what}.`);

/** The version of a value, in the form of a UUID: equal values have equal versions. */
const versionOf = (value: string): string =>
  createHash("sha256")
    .update(value)
    .digest("hex")
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

/** Reads the values. Values that do not exist yet are generated and stored. */
async function open(secrets: readonly SecretDefinition[], file: JsonFile): Promise<Secret[]> {
  const before = (file.read() ?? {}) as Stored;
  const now = Math.floor(Date.now() / 1000);
  const opened = secrets.map((definition): Secret => {
    const { SecretString, GenerateSecretString: settings } = definition.properties;
    if (SecretString !== undefined) return { definition, value: SecretString, createdAt: now };
    const kept = before[definition.name];
    if (kept) return { definition, ...kept };
    return { definition, value: settings && generateSecret(settings), createdAt: now };
  });
  const made = opened.flatMap(({ definition, value, createdAt }) =>
    definition.properties.SecretString === undefined && value !== undefined
      ? [[definition.name, { value, createdAt }] as const]
      : [],
  );
  const stored: Stored = { ...before, ...Object.fromEntries(made) };
  if (made.some(([name]) => !Object.hasOwn(before, name))) await file.write(() => stored);
  return opened;
}

/** @throws Error when the port is taken, or the file of values cannot be read */
export async function startSecrets({
  port,
  directory,
  secrets,
  authorize = allowAll,
}: SecretsOptions): Promise<Secrets> {
  const opened = await open(secrets, new JsonFile(directory && join(directory, "secrets.json")));
  const named = (id: string) => opened.find(({ definition }) => id === definition.name || id === definition.arn);
  const find = (id: string): Secret & { readonly value: string } => {
    const found = named(id);
    if (!found) throw notFound("secret");
    const { value } = found;
    if (value === undefined) throw notFound("secret value for staging label: AWSCURRENT");
    return { ...found, value };
  };
  const service = await startJsonService({
    port,
    target: "secretsmanager",
    operations: {
      GetSecretValue: ({ SecretId, VersionStage = "AWSCURRENT", VersionId }, accessKeyId) => {
        if (typeof SecretId !== "string" || SecretId === "") {
          throw new ServiceProblem("InvalidParameterException", "You must provide a value for the SecretId parameter.");
        }
        // A secret that does not exist has no ARN: AWS then judges the name, which fits no grant for a single secret.
        const resource = named(SecretId)?.definition.arn ?? SecretId;
        const refusal = authorize(accessKeyId, "secretsmanager:GetSecretValue", resource);
        if (refusal) throw accessDenied(refusal);
        const { definition, value, createdAt } = find(SecretId);
        if (VersionStage !== "AWSCURRENT") throw notFound(`secret value for staging label: ${String(VersionStage)}`);
        const version = versionOf(value);
        if (VersionId !== undefined && VersionId !== version) {
          throw notFound(`secret value for VersionId: ${String(VersionId)}`);
        }
        return {
          ARN: definition.arn,
          CreatedDate: createdAt,
          Name: definition.name,
          SecretString: value,
          VersionId: version,
          VersionStages: ["AWSCURRENT"],
        };
      },
    },
  });
  return {
    url: service.url,
    valueOf: (id) => find(id).value,
    settled: async () => undefined,
    close: () => service.close(),
  };
}
