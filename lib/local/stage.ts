/** The local stage: every managed service that the template names, in this process, and the functions between them. */
import { join } from "node:path";
import type { Bucket } from "./bucket/index.ts";
import { codeSender } from "./code-mail.ts";
import type { TableEngine, TableEngineOptions } from "./dynamodb/index.ts";
import { createEventRules } from "./event-rules.ts";
import { type FunctionLog, openFunctionLog } from "./function-log.ts";
import { type LocalFunctions, nameFunctions, shortName, startFunctions } from "./functions.ts";
import { nameHttpApi, startHttpApi } from "./http-api/index.ts";
import { createTokenVerifier, type IdentityService } from "./identity/index.ts";
import { type Mailbox, startMailbox } from "./mailbox.ts";
import { type StageOutputs, writeOutputs } from "./outputs.ts";
import { portsFrom } from "./ports.ts";
import { seed, seedAccounts } from "./seed.ts";
import { nameOthers, startImages, startTable, startUserPool } from "./stage-services.ts";
import { loadTemplate, type Template } from "./template.ts";

export interface LocalStageOptions {
  /** Folder that the local stage was synthesized into. */
  readonly assembly: string;
  /** Of the API; the other services take the ports after it. 4000 when absent, 0: any free ones. */
  readonly port?: number;
  /** Where data, logs and `outputs.json` go. Absent: nothing is written to disk. */
  readonly directory?: string;
  /** Keep no data, even where there is a directory. */
  readonly memory?: boolean;
  /** Whether to create the accounts and events to begin with. True when absent. */
  readonly seed?: boolean;
  /** Whether overlapping writes are refused as in AWS, or for how many milliseconds a write occupies its items. */
  readonly conflicts?: boolean | number;
  /** Hears of every request to the table. */
  readonly onTableCall?: TableEngineOptions["onCall"];
  /** Print everything that functions log. */
  readonly verbose?: boolean;
  /** Print not even errors of functions. */
  readonly quiet?: boolean;
}

export interface LocalStage {
  readonly outputs: StageOutputs;
  readonly engine: TableEngine;
  readonly identity: IdentityService;
  readonly functions: LocalFunctions;
  readonly bucket: Bucket;
  readonly mailbox: Mailbox;
  /** Lines that functions printed, where they go to no directory. */
  readonly logs: FunctionLog["lines"];
  /** Why seeding broke off, if it did. */
  readonly seedProblem?: Error;
  /** Calls a function by the name that it has in the stack, as `Events`. */
  invoke(functionName: string, event: unknown): Promise<unknown>;
  /** Resolves when nothing that was set off by an event is still running. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Where every local stage pretends to be. */
const place = { region: "us-west-2", accountId: "000000000000", stackName: "ClubEvents-local" };

/**
 * Starts everything on the loopback interface; resolves when requests are answered and the seed is sown.
 * @throws TemplateProblem when the template has something that the local stage does not know
 */
export async function startLocalStage(options: LocalStageOptions): Promise<LocalStage> {
  const { directory, verbose, quiet } = options;
  const template = await loadTemplate(options.assembly, place);
  const ports = portsFrom(options.port ?? 4000);
  const data = options.memory ? undefined : directory;

  // What has been started, to be stopped in the opposite order, also when a later one does not start.
  const started: (() => Promise<unknown>)[] = [];
  const running = <T extends { close(): Promise<unknown> }>(service: T): T => {
    started.push(() => service.close());
    return service;
  };
  const close = async (): Promise<void> => {
    for (const stop of started.splice(0).reverse()) await stop();
  };

  try {
    const log = running(openFunctionLog({ directory: directory && join(directory, "logs"), verbose, quiet }));
    nameFunctions(template);
    nameHttpApi(template);
    nameOthers(template);

    const { engine, tableName } = await startTable(
      { template, port: ports.dynamodb, directory: data },
      { conflictMilliseconds: conflictTime(options.conflicts), onCall: options.onTableCall },
    );
    running(engine);
    const mailbox = running(await startMailbox({ port: ports.mail, directory: data && join(data, "mail") }));
    const identity = running(
      await startUserPool({ template, port: ports.identity, directory: data }, codeSender(template, mailbox)),
    );
    const bucket = running(
      await startImages({ template, port: ports.images, directory: data }, (event) => rules.send(event)),
    );
    const endpoints = { DYNAMODB: engine.url, S3: bucket.url };
    const functions = running(startFunctions({ template, endpoints, log }));
    const rules = createEventRules({ template, functions });
    started.push(rules.settled);
    const api = running(
      await startHttpApi({
        port: ports.api,
        template,
        functions,
        verifier: ({ Issuer, Audience }) => {
          if (Issuer !== identity.issuer) throw new Error(`Nothing local issues tokens as ${Issuer}.`);
          return createTokenVerifier({ issuer: Issuer, audience: Audience, jwks: identity.jwks });
        },
        accessLog: (line) => log.write("access", line),
      }),
    );

    const adminEmailDomain = adminDomain(template);
    const outputs: StageOutputs = {
      apiUrl: api.url,
      region: place.region,
      userPoolId: identity.poolId,
      userPoolClientId: identity.clientId,
      identityUrl: identity.url,
      dynamodbUrl: engine.url,
      tableName,
      imagesUrl: bucket.url,
      imageBucket: bucket.name,
      mailUrl: mailbox.url,
      adminEmailDomain,
      accounts: options.seed === false ? [] : seedAccounts(adminEmailDomain),
    };
    if (directory) await writeOutputs(directory, outputs);
    const seedProblem = await seed(outputs, identity).catch((problem: Error) => problem);
    return {
      outputs,
      engine,
      identity,
      functions,
      bucket,
      mailbox,
      logs: log.lines,
      ...(seedProblem && { seedProblem }),
      invoke: (name, event) => {
        const id = functions.ids.find((one) => shortName(one) === name);
        return id ? functions.invoke(id, event) : Promise.reject(new Error(`There is no function ${name}.`));
      },
      settled: rules.settled,
      close,
    };
  } catch (problem) {
    await close();
    throw problem;
  }
}

/** Milliseconds that a write occupies its items. */
const conflictTime = (conflicts: boolean | number = true): number | undefined =>
  typeof conflicts === "number" ? conflicts : conflicts ? undefined : 0;

/** The functions know it from their environment; so does everybody else. */
function adminDomain(template: Template): string {
  const variables = template.resourcesOf("AWS::Lambda::Function").map((one) => one.get("Environment")?.Variables);
  return variables.find((one) => one?.ADMIN_EMAIL_DOMAIN !== undefined)?.ADMIN_EMAIL_DOMAIN ?? "";
}
