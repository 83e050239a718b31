/**
 * cdk-nag's AWS Solutions rules over every stage. What they find and we accept stands here with its reason; anything
 * else fails, and so does an acceptance that nothing needs any more.
 */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { App, Stack } from "aws-cdk-lib";
import { Queue } from "aws-cdk-lib/aws-sqs";
import { AwsSolutionsChecks } from "cdk-nag";
import { givenSynthesis, stageNames } from "./stage-templates.ts";

interface Accepted {
  readonly rule: string;
  /** Path of the construct under its stack. */
  readonly at: string;
  readonly because: string;
}

const accepted: readonly Accepted[] = [
  {
    rule: "AwsSolutions-APIG4",
    at: "Api/GET --links--export",
    because: "A person without an account has no token: the function checks the secret of the link.",
  },
  ...["GET", "HEAD"].map((method) => ({
    rule: "AwsSolutions-APIG4",
    at: `Api/${method} --event--{eventId}--{year}`,
    because: "A shared link is opened without a token. The function shows no event in a stage without publicEvents.",
  })),
  {
    rule: "AwsSolutions-APIG4",
    at: "Api/GET --events--getActiveEvent",
    because: "The specification makes this one route public.",
  },
  ...["GET", "HEAD"].map((method) => ({
    rule: "AwsSolutions-APIG4",
    at: `Api/${method} --calendar--{feed}`,
    because:
      "Calendars send no token; the sealed secret of the address is the authentication, which the function checks.",
  })),
  ...[
    "GET --events--{eventId}--{year}--door",
    "GET --events--{eventId}--{year}--door--search",
    "POST --registrations--check-in--scans",
  ].map((route) => ({
    rule: "AwsSolutions-APIG4",
    at: `Api/${route}`,
    because: "Devices at the door have a token of the service, which the function checks.",
  })),
  ...["POST --events--{eventId}--{year}--guests", "POST --links"].map((route) => ({
    rule: "AwsSolutions-APIG4",
    at: `Api/${route}`,
    because: "It only mails links to the address, within the limits of mails with codes.",
  })),
  ...[
    ...["feedback", "guest", "registration", "erasure"].flatMap((page) => [
      `GET --links--${page}`,
      `POST --links--${page}`,
    ]),
    ...["PUT --links--registration", "POST --links--registration--payments", "POST --links--new-email"],
  ].map((route) => ({
    rule: "AwsSolutions-APIG4",
    at: `Api/${route}`,
    because: "The sealed secret of a mail's link is the authentication, which the function checks.",
  })),
  {
    rule: "AwsSolutions-APIG4",
    at: "Api/POST --events--{eventId}--{year}--door--devices",
    because: "The secret of a link, which becomes a device's token here, is the authentication.",
  },
  {
    rule: "AwsSolutions-APIG4",
    at: "Api/POST --payments--webhook",
    because: "The payment provider has no token; its signature over the body is its authentication.",
  },
  {
    rule: "AwsSolutions-COG2",
    at: "Identity/Pool/Resource",
    because: "A second factor is optional: a student who only registers for an event needs none.",
  },
  {
    rule: "AwsSolutions-COG8",
    at: "Identity/Pool/Resource",
    because: "The plus plan is paid for each person who signs in; a club needs nothing that it adds.",
  },
  {
    rule: "AwsSolutions-S1",
    at: "Images/Resource/Resource",
    because: "The bucket holds public banners only; access logs would keep the addresses of everybody who sees one.",
  },
  {
    rule: "AwsSolutions-S2",
    at: "Images/Resource/Resource",
    because: "Banners under event-thumbnails/ are public by specification; ACLs are blocked, only that prefix is open.",
  },
  {
    rule: "AwsSolutions-SQS3",
    at: "Images/AfterUploadFailures/Resource",
    because: "The queue is itself where failures end: of a rule and of a function, which the rule does not look at.",
  },
  {
    rule: "AwsSolutions-SQS3",
    at: "Relay/Failures/Resource",
    because: "The queue is itself where failures end: of a stream, which the rule does not look at.",
  },
  {
    rule: "AwsSolutions-SMG4",
    at: "TicketKey/Resource/Resource",
    because: "A new key would make every ticket worthless that is in somebody's mailbox.",
  },
  ...["PresignerRole", "CacheHeaderRole"].map((role) => ({
    rule: "AwsSolutions-IAM5[Resource::<Images.Arn>/event-thumbnails/*]",
    at: `${role}/DefaultPolicy/Resource`,
    because: "Object keys carry the event and the time of the upload; the prefix is as narrow as it gets.",
  })),
  ...["MailRole", "CampaignsRole"].map((role) => ({
    rule: "AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]",
    at: `${role}/DefaultPolicy/Resource`,
    because: "In its sandbox SES asks for a right on each recipient's identity; a condition names the one sender.",
  })),
  {
    rule: "AwsSolutions-IAM5[Resource::<Table.Arn>/stream/*]",
    at: "RelayRole/DefaultPolicy/Resource",
    because: "Lambda lists the streams of the table, whose names begin like this.",
  },
];

