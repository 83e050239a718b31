/** One stage of the service: its constructs, and the functions' permissions. */
import { CfnOutput, Lazy, Stack, type StackProps } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { capabilities } from "#api/routes.ts";
import { otherFunctions, consumers as ownConsumers } from "#consumers/functions.ts";
import { addApiFunctions } from "../api-functions.ts";
import { addConsumers, type Consumers } from "../consumers.ts";
import { ClubEventBus } from "../event-bus.ts";
import { ExistingIdentity } from "../existing-identity.ts";
import { ClubFunction } from "../function.ts";
import { ClubHttpApi, type GatewayRoute } from "../http-api.ts";
import { Identity } from "../identity.ts";
import { Monitoring } from "../monitoring/monitoring.ts";
import { pageAssets } from "../page-assets.ts";
import { Pages, pageSettings } from "../pages.ts";
import { Reconciler } from "../reconciler.ts";
import { Relay } from "../relay.ts";
import { addResources, letUse, propsOf } from "../resources.ts";
import { validStage } from "../stage-rules.ts";
import type { StageConfig } from "../stages.ts";
import { Sweeper } from "../sweeper.ts";

export interface ClubStackProps extends StackProps {
  readonly stage: StageConfig;
  /**
   * Whether the stack has no protection against deletion. Otherwise a failed first deploy could not be rolled back and
   * repeated.
   */
  readonly isFirstDeploy?: boolean;
  /** The routes by capability; by default all routes of `lambda/api/routes.ts`. */
  readonly routes?: Readonly<Record<string, readonly GatewayRoute[]>>;
  /** By default those of `lambda/consumers/functions.ts`. */
  readonly consumers?: Consumers;
}

export class ClubStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    {
      stage: configured,
      isFirstDeploy = false,
      routes = capabilities,
      consumers = Object.entries(ownConsumers),
      ...props
    }: ClubStackProps,
  ) {
    const stage = isFirstDeploy ? { ...configured, deletionProtection: false } : configured;
    super(scope, id, {
      description: `Club events and membership, ${stage.name}`,
      terminationProtection: stage.deletionProtection,
      tags: { service: "club-events", stage: stage.name },
      ...props,
    });
    validStage(configured);

    const hosted = stage.pages === "elsewhere" ? undefined : stage.pages;
    // CloudFront stands in front of the API, whose functions are told its address.
    let pages: Pages | undefined;
    const pagesUrl = hosted && (hosted.laptopUrl ?? Lazy.string({ produce: () => pages?.url }));
    const resources = addResources(this, stage, pagesUrl);
    const { existing } = stage.identity;
    const identity = existing
      ? new ExistingIdentity(this, "Identity", resources, existing)
      : new Identity(this, "Identity", resources, stage.identity);
    const bus = new ClubEventBus(this, "Bus");

    const declared = otherFunctions["cache-header"];
    const cacheHeader = new ClubFunction(this, "CacheHeader", propsOf("cache-header", declared, resources));
    resources.images.afterUpload(letUse(cacheHeader, declared, resources));
    new Relay(this, "Relay", resources, bus);
    addConsumers(this, resources, bus, consumers);
    new Sweeper(this, "Sweeper", resources);
    new Reconciler(this, "Reconciler", resources);

    const settings = hosted && pageSettings(stage, hosted, identity, resources.images);
    const told = { settings, assets: pageAssets().pages, url: pagesUrl };
    const handlers = addApiFunctions(
      this,
      { ...resources, settings: { ...resources.settings, PAGES: settings && JSON.stringify(told) } },
      routes,
      identity.tokens,
    );
    const api = new ClubHttpApi(this, "Api", {
      stage,
      tokens: identity.tokens,
      capabilities: Object.fromEntries(
        Object.entries(routes).flatMap(([name, declared]) => {
          if (name === "pages" && !hosted) return [];
          const handler = handlers[name];
          if (handler === undefined) throw new Error(`No function answers the routes of "${name}".`);
          return [[name, { handler, routes: declared }]];
        }),
      ),
    });

    if (hosted && settings && hosted.laptopUrl === undefined) {
      pages = new Pages(this, "Hosting", { stage, hosted, api: api.api, images: resources.images });
      const assets = pages.publish(settings);
      // A document names assets that are there.
      handlers.pages?.node.addDependency(assets);
    }

    const { alarmEmail, monthlyBudget, repository } = stage;
    if (alarmEmail !== undefined && monthlyBudget !== undefined && repository !== undefined) {
      const apiFunctions = Object.values(handlers);
      const { table } = resources;
      new Monitoring(this, "Monitoring", { stage, alarmEmail, monthlyBudget, repository, api, apiFunctions, table });
    }

    const outputs = {
      ApiUrl: api.url,
      ...api.domainOutputs,
      ...pages?.outputs,
      ...identity.outputs,
      ImageBucketName: resources.images.bucket.bucketName,
      Region: this.region,
      TableName: resources.table.table.tableName,
      BusName: bus.bus.eventBusName,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }
}
