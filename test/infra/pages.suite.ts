/** The hosted pages: who may read the files, what is kept at the edge, and what a deploy does first. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { ClubStack } from "../../lib/stack/club-stack.ts";
import type { StageConfig } from "../../lib/stages.ts";
import { production } from "../stages.ts";
import { givenTemplates, ofType, type StageTemplate, textOf, theOnly } from "./stage-templates.ts";

let template: StageTemplate;
beforeAll(async () => {
  template = (await givenTemplates()).production;
});

const configOf = (given: StageTemplate) =>
  theOnly(given, "AWS::CloudFront::Distribution").Properties.DistributionConfig;
const id = (type: string, begins = ""): string =>
  ofType(template, type).find(([name]) => name.startsWith(begins))?.[0] ?? `no ${type} ${begins}`;

test("only this distribution reads the files, and nothing opens the bucket", () => {
  const bucket = id("AWS::S3::Bucket", "Hosting");
  expect(template.Resources[bucket]?.Properties.PublicAccessBlockConfiguration).toEqual(
    Object.fromEntries(
      ["BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"].map((name) => [name, true]),
    ),
  );
  const { PolicyDocument } = template.Resources[id("AWS::S3::BucketPolicy", "Hosting")]?.Properties ?? {};
  const allowed = PolicyDocument.Statement.filter(({ Effect }: { Effect: string }) => Effect === "Allow");
  expect(allowed.flatMap(({ Action }: { Action: unknown }) => Action)).toEqual(["s3:GetObject", "s3:ListBucket"]);
  for (const { Principal, Condition } of allowed) {
    expect(Principal).toEqual({ Service: "cloudfront.amazonaws.com" });
    expect(textOf(Condition.StringEquals["AWS:SourceArn"])).toContain(`\${${id("AWS::CloudFront::Distribution")}}`);
  }
  // Who may list would list at "/".
  expect(configOf(template).DefaultRootObject).toBe("index.html");
});

describe("at the edge", () => {
  /** The managed policies. https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/using-managed-cache-policies.html */
  const [disabled, allButHost] = ["4135ea2d-6df8-44a3-9df3-4b5a84be39ad", "b689b0a8-53d0-40ab-baf2-68738e2966ac"];

  test("answers of the API are not kept, and get the token; no error is kept for other people", () => {
    const { CacheBehaviors, CustomErrorResponses } = configOf(template);
    const api = CacheBehaviors.find(({ PathPattern }: { PathPattern: string }) => PathPattern === "/api/*");
    expect(api).toMatchObject({ CachePolicyId: disabled, OriginRequestPolicyId: allButHost });
    expect(api.AllowedMethods).toHaveLength(7);
    expect(CustomErrorResponses.map(({ ErrorCode }: { ErrorCode: number }) => ErrorCode)).toEqual(
      expect.arrayContaining([404, 500, 502, 503, 504]),
    );
    for (const { ErrorCachingMinTTL } of CustomErrorResponses) expect(ErrorCachingMinTTL).toBe(0);
  });

  test("every answer has the headers, and comes over TLS", () => {
    const { CacheBehaviors, DefaultCacheBehavior } = configOf(template);
    for (const { ResponseHeadersPolicyId, FunctionAssociations, ViewerProtocolPolicy } of [
      DefaultCacheBehavior,
      ...CacheBehaviors,
    ]) {
      const { SecurityHeadersConfig } =
        template.Resources[ResponseHeadersPolicyId.Ref]?.Properties.ResponseHeadersPolicyConfig ?? {};
      expect(SecurityHeadersConfig).toMatchObject({
        ContentTypeOptions: { Override: true },
        FrameOptions: { FrameOption: "DENY" },
        ReferrerPolicy: { ReferrerPolicy: "no-referrer" },
        StrictTransportSecurity: { AccessControlMaxAgeSec: 63_072_000 },
      });
      const policy = textOf(SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy);
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'/);
      expect(FunctionAssociations).toHaveLength(1);
      expect(["https-only", "redirect-to-https"]).toContain(ViewerProtocolPolicy);
    }
  });
});