/** Of the pages, which the laptop's stage serves without CloudFront. */
const acceptedOfHosting: readonly Accepted[] = [
  { rule: "CFR1", because: "Members travel, and links are sent anywhere." },
  { rule: "CFR2", because: "A firewall costs more than the rest of an idle stage; the gateway limits each route." },
  {
    rule: "CFR3",
    because: "Access logs would keep the addresses of everybody who opens a page; the API has its own log.",
  },
  { rule: "CFR4", because: "With CloudFront's own certificate it takes no minimum; browsers choose the newest TLS." },
]
  .map(
    ({ rule, because }): Accepted => ({ rule: `AwsSolutions-${rule}`, at: "Hosting/Distribution/Resource", because }),
  )
  .concat(
    [
      ...["Abort*", "DeleteObject*", "GetBucket*", "GetObject*", "List*"].map((action) => `Action::s3:${action}`),
      "Resource::<HostingBucket.Arn>/*",
      "Resource::arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>/*",
    ].map((what) => ({
      rule: `AwsSolutions-IAM5[${what}]`,
      at: "Hosting/UploadRole/DefaultPolicy/Resource",
      because: "The CDK's function copies the CDK's assets to the bucket of the pages, and to no other.",
    })),
    {
      rule: "AwsSolutions-L1",
      at: "Custom::CDKBucketDeployment8693BB64968944B69AAFB0CC9EB8756C512MiB/Resource",
      because: "The CDK chooses the runtime of its own function.",
    },
    {
      rule: "AwsSolutions-S1",
      at: "Hosting/Bucket/Resource",
      because: "Only CloudFront reads the bucket, and it holds what everyone may see.",
    },
  );

/** Rule and place of every finding, without the hashes of logical ids. */
function findings(app: App, stack: Stack): string[] {
  return new AwsSolutionsChecks(app)
    .validateScope(stack)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(
        ({ constructPath }) =>
          `${ruleName.replace(/[0-9A-F]{8}\.Arn/, ".Arn")} ${constructPath?.slice(stack.node.id.length + 1)}`,
      ),
    )
    .sort();
}

let app: App;
beforeAll(async () => {
  app = (await givenSynthesis()).app;
});

describe.each(stageNames)("nag, %s", (stage) => {
  test("has exactly the findings that are accepted with a reason", () => {
    const stack = app.node.findChild(`ClubEvents-${stage}`) as Stack;
    const all = stage === "local" ? accepted : [...accepted, ...acceptedOfHosting];
    expect(findings(app, stack)).toEqual(all.map(({ rule, at }) => `${rule} ${at}`).sort());
  });
});

test("a queue that accepts plain HTTP would be found", () => {
  const other = new App();
  const stack = new Stack(other, "Other");
  new Queue(stack, "Open");
  expect(findings(other, stack)).toContain("AwsSolutions-SQS4 Open/Resource");
});
