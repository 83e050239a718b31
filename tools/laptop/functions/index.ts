/** The template's Lambda functions, each with the same environment variables as in AWS. */

import { Concurrency } from "../service-kit/concurrency.ts";
import type { Resource, Template } from "../template/index.ts";
import type { FunctionLog } from "./log.ts";
import { type FunctionDescription, FunctionRuntime } from "./runtime.ts";

export interface FunctionsOptions {
  readonly template: Template;
  /** Addresses of the local services by the service's name in `AWS_ENDPOINT_URL_<service>`, as `DYNAMODB`. */
  readonly endpoints: Readonly<Record<string, string>>;
  /**
   * Address of the payment provider, which functions read from `PAYMENTS_ENDPOINT_URL`. Absent: there is no provider.
   */
  readonly paymentsUrl?: string;
  readonly log: FunctionLog;
  readonly standIns?: StandIns;
  /** Invocations that may run at the same time, of all functions together. Absent: no limit. */
  readonly concurrency?: number | undefined;
  /** Gets what an invocation printed, with the id that its caller gave to it. */
  readonly onPrinted?: (functionName: string, invocationId: string, text: string) => void;
  /** Called after each invocation, also after one that failed. */
  readonly onInvoked?: ((functionName: string, milliseconds: number) => void) | undefined;
}

/**
 * Code that runs in place of a function, by the function's name in the stack: a test inspects the function's events
 * with it.
 */
export type StandIns = Readonly<Record<string, (event: never) => Promise<unknown>>>;

/** The running functions, by logical id. */
export interface LocalFunctions {
  readonly ids: readonly string[];
  /**
   * Calls a function and waits for its answer.
   * @throws FunctionFailed when it throws, crashes or takes too long
   * @throws Throttled when too many invocations run already
   */
  invoke(logicalId: string, event: unknown, context?: { readonly requestId?: string }): Promise<unknown>;
  /** How many invocations run at this moment. */
  running(): number;
  /** Logical id of the function with this ARN, or with the ARN inside this integration address. */
  idOf(arn: string): string | undefined;
  /** The environment variables of the function. */
  environmentOf(logicalId: string): Readonly<Record<string, string | undefined>>;
  /** The next invocation loads the bundle again. */
  restart(logicalId: string): void;
  close(): Promise<void>;
}

/** The access key of a function is this prefix and the function's logical id; services recognise the function by it. */
export const accessKeyPrefix = "LOCAL";
/** The secret of every access key. */
export const localSecret = "local";

/** Lambda's defaults: 3 seconds, 128 megabytes. */
const defaults = { timeout: 3, memory: 128 };

/** The name in the stack's code: the CDK appends a hash to logical ids. */
export const shortName = (logicalId: string): string => logicalId.replace(/[0-9A-F]{8}$/, "");

const functionArn = (template: Template, logicalId: string): string =>
  template.arn("lambda", `function:${template.physicalName(logicalId)}`);

/** Names the functions, so that other resources can refer to them. Call it before reading the template. */
export function nameFunctions(template: Template): void {
  for (const { logicalId } of template.resourcesOf("AWS::Lambda::Function")) {
    const attributes = { Arn: functionArn(template, logicalId) };
    template.provide(logicalId, { ref: template.physicalName(logicalId), attributes });
  }
  for (const { logicalId } of template.resourcesOf("AWS::Logs::LogGroup")) {
    const name = template.physicalName(logicalId);
    template.provide(logicalId, { ref: name, attributes: { Arn: template.arn("logs", `log-group:${name}:*`) } });
  }
}

/** Value of an environment variable, from the first function of the template that has it. */
export function variableOf(template: Template, name: string): string | undefined {
  const variables = template.resourcesOf("AWS::Lambda::Function").map((one) => one.get("Environment")?.Variables);
  return variables.find((one) => one?.[name] !== undefined)?.[name];
}

/** Prepares every function of the template; each starts with its first invocation. */
export function startFunctions(options: FunctionsOptions): LocalFunctions {
  const { template, log, standIns = {}, concurrency, onPrinted, onInvoked, ...addresses } = options;
  const account = new Concurrency(concurrency);
  const descriptions = new Map(
    template
      .resourcesOf("AWS::Lambda::Function")
      .map((resource) => [resource.logicalId, describe(template, resource, addresses)] as const),
  );
  const runtimes = new Map(
    [...descriptions].map(([logicalId, description]) => {
      const name = shortName(logicalId);
      const print = (line: string): void => log.write(name, line);
      const printed = (requestId: string, text: string): void => onPrinted?.(name, requestId, text);
      return [logicalId, new FunctionRuntime(description, { print, printed })] as const;
    }),
  );
  const known = <T>(map: ReadonlyMap<string, T>, logicalId: string): T => {
    const found = map.get(logicalId);
    if (!found) throw new Error(`The template has no function ${logicalId}.`);
    return found;
  };
  return {
    ids: [...descriptions.keys()],
    invoke: async (logicalId, event, context) => {
      const runtime = known(runtimes, logicalId);
      const standIn = standIns[shortName(logicalId)];
      const begun = performance.now();
      return account
        .run(() => (standIn ? standIn(structuredClone(event) as never) : runtime.invoke(event, context?.requestId)))
        .finally(() => onInvoked?.(shortName(logicalId), performance.now() - begun));
    },
    running: () => account.running,
    environmentOf: (logicalId) => known(descriptions, logicalId).environment,
    idOf: (arn) => [...descriptions.values()].find((one) => arn === one.arn || arn.includes(`${one.arn}/`))?.logicalId,
    restart: (logicalId) => known(runtimes, logicalId).restart(),
    close: async () => {
      await Promise.all([...runtimes.values()].map((runtime) => runtime.close()));
    },
  };
}

function describe(
  template: Template,
  resource: Resource<"AWS::Lambda::Function">,
  { endpoints, paymentsUrl }: Pick<FunctionsOptions, "endpoints" | "paymentsUrl">,
): FunctionDescription {
  const { logicalId } = resource;
  const { region } = template.place;
  const name = template.physicalName(logicalId);
  const folder = template.assetFolder(resource.get("Code").S3Key ?? "");
  const handler = resource.get("Handler");
  const memory = resource.get("MemorySize") ?? defaults.memory;
  const logGroup = resource.get("LoggingConfig")?.LogGroup ?? `/aws/lambda/${name}`;
  const logStream = "local/[$LATEST]";
  const environment = {
    ...resource.get("Environment")?.Variables,
    // The variables that Lambda itself sets.
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_EXECUTION_ENV: `AWS_Lambda_${resource.get("Runtime") ?? "nodejs"}`,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${memory}`,
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_FORMAT: "JSON",
    AWS_LAMBDA_LOG_GROUP_NAME: logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: logStream,
    LAMBDA_TASK_ROOT: folder,
    LANG: "en_US.UTF-8",
    TZ: ":UTC",
    _HANDLER: handler,
    AWS_ACCESS_KEY_ID: accessKeyPrefix + logicalId,
    AWS_SECRET_ACCESS_KEY: localSecret,
    ...Object.fromEntries(Object.entries(endpoints).map(([service, url]) => [`AWS_ENDPOINT_URL_${service}`, url])),
    ...(paymentsUrl !== undefined && { PAYMENTS_ENDPOINT_URL: paymentsUrl }),
  };
  return {
    logicalId,
    name,
    arn: functionArn(template, logicalId),
    folder,
    handler,
    environment,
    timeout: (resource.get("Timeout") ?? defaults.timeout) * 1_000,
    memory,
    logGroup,
    logStream,
  };
}