test("functions lead to the pages, and the assets are there before a document names them", () => {
  const address = `https://\${${id("AWS::CloudFront::Distribution")}.DomainName}`;
  const variables = (name: string) =>
    template.Resources[id("AWS::Lambda::Function", name)]?.Properties.Environment.Variables;
  expect(textOf(variables("Mail").LINK_PAGE)).toBe(`${address}/registration/`);
  expect(textOf(variables("Mail").WEB_APP_URL)).toBe(address);
  expect(variables("Mail").EVENT_PAGE).toBe("/event/{id}/{year}");
  expect(textOf(variables("Door").DOOR_PAGE)).toBe(`${address}/door/`);
  expect(textOf(template.Outputs.PagesUrl?.Value)).toBe(address);
  const [assets = ""] = ofType(template, "Custom::CDKBucketDeployment").map(([name]) => name);
  const { DependsOn } = template.Resources[id("AWS::Lambda::Function", "Pages")] as { DependsOn?: string[] } & object;
  expect(assets).toMatch(/^HostingAssets/);
  expect(DependsOn).toEqual(expect.arrayContaining([assets]));
});

/** A stage with other values. */
function given(changes: Partial<StageConfig>): StageTemplate {
  const stack = new ClubStack(new App(), "Other", { stage: { ...production, ...changes } });
  return Template.fromStack(stack).toJSON() as StageTemplate;
}

test("a stage with pages elsewhere has neither CloudFront nor a function for them, and functions lead there", () => {
  const base = "https://app.club.example";
  const links = { webAppUrl: base, eventPage: "/{id}/{year}", doorPage: `${base}/door/`, linkPage: `${base}/my/` };
  const other = given({ pages: "elsewhere", ...links });
  const types = Object.values(other.Resources).map(({ Type }) => Type);
  expect(types.filter((type) => /CloudFront|^Custom::/.test(type))).toEqual([]);
  expect(JSON.stringify(other)).not.toContain("/event/{eventId}");
  expect(ofType(other, "AWS::Lambda::Function").filter(([name]) => name.startsWith("Pages"))).toEqual([]);
  const mail = ofType(other, "AWS::Lambda::Function").find(([name]) => /^Mail[0-9A-F]{8}$/.test(name));
  expect(mail?.[1].Properties.Environment.Variables).toMatchObject({ LINK_PAGE: `${base}/my/`, WEB_APP_URL: base });
});

/** The origins that a browser may upload banners from. */
const uploadersOf = (of: StageTemplate): string[] =>
  ofType(of, "AWS::S3::Bucket").flatMap(
    ([, { Properties }]) =>
      Properties.CorsConfiguration?.CorsRules.flatMap(
        ({ AllowedOrigins }: { AllowedOrigins: string[] }) => AllowedOrigins,
      ) ?? [],
  );

test("the desk is one document, which may upload banners and show them before; the other pages may not", () => {
  const { CacheBehaviors, DefaultCacheBehavior } = configOf(template);
  const policyOf = ({ ResponseHeadersPolicyId }: { ResponseHeadersPolicyId: { Ref: string } }): string => {
    const { SecurityHeadersConfig } =
      template.Resources[ResponseHeadersPolicyId.Ref]?.Properties.ResponseHeadersPolicyConfig ?? {};
    return textOf(SecurityHeadersConfig.ContentSecurityPolicy.ContentSecurityPolicy);
  };
  const desk = CacheBehaviors.find(({ PathPattern }: { PathPattern: string }) => PathPattern === "/desk/*");
  const bucket = id("AWS::S3::Bucket", "Images");
  expect(policyOf(desk)).toMatch(new RegExp(`connect-src 'self' [^;]*\\$\\{${bucket}\\.RegionalDomainName\\}`));
  expect(policyOf(desk)).toMatch(/img-src [^;]*blob:/);
  expect(policyOf(DefaultCacheBehavior)).not.toMatch(/connect-src [^;]*RegionalDomainName|blob:/);
  // CloudFront makes the name of a stage that has none of its own.
  expect(uploadersOf(template)).toContain("https://*.cloudfront.net");
  const { CallbackURLs } = theOnly(template, "AWS::Cognito::UserPoolClient").Properties;
  expect(CallbackURLs.map(textOf)).toContainEqual(expect.stringMatching(/\/desk\/$/));
});

test("a name of their own: with its certificate, in all links, and an output for the DNS record", () => {
  const certificateArn = "arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012";
  const other = given({
    pages: { contact: "events@club.example", domainName: "events.club.example", certificateArn },
  });
  expect(configOf(other)).toMatchObject({
    Aliases: ["events.club.example"],
    ViewerCertificate: {
      AcmCertificateArn: certificateArn,
      MinimumProtocolVersion: expect.stringMatching(/^TLSv1\.[23]/),
    },
  });
  expect(other.Outputs.PagesUrl?.Value).toBe("https://events.club.example");
  expect(uploadersOf(other)).toContain("https://events.club.example");
  expect(other.Outputs).toHaveProperty("PagesDomainTarget");
});
