/** Starts the managed services of the stage: all parts that do not need running functions. */
import type { Bucket } from "../bucket/index.ts";
import type { Bus } from "../bus/index.ts";
import { type Chat, startChat } from "../chat/index.ts";
import type { TableEngine } from "../dynamodb/index.ts";
import { type LocalFunctions, variableOf } from "../functions/index.ts";
import type { IdentityService } from "../identity/index.ts";
import { judgeOfAccount } from "../mailbox/account.ts";
import { codeSender } from "../mailbox/code-mail.ts";
import { type ConfigurationSets, configurationSetsOf } from "../mailbox/feedback.ts";
import { type Mailbox, startMailbox } from "../mailbox/index.ts";
import type { Judge } from "../mailbox/sending.ts";
import { type Payments, startPayments } from "../payments/server/index.ts";
import { type Queues, startQueueService } from "../queues/index.ts";
import type { Secrets } from "../secrets/index.ts";
import type { Authorize } from "../service-kit/authorize.ts";
import { type Template, TemplateProblem } from "../template/index.ts";
import { type Deliver, deliverBy, startClubBus, startClubQueues } from "./event-services.ts";
import type { LocalStageOptions } from "./interface.ts";
import { folderIn, startImages, startSecretStore, startTable, startUserPool } from "./request-services.ts";
import type { StageSetup } from "./setup.ts";

/** Name of the secret with the payment provider's keys, if the template has no other name. */
const paymentsSecret = "club-events/local/payments";

export interface StageServices {
  readonly engine: TableEngine;
  readonly tableName: string;
  readonly mailbox: Mailbox;
  readonly identity: IdentityService;
  readonly bucket: Bucket;
  readonly queues: Queues;
  /** Address of the queues' service. */
  readonly queuesUrl: string;
  readonly bus: Bus;
  readonly chat: Chat;
  readonly payments: Payments;
  readonly secrets: Secrets;
  /** Hands a payload to a queue or a function. */
  readonly deliver: Deliver;
}

/** @param functions resolves when the functions can be called; user pool, bus and schedules wait for it */
export async function startServices(setup: StageSetup, functions: Promise<LocalFunctions>): Promise<StageServices> {
  const { options, template, ports, activity, started, permissions } = setup;
  const { authorize } = permissions;

  const { engine, tableName } = await startTable(setup);
  started.add(engine);
  const configurationSets = configurationSetsOf(template);
  const mailbox = started.add(
    await startMailbox({
      port: ports.mail,
      directory: folderIn(setup, "mail"),
      judge: judgeOfMails(template, configurationSets, authorize, options),
      onTaken: (mail) => {
        for (const event of configurationSets.eventsAfter(mail, Date.now())) bus.send(event);
      },
    }),
  );
  const identity = started.add(await startUserPool(setup, codeSender(template, mailbox), triggerBy(functions)));
  const bucket = started.add(await startImages(setup, (event) => bus.send(event)));
  const queues = started.add(startClubQueues(setup));
  const { accountId } = template.place;
  const queueService = started.add(await startQueueService({ port: ports.queues, queues, accountId, authorize }));
  const deliver = deliverBy(queues, functions);
  const bus = started.add(await startClubBus(setup, queues, deliver));
  const chat = started.add(await startChat({ port: ports.chat, directory: folderIn(setup, "chat") }));
  const payments = started.add(
    await startPayments({
      port: ports.payments,
      directory: folderIn(setup, "payments"),
      activity,
      retryDelay: options.retryDelay,
    }),
  );
  const { apiKey, webhookSecret } = payments;
  const keysName = variableOf(template, "PAYMENTS_SECRET") ?? paymentsSecret;
  const webhook = variableOf(template, "CHAT_WEBHOOK_SECRET");
  const secrets = started.add(
    await startSecretStore(setup, {
      [keysName]: JSON.stringify({ apiKey, webhookSecrets: [webhookSecret] }),
      // The webhook's address is a secret, as in AWS.
      ...(webhook && { [webhook]: `${chat.url}/hook` }),
    }),
  );
  return {
    engine,
    tableName,
    mailbox,
    identity,
    bucket,
    queues,
    queuesUrl: queueService.url,
    bus,
    chat,
    payments,
    secrets,
    deliver,
  };
}

/**
 * SES authorizes a sender by permissions on its verified identity: the laptop has one for the sender's domain.
 * The configuration set needs a permission of its own. Then the account's limits apply.
 */
function judgeOfMails(
  template: Template,
  configurationSets: ConfigurationSets,
  authorize: Authorize,
  { mailAccount = {}, clock }: LocalStageOptions,
): Judge {
  const byAccount = judgeOfAccount(mailAccount, template.place.region, clock);
  return (mail) => {
    const { accessKeyId, from, fromName, configurationSet } = mail;
    const context = { "ses:FromAddress": from, ...(fromName && { "ses:FromDisplayName": fromName }) };
    const used = [
      `identity/${from.split("@")[1]}`,
      ...(configurationSet === undefined ? [] : [`configuration-set/${configurationSet}`]),
    ];
    for (const resource of used) {
      const message = authorize(accessKeyId, "ses:SendRawEmail", template.arn("ses", resource), context);
      if (message !== undefined) return { code: "AccessDenied", message, status: 403 };
    }
    if (configurationSet !== undefined && !configurationSets.has(configurationSet)) {
      // https://docs.aws.amazon.com/ses/latest/APIReference/API_SendRawEmail.html
      const message = `Configuration set <${configurationSet}> does not exist.`;
      return { code: "ConfigurationSetDoesNotExist", message };
    }
    return byAccount(mail);
  };
}

/** Addresses of the services by the name that stands in `AWS_ENDPOINT_URL_<service>`. */
export const endpointsOf = (services: StageServices): Readonly<Record<string, string>> => ({
  DYNAMODB: services.engine.url,
  S3: services.bucket.url,
  SES: services.mailbox.url,
  EVENTBRIDGE: services.bus.url,
  SQS: services.queuesUrl,
  SECRETS_MANAGER: services.secrets.url,
  COGNITO_IDENTITY_PROVIDER: services.identity.url,
});

/** Calls the trigger of the user pool. @throws TemplateProblem when the pool names no function of the template */
const triggerBy =
  (started: Promise<LocalFunctions>) =>
  async (arn: string, event: unknown): Promise<unknown> => {
    const functions = await started;
    const id = functions.idOf(arn);
    if (id === undefined) throw new TemplateProblem(`The user pool calls ${arn}, which is no function.`);
    return functions.invoke(id, event);
  };
