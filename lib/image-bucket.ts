/** Event banners: admins upload them by a presigned address, all can read them (`docs/contract.md`, "Image upload"). */

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
import type { Settings } from "#kit/env.ts";
import { DeadLetterQueue } from "./dead-letter-queue.ts";
import type { Usable } from "./function.ts";
import { removalPolicy } from "./removal.ts";
import type { StageConfig } from "./stages.ts";

/** Every stored key begins with this. Only keys with this prefix are public, and functions reach no other keys. */
const imagePrefix = "event-thumbnails/";

/** Without `ListBucket` S3 answers 403 for an object that does not exist, as for an object that is forbidden. */
export type ImageAction = "GetObject" | "PutObject" | "ListBucket";

export class ImageBucket extends Construct implements Usable<ImageAction> {
  readonly bucket: Bucket;
  readonly variables: Settings;

  constructor(scope: Construct, id: string, { stage }: { readonly stage: StageConfig }) {
    super(scope, id);
    this.bucket = new Bucket(this, "Resource", {
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      // ACLs may not make objects public. The policy below may.
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
    // `eventBridgeEnabled` of the construct would add a CDK function with rights on the notifications of every bucket.
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
   * Calls the function after each upload. The rule matches reason `PutObject` only: the function itself writes by
   * copying, and must not call itself again. An upload that could not be delivered or handled ends in a dead-letter
   * queue.
   */
  afterUpload(handler: IFunction): void {
    const undelivered = new DeadLetterQueue(this, "AfterUploadFailures", { alarm: "othersGivenUp" });
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
    // The rule sends events here that never reached the function; this destination sends events that it failed at.
    // SqsDestination is not used: it would also grant actions that Lambda does not need.
    handler.addToRolePolicy(new PolicyStatement({ actions: ["sqs:SendMessage"], resources: [undelivered.queueArn] }));
    handler.configureAsyncInvoke({ onFailure: { bind: () => ({ destination: undelivered.queueArn }) }, ...patience });
  }

  private get images(): string {
    return this.bucket.arnForObjects(`${imagePrefix}*`);
  }
}
