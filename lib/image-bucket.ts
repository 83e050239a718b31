/** Event banners: uploaded by admins with a presigned address, read by everybody (`spec.md`, "Image upload"). */
import { Duration } from "aws-cdk-lib";
import { Match, Rule } from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import { AnyPrincipal, PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { IFunction } from "aws-cdk-lib/aws-lambda";
import { SqsDestination } from "aws-cdk-lib/aws-lambda-destinations";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  HttpMethods,
  ObjectOwnership,
} from "aws-cdk-lib/aws-s3";
import { Construct } from "constructs";
import { DeadLetterQueue } from "./dead-letter-queue.ts";
import type { Usable } from "./function.ts";
import { removalPolicy } from "./removal.ts";
import type { StageConfig } from "./stages.ts";

/** Every stored key starts with this; nothing else in the bucket is public, and no function reaches anything else. */
const imagePrefix = "event-thumbnails/";

/** `ListBucket`: without it S3 says 403 of an object that is not there, as of one that is forbidden. */
export type ImageAction = "GetObject" | "PutObject" | "ListBucket";

export class ImageBucket extends Construct implements Usable<ImageAction> {
  readonly bucket: Bucket;
  readonly variables: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, { stage }: { readonly stage: StageConfig }) {
    super(scope, id);
    this.bucket = new Bucket(this, "Resource", {
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      // ACLs can open nothing; the policy below must be able to.
      blockPublicAccess: new BlockPublicAccess({
        blockPublicAcls: true,
        ignorePublicAcls: true,
        blockPublicPolicy: false,
        restrictPublicBuckets: false,
      }),
      cors: [
        {
          allowedMethods: [HttpMethods.PUT],
          allowedOrigins: [...stage.allowedOrigins],
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
    // The construct's own switch would add a function of the CDK with rights on every bucket's notifications.
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
   * Calls the function after each upload. Only for reason `PutObject`: the function itself writes by copying, and must
   * not call itself again. What could not be delivered or handled ends in a queue.
   */
  afterUpload(handler: IFunction): void {
    const undelivered = new DeadLetterQueue(this, "AfterUploadFailures", {
      meaning: "Uploaded banners that did not get their cache header; they are served without it.",
    });
    const patience = { retryAttempts: 2, maxEventAge: Duration.hours(2) };
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
      targets: [new LambdaFunction(handler, { deadLetterQueue: undelivered, ...patience })],
    });
    // The rule's queue gets what never reached the function, this one what the function failed at.
    handler.configureAsyncInvoke({ onFailure: new SqsDestination(undelivered), ...patience });
  }

  private get images(): string {
    return this.bucket.arnForObjects(`${imagePrefix}*`);
  }
}
