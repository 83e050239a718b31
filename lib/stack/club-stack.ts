/** One stage of the service: its constructs, and the functions' permissions. */
import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { capabilities } from "#api/routes.ts";
import { addApiFunctions } from "../api-functions.ts";
import { addConsumers } from "../consumers.ts";
import { ClubEventBus } from "../event-bus.ts";
import { ExistingIdentity } from "../existing-identity.ts";
import { ClubFunction } from "../function.ts";
import { ClubHttpApi, type GatewayRoute } from "../http-api.ts";
import { Identity } from "../identity.ts";
import { ImageBucket } from "../image-bucket.ts";
import { MailSender } from "../mail-sender.ts";
import { Monitoring } from "../monitoring/monitoring.ts";
import { Reconciler } from "../reconciler.ts";
import { Relay } from "../relay.ts";
import { validStage } from "../stage-rules.ts";
import type { StageConfig } from "../stages.ts";
import { StoredSecret } from "../stored-secret.ts";
import { Sweeper } from "../sweeper.ts";
import { ClubTable, transactions } from "../table.ts";
import { TicketKey } from "../ticket-key.ts";

export interface ClubStackProps extends StackProps {
  readonly stage: StageConfig;
  /**
   * Whether the stack has no protection against deletion. Otherwise a failed first deploy could not be rolled back and
   * repeated.
   */
  readonly isFirstDeploy?: boolean;
  /** The routes by capability; by default all routes of `lambda/api/routes.ts`. */
  readonly routes?: Readonly<Record<string, readonly GatewayRoute[]>>;
}

export class ClubStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { stage: configured, isFirstDeploy = false, routes = capabilities, ...props }: ClubStackProps,
  ) {
    const stage = isFirstDeploy ? { ...configured, deletionProtection: false } : configured;
    super(scope, id, {
      description: `Club events and membership, ${stage.name}`,
      terminationProtection: stage.deletionProtection,
      tags: { service: "club-events", stage: stage.name },
      ...props,
    });
    validStage(configured);

    const mailSender = new MailSender(this, "MailSender", { stage });
    const table = new ClubTable(this, "Table", { stage });
    const identity = stage.identity.existing
      ? new ExistingIdentity(this, "Identity", { stage, table, pool: stage.identity.existing })
      : new Identity(this, "Identity", {
          stage,
          table,
          configurationSet: mailSender.configurationSet,
          settings: stage.identity,
        });
    const images = new ImageBucket(this, "Images", { stage });
    const bus = new ClubEventBus(this, "Bus");
    const ticketKey = new TicketKey(this, "TicketKey", { stage });

    const holds = {
      NEW_REGISTRATION_HOLD_MS: `${stage.holds.newRegistration}`,
      PROMOTION_HOLD_MS: `${stage.holds.promotion}`,
      ACCEPTANCE_HOLD_MS: `${stage.holds.acceptance}`,
    };

    const cacheHeader = new ClubFunction(this, "CacheHeader", {
      stage,
      bundle: "cache-header",
      description: "Adds the cache header to uploaded banners, and removes those that are too large",
    }).uses(images, ["GetObject", "PutObject", "DeleteObject", "ListBucket"]);
    images.afterUpload(cacheHeader);

    const paymentsSecret = new StoredSecret(this, "PaymentsSecret", {
      variable: "PAYMENTS_SECRET",
      secretName: stage.paymentsSecret,
    });

    new Relay(this, "Relay", { stage, table, bus });
    addConsumers(this, { stage, bus, table, mailSender, ticketKey, paymentsSecret, holds });
    const sweeping = {
      ...{ ...holds, REMINDERS: JSON.stringify(stage.reminders), TIME_ZONE: stage.timeZone },
      ANSWERS_KEPT_DAYS: `${stage.answersKeptDays ?? ""}`,
    };
    new Sweeper(this, "Sweeper", { stage, memory: 512, environment: sweeping }).uses(table, [
      "GetItem",
      "BatchGetItem",
      "Query",
      "Query GSI1",
      "Query REGISTRATIONS",
      ...transactions,
    ]);

    new Reconciler(this, "Reconciler", {
      stage,
      memory: 512,
      environment: { ...holds, ADMIN_EMAIL_DOMAIN: stage.adminEmailDomain },
    })
      .uses(table, ["GetItem", "BatchGetItem", "Query", ...transactions, "ConditionCheckItem"])
      .uses(paymentsSecret, ["read"]);

    const handlers: Readonly<Record<string, ClubFunction>> = addApiFunctions(this, {
      stage,
      table,
      images,
      ticketKey,
      paymentsSecret,
      holds,
      tokens: identity.tokens,
    });
    const api = new ClubHttpApi(this, "Api", {
      stage,
      tokens: identity.tokens,
      capabilities: Object.fromEntries(
        Object.entries(routes).map(([name, declared]) => {
          const handler = handlers[name];
          if (handler === undefined) throw new Error(`No function answers the routes of "${name}".`);
          return [name, { handler, routes: declared }];
        }),
      ),
    });

    const { alarmEmail, monthlyBudget, repository } = stage;
    if (alarmEmail !== undefined && monthlyBudget !== undefined && repository !== undefined) {
      const apiFunctions = Object.values(handlers);
      new Monitoring(this, "Monitoring", { stage, alarmEmail, monthlyBudget, repository, api, apiFunctions, table });
    }

    const outputs = {
      ApiUrl: api.url,
      ...api.domainOutputs,
      ...identity.outputs,
      ImageBucketName: images.bucket.bucketName,
      Region: this.region,
      TableName: table.table.tableName,
      BusName: bus.bus.eventBusName,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
