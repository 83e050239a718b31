/** The local stage's Secrets Manager: GetSecretValue and PutSecretValue of the stage's secrets. */
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
  /** Authorizes every request. Absent: every caller may do everything. */
  readonly authorize?: Authorize;
}

export interface Secrets {
  /** `http://127.0.0.1:<port>`: the endpoint of Secrets Manager's client. */
  readonly url: string;
  /**
   * @throws ServiceProblem ResourceNotFoundException when no secret has this name or ARN, or the secret has no value
   */
  valueOf(id: string): string;
  /** Gives a secret a new value. @throws ServiceProblem ResourceNotFoundException when no secret has this name or ARN */
  put(id: string, value: string): void;
  close(): Promise<void>;
}

/** A value of a secret. */
interface Value {
  readonly value: string;
  /** Epoch seconds. */
  readonly createdAt: number;
}

/** A secret, and its current value. */
interface Secret {
  readonly definition: SecretDefinition;
  readonly current?: Value;
}

/** Generated values and those that were put, by the secret's name. A value that was put wins over the template's. */
type Stored = Readonly<Record<string, Value & { readonly isPut?: boolean }>>;

const notFound = (what: string): ServiceProblem =>
  new ServiceProblem("ResourceNotFoundException", `Secrets Manager can't find the specified ${what}.`);

/** The secret and the version of its value, as answers name them: equal values have equal versions. */
const versionOf = ({ arn, name }: SecretDefinition, value: string) => {
  const hash = createHash("sha256").update(value).digest("hex").slice(0, 32);
  const VersionId = hash.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  return { ARN: arn, Name: name, VersionId, VersionStages: ["AWSCURRENT"] };
};

const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/** Reads the values. Values that do not exist yet are generated and stored. */
function open(secrets: readonly SecretDefinition[], file: JsonFile): { opened: Secret[]; stored: Stored } {
  const before = (file.read() ?? {}) as Stored;
  const createdAt = nowInSeconds();
  const opened = secrets.map((definition): Secret => {
    const { SecretString, GenerateSecretString: settings } = definition.properties;
    const kept = before[definition.name];
    if (kept?.isPut) return { definition, current: kept };
    if (SecretString !== undefined) return { definition, current: { value: SecretString, createdAt } };
    if (kept) return { definition, current: kept };
    return settings ? { definition, current: { value: generateSecret(settings), createdAt } } : { definition };
  });
  const made = opened.flatMap(({ definition, current }) =>
    definition.properties.SecretString === undefined && current ? [[definition.name, current] as const] : [],
  );
  const stored: Stored = { ...before, ...Object.fromEntries(made) };
  if (made.some(([name]) => !Object.hasOwn(before, name))) file.write(() => stored);
  return { opened, stored };
}

/** @throws ServiceProblem InvalidParameterException */
function secretId(id: unknown): string {
  if (typeof id === "string" && id !== "") return id;
  throw new ServiceProblem("InvalidParameterException", "You must provide a value for the SecretId parameter.");
}

/** @throws Error when the port is taken, or the file of values cannot be read */
export async function startSecrets({
  port,
  directory,
  secrets,
  authorize = allowAll,
}: SecretsOptions): Promise<Secrets> {
  const file = new JsonFile(directory && join(directory, "secrets.json"));
  let { opened, stored } = open(secrets, file);
  const named = (id: string) => opened.find(({ definition }) => id === definition.name || id === definition.arn);
  const find = (id: string): Secret => {
    const found = named(id);
    if (!found) throw notFound("secret");
    return found;
  };
  /** @throws ServiceProblem */
  function allow(accessKeyId: string, action: string, id: string): void {
    // A secret that does not exist has no ARN: AWS then checks the name, which matches no grant for a single secret.
    const refusal = authorize(accessKeyId, `secretsmanager:${action}`, named(id)?.definition.arn ?? id);
    if (refusal) throw accessDenied(refusal);
  }
  const currentOf = (id: string): Value => {
    const { current } = find(id);
    if (!current) throw notFound("secret value for staging label: AWSCURRENT");
    return current;
  };
  function put(id: string, text: string): void {
    const { definition } = find(id);
    const value = { value: text, createdAt: nowInSeconds() };
    opened = opened.map((one) => (one.definition === definition ? { definition, current: value } : one));
    stored = { ...stored, [definition.name]: { ...value, isPut: true } };
    file.write(() => stored);
  }
  const service = await startJsonService({
    port,
    target: "secretsmanager",
    operations: {
      GetSecretValue: ({ SecretId, VersionStage = "AWSCURRENT", VersionId }, accessKeyId) => {
        const id = secretId(SecretId);
        allow(accessKeyId, "GetSecretValue", id);
        const { definition } = find(id);
        if (VersionStage !== "AWSCURRENT" || VersionId !== undefined) {
          throw new ServiceProblem("InvalidParameterException", "The local stage has no earlier versions of secrets.");
        }
        const { value, createdAt } = currentOf(id);
        return { ...versionOf(definition, value), CreatedDate: createdAt, SecretString: value };
      },
      PutSecretValue: ({ SecretId, SecretString }, accessKeyId) => {
        const id = secretId(SecretId);
        allow(accessKeyId, "PutSecretValue", id);
        const { definition } = find(id);
        if (typeof SecretString !== "string" || SecretString === "") {
          throw new ServiceProblem("InvalidRequestException", "You must provide either SecretString or SecretBinary.");
        }
        put(id, SecretString);
        return versionOf(definition, SecretString);
      },
    },
  });
  return {
    url: service.url,
    valueOf: (id) => currentOf(id).value,
    put,
    close: () => service.close(),
  };
}
