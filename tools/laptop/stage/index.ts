/** The local stage: all managed services of the template, and the functions, in one process. */
import { join } from "node:path";
import { accessKeyPrefix, type LocalFunctions, nameFunctions, shortName, variableOf } from "../functions/index.ts";
import { openFunctionLog } from "../functions/log.ts";
import { apiId, nameHttpApi } from "../http-api/index.ts";
import { RecentRequests } from "../http-api/recent-requests.ts";
import { nameRoles, permissionsOf } from "../iam/index.ts";
import type { Schedules } from "../schedules/index.ts";
import { takeOver } from "../seed/copy.ts";
import { seed, seedAccounts } from "../seed/index.ts";
import { Activity } from "../service-kit/activity.ts";
import { Disorder } from "../service-kit/disorder.ts";
import { type StageOutputs, writeOutputs } from "../service-kit/outputs.ts";
import { loadTemplate, templateFile } from "../template/index.ts";
import { deadLettersOf, queueNamed, redrive, ruleStatesOf } from "./event-services.ts";
import { startGateway } from "./gateway.ts";
import type { LocalStage, LocalStageOptions } from "./interface.ts";
import { portsFrom } from "./ports.ts";
import { nameOthers } from "./request-services.ts";
import { endpointsOf, type StageServices, startServices } from "./services.ts";
import type { StageSetup } from "./setup.ts";
import { Started } from "./started.ts";
import { startStageFunctions, startTriggers } from "./triggers.ts";

export type { LocalStage, LocalStageOptions } from "./interface.ts";

/** The region, account and stack that every local stage pretends to be. */
const place = { region: "us-west-2", accountId: "000000000000", stackName: "ClubEvents-local" };

/**
 * Starts all parts on the loopback interface. Resolves when requests are answered and the seed is created. When a part
 * fails to start, the parts before it are stopped.
 * @throws TemplateProblem when the template has something that the local stage does not support; SeedFailed
 */
export async function startLocalStage(options: LocalStageOptions): Promise<LocalStage> {
  const started = new Started();
  try {
    const setup = await prepare(options, started);
    const functionsStarted = promised<LocalFunctions>();
    const services = await startServices(setup, functionsStarted.promise);
    const functions = startStageFunctions(setup, services);
    functionsStarted.resolve(functions);
    if (options.copy) await takeOver(options.copy, services, ticketKeySecretOf(setup));
    const schedules = await startTriggers(setup, services, functions);
    const adminEmailDomain = variableOf(setup.template, "ADMIN_EMAIL_DOMAIN") ?? "";
    const accounts = options.seed === false ? [] : seedAccounts(adminEmailDomain);
    const api = await startGateway(setup, services, functions, accounts);

    const outputs: StageOutputs = {
      ...outputsOf(services),
      apiUrl: api.url,
      pagesUrl: api.url.replace("127.0.0.1", "localhost"),
      apiId,
      gatewayUrl: api.managementUrl,
      templateFile: templateFile(options.assembly, place),
      region: place.region,
      busName: variableOf(setup.template, "BUS_NAME") ?? "",
      adminEmailDomain,
      membershipPrice: variableOf(setup.template, "MEMBERSHIP_PRICE") ?? "",
      currency: variableOf(setup.template, "CURRENCY") ?? "",
      ticketKeySecret: ticketKeySecretOf(setup),
      accounts,
    };
    if (options.directory) await writeOutputs(options.directory, outputs);
    await seed(outputs, services.identity);
    // Drops the seed's own requests.
    setup.requests.clear();
    return stageOf(setup, outputs, { services, functions, schedules });
  } catch (problem) {
    await started.close();
    throw problem;
  }
}

/** Reads the template and gives a name to every resource that others refer to. */
async function prepare(options: LocalStageOptions, started: Started): Promise<StageSetup> {
  const { directory, verbose, quiet } = options;
  const template = await loadTemplate(options.assembly, place);
  const log = started.add(openFunctionLog({ directory: directory && join(directory, "logs"), verbose, quiet }));
  nameFunctions(template);
  nameHttpApi(template);
  nameOthers(template);
  nameRoles(template);
  const permissions = permissionsOf({
    template,
    accessKeyPrefix,
    onRefused: (id, sentence) => log.remark(shortName(id), JSON.stringify({ level: "ERROR", message: sentence })),
    ...(options.withheld && { keeps: (id, request) => !options.withheld?.(shortName(id), request) }),
  });
  return {
    options,
    template,
    ports: portsFrom(options.port ?? 4000),
    data: options.memory ? undefined : directory,
    log,
    requests: new RecentRequests(),
    permissions,
    ruleStates: ruleStatesOf(template),
    activity: new Activity(),
    disorder: options.disorder === undefined ? undefined : new Disorder(options.disorder),
    started,
  };
}

interface RunningParts {
  readonly services: StageServices;
  readonly functions: LocalFunctions;
  readonly schedules: Schedules;
}

/** The stage as its users see it. */
function stageOf(
  { template, log, activity, permissions, started }: StageSetup,
  outputs: StageOutputs,
  { services, functions, schedules }: RunningParts,
): LocalStage {
  const { engine, identity, bucket, mailbox, chat, payments, queues } = services;
  const endpoints = endpointsOf(services);
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
    invoke: async (name, event) => functions.invoke(idOf(name), event),
    endpoint: (service) => {
      const url = endpoints[service];
      if (url === undefined) throw new Error(`There is no service ${service}.`);
      return url;
    },
    environmentOf: (name) => functions.environmentOf(idOf(name)),
    rights: () =>
      permissions.rights().map(({ functionId, ...right }) => ({ functionName: shortName(functionId), ...right })),
    restart: (name) => functions.restart(idOf(name)),
    runSchedule: (name) => schedules.runNow(name),
    deadLetters: () => deadLettersOf(template, queues),
    giveUp: (queue, body) => void queueNamed(template, queues, queue).send(body),
    redrive: (queue) => redrive(template, queues, queue),
    settled: () => activity.settled(),
    close: () => started.close(),
  };
}

const ticketKeySecretOf = ({ template }: StageSetup): string => variableOf(template, "TICKET_KEY_SECRET") ?? "";

/** A promise with the function that fulfils it. */
function promised<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

/** The outputs that the services themselves know. */
const outputsOf = (services: StageServices) => ({
  userPoolId: services.identity.poolId,
  userPoolClientId: services.identity.clientId,
  identityUrl: services.identity.url,
  dynamodbUrl: services.engine.url,
  tableName: services.tableName,
  imagesUrl: services.bucket.url,
  imageBucket: services.bucket.name,
  busUrl: services.bus.url,
  queuesUrl: services.queuesUrl,
  mailUrl: services.mailbox.url,
  chatUrl: services.chat.url,
  secretsUrl: services.secrets.url,
  paymentsUrl: services.payments.url,
  webhookSecret: services.payments.webhookSecret,
});
