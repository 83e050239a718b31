/** One stage of the service: which constructs there are, and which function may use what. */
import { CfnOutput, Duration, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { capabilities } from "../lambda/routes.ts";
import { addConsumers } from "./consumers.ts";
import { ClubEventBus } from "./event-bus.ts";
import { HouseFunction } from "./function.ts";
import { ClubHttpApi, type GatewayRoute } from "./http-api.ts";
import { Identity } from "./identity.ts";
import { ImageBucket } from "./image-bucket.ts";
import { Relay } from "./relay.ts";
import { validStage } from "./stage-rules.ts";
import type { StageConfig } from "./stages.ts";
import { Sweeper } from "./sweeper.ts";
import { ClubTable, transactions } from "./table.ts";
import { TicketKey } from "./ticket-key.ts";

export interface ClubStackProps extends StackProps {
  readonly stage: StageConfig;
  /** By the name of the function that answers them. */
  readonly routes?: Readonly<Record<string, readonly GatewayRoute[]>>;
}

export class ClubStack extends Stack {
  constructor(scope: Construct, id: string, { stage, routes = capabilities, ...props }: ClubStackProps) {
    super(scope, id, {
      description: `Club events and membership, ${stage.name}`,
      terminationProtection: stage.deletionProtection,
      tags: { service: "club-events", stage: stage.name },
      ...props,
    });
    validStage(stage);

    const table = new ClubTable(this, "Table", { stage });
    const identity = new Identity(this, "Identity", { stage });
    const images = new ImageBucket(this, "Images", { stage });
    const bus = new ClubEventBus(this, "Bus");
    const ticketKey = new TicketKey(this, "TicketKey", { stage });

    // Half a gigabyte: the share of a CPU that comes with it halves the cold start, and shorter runs pay for it.
    const answering = { stage, memory: 512 };
    const admins = { ADMIN_EMAIL_DOMAIN: stage.adminEmailDomain };
    const holds = {
      NEW_REGISTRATION_HOLD_MS: `${stage.holds.newRegistration}`,
      PROMOTION_HOLD_MS: `${stage.holds.promotion}`,
      ACCEPTANCE_HOLD_MS: `${stage.holds.acceptance}`,
    };

    const events = new HouseFunction(this, "Events", {
      ...answering,
      bundle: "events",
      description: "Creates, lists, changes and removes events",
      // A raised capacity moves people up from the waitlist, with the patience of a registration.
      timeout: Duration.seconds(25),
      environment: { ...admins, ...holds, TIME_ZONE: stage.timeZone },
    }).uses(table, ["GetItem", "BatchGetItem", "Query", "Query GSI1", ...transactions]);

    const registrations = new HouseFunction(this, "Registrations", {
      ...answering,
      bundle: "registrations",
      description: "Registers people for events, and gives freed seats to those who wait",
      // A contended seat is tried for 6 s, twice when the request ends on the waitlist; the gateway gives up after 30.
      timeout: Duration.seconds(25),
      environment: { ...admins, ...holds, TIME_ZONE: stage.timeZone },
    })
      .uses(table, ["GetItem", "BatchGetItem", "Query", "Query GSI1", "Query LEADERBOARD", ...transactions])
      .uses(ticketKey, ["read"]);

    const users = new HouseFunction(this, "Users", {
      ...answering,
      bundle: "users",
      description: "Account records",
      environment: admins,
    }).uses(table, ["GetItem", "Query", "PutItem", "UpdateItem", "ConditionCheckItem"]);

    const feedback = new HouseFunction(this, "Feedback", {
      ...answering,
      bundle: "feedback",
      description: "Feedback forms of events, and what people say on them",
      environment: admins,
    })
      .uses(table, ["GetItem", "Query GSI1", "PutItem"])
      .uses(ticketKey, ["read"]);

    const presigner = new HouseFunction(this, "Presigner", {
      ...answering,
      bundle: "images",
      description: "Presigns the upload of event banners",
      environment: admins,
    }).uses(images, ["PutObject"]);

    const cacheHeader = new HouseFunction(this, "CacheHeader", {
      stage,
      bundle: "cache-header",
      description: "Gives an uploaded banner its cache header",
    }).uses(images, ["GetObject", "PutObject", "ListBucket"]);
    images.afterUpload(cacheHeader);

    new Relay(this, "Relay", { stage, table, bus });
    addConsumers(this, { stage, bus, table, ticketKey, holds });
    new Sweeper(this, "Sweeper", { ...answering, environment: holds }).uses(table, [
      "GetItem",
      "BatchGetItem",
      "Query",
      ...transactions,
    ]);

    const handlers: Record<string, HouseFunction> = { events, feedback, registrations, users, images: presigner };
    const api = new ClubHttpApi(this, "Api", {
      stage,
      tokens: { issuer: identity.pool.userPoolProviderUrl, audience: identity.webClient.userPoolClientId },
      capabilities: Object.fromEntries(
        Object.entries(routes).map(([name, declared]) => {
          const handler = handlers[name];
          if (handler === undefined) throw new Error(`No function answers the routes of "${name}".`);
          return [name, { handler, routes: declared }];
        }),
      ),
    });

    const outputs = {
      ApiUrl: api.url,
      UserPoolId: identity.pool.userPoolId,
      UserPoolClientId: identity.webClient.userPoolClientId,
      SignInPageUrl: identity.signInPageUrl,
      ImageBucketName: images.bucket.bucketName,
      TableName: table.table.tableName,
      BusName: bus.bus.eventBusName,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
