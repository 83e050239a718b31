/** `npm run ops -- api` in AWS: the stack names the API, and the template of its last deploy has the limits. */
import {
  ApiGatewayV2Client,
  DeleteRouteSettingsCommand,
  GetStageCommand,
  UpdateStageCommand,
} from "@aws-sdk/client-apigatewayv2";
import { CloudFormationClient, GetTemplateCommand, ListStackResourcesCommand } from "@aws-sdk/client-cloudformation";
import { expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { api } from "../api.ts";
import type { Run } from "../run.ts";

const limit = (rate: number, burst: number) => ({
  DetailedMetricsEnabled: false,
  ThrottlingRateLimit: rate,
  ThrottlingBurstLimit: burst,
});
const ofStage = { DefaultRouteSettings: limit(1_000, 2_000), RouteSettings: { "GET /open": limit(300, 600) } };
const template = {
  Resources: {
    Stage: { Type: "AWS::ApiGatewayV2::Stage", Properties: { ApiId: { Ref: "Api" }, ...ofStage } },
    Open: { Type: "AWS::ApiGatewayV2::Route", Properties: { RouteKey: "GET /open" } },
    Mine: { Type: "AWS::ApiGatewayV2::Route", Properties: { RouteKey: "GET /mine" } },
  },
};

test("`open` sends what differs, without the settings of WebSocket APIs, and deletes what the template lacks", async () => {
  const stack = mockClient(CloudFormationClient);
  stack.on(ListStackResourcesCommand, { NextToken: undefined }).resolves({ NextToken: "more" });
  stack.on(ListStackResourcesCommand, { NextToken: "more" }).resolves({
    StackResourceSummaries: [
      { ResourceType: "AWS::ApiGatewayV2::Api", LogicalResourceId: "Api1", PhysicalResourceId: "abc" } as never,
    ],
  });
  stack.on(GetTemplateCommand).resolves({ TemplateBody: JSON.stringify(template) });
  const gateway = mockClient(ApiGatewayV2Client);
  gateway.on(GetStageCommand).resolves({
    DefaultRouteSettings: { ...limit(0, 0), LoggingLevel: "OFF", DataTraceEnabled: false },
    RouteSettings: { "GET /open": limit(300, 600), "GET /mine": limit(5, 5) },
  });
  const run = {
    target: { isLaptop: false, region: "ca-central-1", stackName: "ClubEvents-production" },
    terminal: { print: () => undefined, note: () => undefined },
    words: ["open"],
    isApplied: true,
  };
  expect(await api(run as unknown as Run)).toBe(0);
  const stage = { ApiId: "abc", StageName: "$default" };
  const inputs = (command: Parameters<typeof gateway.commandCalls>[0]) =>
    gateway.commandCalls(command).map(({ args: [{ input }] }) => input);
  expect(inputs(DeleteRouteSettingsCommand)).toEqual([{ ...stage, RouteKey: "GET /mine" }]);
  expect(inputs(UpdateStageCommand)).toEqual([
    { ...stage, DefaultRouteSettings: ofStage.DefaultRouteSettings, RouteSettings: {} },
  ]);
  expect(stack.commandCalls(GetTemplateCommand)[0]?.args[0].input).toEqual({ StackName: "ClubEvents-production" });
});
