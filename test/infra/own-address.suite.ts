/** A stage whose API has a domain name of its own. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { StageConfig } from "../../lib/stages.ts";
import { differences, losses } from "../../tools/delivery/losses.ts";
import { givenTemplates, ofType, type StageTemplate, stageNames, textOf, theOnly } from "./stage-templates.ts";

const domainType = "AWS::ApiGatewayV2::DomainName";
const certificateArn = "arn:aws:acm:ca-central-1:123456789012:certificate/12345678-1234-1234-1234-123456789012";

let template: StageTemplate;
beforeAll(async () => {
  const { App } = await import("aws-cdk-lib");
  const { Template } = await import("aws-cdk-lib/assertions");
  const { ClubStack } = await import("../../lib/club-stack.ts");
  const { staging } = await import("../stages.ts");
  const { featureFlags } = await import("../../lib/feature-flags.ts");
  const stage: StageConfig = { ...staging, domainName: "api.staging.club.example", certificateArn };
  // The routes are tested elsewhere.
  const stack = new ClubStack(new App({ context: featureFlags() }), "ClubEvents-staging", { stage, routes: {} });
  template = Template.fromStack(stack).toJSON() as StageTemplate;
});

describe("an API with a domain name of its own", () => {
  test("has it with the certificate, and talks TLS 1.2 at least", () => {
    expect(theOnly(template, domainType).Properties).toMatchObject({
      DomainName: "api.staging.club.example",
      DomainNameConfigurations: [
        { CertificateArn: certificateArn, EndpointType: "REGIONAL", SecurityPolicy: "TLS_1_2" },
      ],
    });
  });

  test("answers there on the same paths, and still under the address that AWS gave it", () => {
    const [[api, { Properties }]] = ofType(template, "AWS::ApiGatewayV2::Api") as [
      [string, StageTemplate["Resources"][string]],
    ];
    const [[domain]] = ofType(template, domainType) as [[string, unknown]];
    const [[stage]] = ofType(template, "AWS::ApiGatewayV2::Stage") as [[string, unknown]];
    const mapping = theOnly(template, "AWS::ApiGatewayV2::ApiMapping").Properties;
    expect(mapping).toEqual({ ApiId: { Ref: api }, DomainName: { Ref: domain }, Stage: "$default" });
    expect(theOnly(template, "AWS::ApiGatewayV2::ApiMapping")).toMatchObject({ DependsOn: [domain, stage] });
    expect(Properties.DisableExecuteApiEndpoint).toBeUndefined();
  });

  test("is known by it: output, web application, webhook; and outputs name the target of the DNS record", () => {
    const { Outputs } = template;
    const [[domain]] = ofType(template, domainType) as [[string, unknown]];
    expect(Outputs.ApiUrl?.Value).toBe("https://api.staging.club.example");
    expect(textOf(Outputs.ApiDomainTarget?.Value)).toBe(`\${${domain}.RegionalDomainName}`);
    expect(textOf(Outputs.ApiDomainZone?.Value)).toBe(`\${${domain}.RegionalHostedZoneId}`);
  });

  test("keeps its address when it is made anew; the name itself is a loss", () => {
    const renamed = (type: string) => {
      const [[id]] = ofType(template, type) as [[string, unknown]];
      const other: StageTemplate = JSON.parse(JSON.stringify(template).replaceAll(`"${id}"`, `"Other${id}"`));
      return losses(template, differences(template, other)).map(({ logicalId }) => logicalId === id);
    };
    const onlyApi = ({ Outputs, Resources }: StageTemplate): StageTemplate => ({
      Outputs,
      Resources: Object.fromEntries(Object.entries(Resources).filter(([, { Type }]) => /ApiGateway/.test(Type))),
    });
    template = onlyApi(template);
    expect(renamed("AWS::ApiGatewayV2::Api")).toEqual([]);
    expect(renamed(domainType)).toEqual([true]);
  });

  test("control: no stage has one without the setting, and its outputs name no DNS record", async () => {
    const templates = await givenTemplates();
    for (const stage of stageNames) {
      const { Outputs } = templates[stage];
      expect(ofType(templates[stage], domainType)).toEqual([]);
      expect(textOf(Outputs.ApiUrl?.Value)).toMatch(/^\$\{Api\w+\.ApiEndpoint\}$/);
      expect(Object.keys(Outputs).filter((name) => name.startsWith("ApiDomain"))).toEqual([]);
    }
  });
});
