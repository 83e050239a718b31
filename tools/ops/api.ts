/** `api <close | limit | open> [<route>]`: the limits of the stage's API (docs/runbook.md, "API throttled"). */
import {
  ApiGatewayV2Client,
  DeleteRouteSettingsCommand,
  GetStageCommand,
  type RouteSettings,
  UpdateStageCommand,
} from "@aws-sdk/client-apigatewayv2";
import { UsageError } from "../kit/outputs.ts";
import { type Change, changeBetween, isWish, type Limit, type Limits, linesOf, wanted } from "./limits.ts";
import type { Run } from "./run.ts";
import { deployedResources, nameOf } from "./stack.ts";
import type { Target } from "./target.ts";
import type { ExitCode } from "./terminal.ts";

const StageName = "$default";

/** AWS's own limits of an account: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const ofAccount = { ThrottlingRateLimit: 10_000, ThrottlingBurstLimit: 5_000 };

/** Only what HTTP APIs have: UpdateStage refuses the rest (https://github.com/hashicorp/terraform-provider-aws/issues/12893). */
const limitOf = ({
  DetailedMetricsEnabled = false,
  ThrottlingRateLimit = ofAccount.ThrottlingRateLimit,
  ThrottlingBurstLimit = ofAccount.ThrottlingBurstLimit,
}: RouteSettings): Limit => ({ DetailedMetricsEnabled, ThrottlingRateLimit, ThrottlingBurstLimit });

interface StageSettings {
  readonly DefaultRouteSettings?: RouteSettings | undefined;
  readonly RouteSettings?: Readonly<Record<string, RouteSettings>> | undefined;
}

const limitsOf = ({ DefaultRouteSettings = {}, RouteSettings: routes = {} }: StageSettings): Limits => ({
  others: limitOf(DefaultRouteSettings),
  routes: Object.fromEntries(Object.entries(routes).map(([key, settings]) => [key, limitOf(settings)])),
});

/** The limits in the template, and the keys of all routes. */
async function deployed(target: Target): Promise<{ readonly template: Limits; readonly routeKeys: readonly string[] }> {
  const [stage = {}] = await deployedResources(target, "AWS::ApiGatewayV2::Stage");
  const routes = await deployedResources(target, "AWS::ApiGatewayV2::Route");
  return { template: limitsOf(stage), routeKeys: routes.map(({ RouteKey }) => String(RouteKey)) };
}

async function apply(client: ApiGatewayV2Client, ApiId: string, { others, routes, removed }: Change): Promise<void> {
  for (const RouteKey of removed) await client.send(new DeleteRouteSettingsCommand({ ApiId, StageName, RouteKey }));
  const DefaultRouteSettings = others;
  await client.send(new UpdateStageCommand({ ApiId, StageName, DefaultRouteSettings, RouteSettings: { ...routes } }));
}

/** @throws UsageError */
export async function api({ target, terminal, words, isApplied }: Run): Promise<ExitCode> {
  const [wish = "", route] = words;
  if (!isWish(wish)) throw new UsageError(`${wish} is none of close, limit and open.`);
  const { template, routeKeys } = await deployed(target);
  if (route !== undefined && !routeKeys.includes(route)) {
    throw new UsageError(`There is no route "${route}". There are:\n${[...routeKeys].sort().join("\n")}`);
  }
  const { isLaptop, text, region } = target;
  const ApiId = isLaptop ? text("apiId") : await nameOf(target, "AWS::ApiGatewayV2::Api", "");
  const client = new ApiGatewayV2Client({ region });
  const read = async () => limitsOf(await client.send(new GetStageCommand({ ApiId, StageName })));
  const now = await read();
  const change = changeBetween(now, wanted(wish, { now, template, route }));
  const after = wanted(wish, { now, template, route });
  if (change && isApplied) await apply(client, ApiId, change);
  for (const line of linesOf(now, change && isApplied ? await read() : after)) terminal.print(line);
  if (!change) terminal.print("Nothing has to change.");
  else if (!isApplied) terminal.print("Nothing is changed. To change it, add --apply.");
  return change && !isApplied ? 1 : 0;
}
