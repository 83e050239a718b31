/** The local stage: every managed service that the template names, in this process, and the functions between them. */
import { join } from "node:path";
import { type LocalFunctions, nameFunctions, shortName, startFunctions } from "../functions/index.ts";
import { openFunctionLog } from "../functions/log.ts";
import { nameHttpApi, startHttpApi } from "../http-api/index.ts";
import { createTokenVerifier } from "../identity/index.ts";
import { codeSender } from "../mailbox/code-mail.ts";
import { startMailbox } from "../mailbox/index.ts";
import { seed, seedAccounts } from "../seed/index.ts";
import { Activity } from "../service-kit/activity.ts";
import { loadTemplate, type Template, TemplateProblem } from "../template/index.ts";
import {
  deadLettersOf,
  deliverBy,
  startClubBus,
  startClubQueues,
  startClubSchedules,
  startMappings,
} from "./event-services.ts";
import type { LocalStage, LocalStageOptions } from "./interface.ts";
import { type StageOutputs, writeOutputs } from "./outputs.ts";
import { portsFrom } from "./ports.ts";
import {
  nameOthers,
  startClubChat,
  startClubPayments,
  startImages,
  startSecretStore,
  startTable,
  startUserPool,
} from "./request-services.ts";

export type { LocalStage, LocalStageOptions } from "./interface.ts";

/** Where every local stage pretends to be. */
const place = { region: "us-west-2", accountId: "000000000000", stackName: "ClubEvents-local" };

/**
 * Starts everything on the loopback interface; resolves when requests are answered and the seed is sown.
 * @throws TemplateProblem when the template has something that the local stage does not know
 */
export async function startLocalStage(options: LocalStageOptions): Promise<LocalStage> {
  const { directory, verbose, quiet, retryDelay } = options;
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
    const { promise: functionsStarted, resolve: nowStarted } = promised<LocalFunctions>();
    const identity = running(
      await startUserPool({
        template,
        port: ports.identity,
        directory: data,
        sendCode: codeSender(template, mailbox),
        invoke: async (arn, event) => {
          const functions = await functionsStarted;
          const id = functions.idOf(arn);
          if (id === undefined) throw new TemplateProblem(`The user pool calls ${arn}, which is no function.`);
          return functions.invoke(id, event);
        },
      }),
    );
    const bucket = running(
      await startImages({ template, port: ports.images, directory: data }, (event) => bus.send(event)),
    );
    const activity = new Activity();
    const queues = running(startClubQueues({ template, directory: data }, options.visibility));
    const deliver = deliverBy(queues, functionsStarted);
    const bus = running(
      await startClubBus({ template, port: ports.bus, directory: data }, { queues, deliver, activity, retryDelay }),
    );
    const chat = running(await startClubChat({ port: ports.chat, directory: data }));
    const { payments, keys } = await startClubPayments(
      { port: ports.payments, directory: data },
      { activity, retryDelay },
      variableOf(template, "PAYMENTS_SECRET"),
    );
    running(payments);
    const webhook = variableOf(template, "CHAT_WEBHOOK_SECRET");
    const secrets = running(
      await startSecretStore(
        { template, port: ports.secrets, directory: data },
        { ...keys, ...(webhook && { [webhook]: `${chat.url}/hook` }) },
      ),
    );
    const endpoints: Readonly<Record<string, string>> = {
      DYNAMODB: engine.url,
      S3: bucket.url,
      SES: mailbox.url,
      EVENTBRIDGE: bus.url,
      SECRETS_MANAGER: secrets.url,
      COGNITO_IDENTITY_PROVIDER: identity.url,
    };
    const functions = running(
      startFunctions({ template, endpoints, paymentsUrl: payments.url, log, standIns: options.standIns }),
    );
    nowStarted(functions);
    // Before the functions that it calls are stopped; closing it again does nothing.
    running(bus);
    running(await startMappings({ template, directory: data, engine, queues, functions, activity, retryDelay }));
    const schedules = running(startClubSchedules(template, { deliver, activity }));
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

    // Before the API that it calls is stopped.
    running(payments);
    payments.deliverTo(`${api.url}/payments/webhook`);

    const adminEmailDomain = variableOf(template, "ADMIN_EMAIL_DOMAIN") ?? "";
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
      busUrl: bus.url,
      mailUrl: mailbox.url,
      chatUrl: chat.url,
      paymentsUrl: payments.url,
      webhookSecret: payments.webhookSecret,
      adminEmailDomain,
      accounts: options.seed === false ? [] : seedAccounts(adminEmailDomain),
    };
    if (directory) await writeOutputs(directory, outputs);
    const seedProblem = await seed(outputs, identity).catch((problem: Error) => problem);
    const idOf = (name: string): string => {
      const id = functions.ids.find((one) => shortName(one) === name);
      if (id === undefined) throw new Error(`There is no function ${name}.`);
      return id;
    };
    return {
      outputs,
      engine,
      identity,
      functions,
      bucket,
      mailbox,
      chat,
      payments,
      logs: log.lines,
      ...(seedProblem && { seedProblem }),
      invoke: async (name, event) => functions.invoke(idOf(name), event),
      endpoint: (service) => {
        const url = endpoints[service];
        if (url === undefined) throw new Error(`There is no service ${service}.`);
        return url;
      },
      environmentOf: (name) => functions.environmentOf(idOf(name)),
      runSchedule: (name) => schedules.runNow(name),
      deadLetters: () => deadLettersOf(template, queues),
      settled: () => activity.settled(),
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

/** What the functions that know it are told. */
function variableOf(template: Template, name: string): string | undefined {
  const variables = template.resourcesOf("AWS::Lambda::Function").map((one) => one.get("Environment")?.Variables);
  return variables.find((one) => one?.[name] !== undefined)?.[name];
}

/** A promise, and what fulfils it. */
function promised<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}
