/** Event banners: uploaded by admins with a presigned URL, readable by everybody (`docs/contract.md`, "Image upload"). */

import { Duration } from "aws-cdk-lib";
import { Match, Rule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { AnyPrincipal, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  HttpMethods,
  ObjectOwnership,
} from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import type { ImageAction } from "#kit/function.ts";
import { DeadLetterQueue } from "./dead-letter-queue.ts";
import type { Usable, Variables } from "./function.ts";
import { removalPolicy } from "./removal.ts";
import type { StageConfig } from "./stages.ts";

/** The prefix of all keys. Only this prefix is public, and accessible to functions. */
const imagePrefix = "event-thumbnails/";

/**
 * Where the desk uploads from. CloudFront makes the name of a stage without one of its own, and the pages' policy names this
 * bucket, so the bucket cannot name them. An upload is authorized by its presigned URL alone; an origin may have one `*`.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/ManageCorsUsing.html
 */
function pagesOrigins({ pages }: StageConfig): string[] {
  if (pages === "elsewhere") return [];
  const { laptopUrl, domainName } = pages;
  // A stage of a test has any port.
  if (laptopUrl !== undefined) return ["http://localhost:*"];
  return [domainName === undefined ? "https://*.cloudfront.net" : `https://${domainName}`];
}

export class ImageBucket extends Construct implements Usable<ImageAction> {
  readonly bucket: Bucket;
  readonly variables: Variables;

  constructor(scope: Construct, id: string, { stage }: { readonly stage: StageConfig }) {
    super(scope, id);
    this.bucket = new Bucket(this, "Resource", {
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      // Objects are public by the policy below, not by ACLs.
      blockPublicAccess: new BlockPublicAccess({
        blockPublicAcls: true,
        ignorePublicAcls: true,
        blockPublicPolicy: false,
        restrictPublicBuckets: false,
      }),
      cors: [
        {
          allowedMethods: [HttpMethods.PUT],
          allowedOrigins: [...stage.allowedOrigins, ...pagesOrigins(stage)],
          allowedHeaders: ["Content-Type"],
          maxAge: 3_600,
        },
      ],
      lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1) }],
      removalPolicy: removalPolicy(stage),
    });
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        sid: "PublicImages",
        principals: [new AnyPrincipal()],
        actions: ["s3:GetObject"],
        resources: [this.images],
      }),
    );
    // The construct's `eventBridgeEnabled` would add a CDK function with permissions on the notifications of all buckets.
    // https://github.com/aws/aws-cdk/issues/21381
    (this.bucket.node.defaultChild as CfnBucket).notificationConfiguration = {
      eventBridgeConfiguration: { eventBridgeEnabled: true },
    };
    this.variables = {
      IMAGE_BUCKET: this.bucket.bucketName,
      IMAGE_PUBLIC_URL: `${stage.imageUrlScheme}://${this.bucket.bucketRegionalDomainName}`,
    };
  }

  statements(actions: readonly ImageAction[]): PolicyStatement[] {
    const onObjects = actions.filter((action) => action !== "ListBucket").map((action) => `s3:${action}`);
    return [
      new PolicyStatement({ actions: onObjects, resources: [this.images] }),
      ...(actions.includes("ListBucket")
        ? [new PolicyStatement({ actions: ["s3:ListBucket"], resources: [this.bucket.bucketArn] })]
        : []),
    ];
  }

  /**
   * Calls the function after each upload. The rule matches only the reason `PutObject`: the function itself writes by
   * copying, and must not trigger itself. Events that could not be delivered or handled go to a dead-letter queue.
   */
  afterUpload(handler: IFunction): void {
    const undelivered = new DeadLetterQueue(this, "AfterUploadFailures", { alarm: "othersGivenUp" });
    const retryPolicy = { retryAttempts: 2, maxEventAge: Duration.hours(2) };
    new Rule(this, "AfterUpload", {
      description: "Image uploaded",
      eventPattern: {
        source: ["aws.s3"],
        detailType: ["Object Created"],
        detail: {
          bucket: { name: [this.bucket.bucketName] },
          object: { key: Match.prefix(imagePrefix) },
          reason: ["PutObject"],
        },
      },
      targets: [new LambdaFunction(handler, { deadLetterQueue: undelivered, ...retryPolicy })],
    });
    // For events that the function failed at; those that never reached it are sent here by the rule.
    // SqsDestination is not used: it would also grant actions that Lambda does not need.
    handler.addToRolePolicy(new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [undelivered.queueArn] }));
    handler.configureAsyncInvoke({
      onFailure: { bind: () => ({ destination: undelivered.queueArn }) },
      ...retryPolicy,
    });
  }

  private get images(): string {
    return this.bucket.arnForObjects(`${imagePrefix}*`);
  }
}
