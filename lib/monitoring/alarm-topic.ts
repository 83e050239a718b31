/** The topic that takes the messages of all alarms of a stage to a shared mailbox. */
import { RemovalPolicy, Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Construct } from "constructs";

export interface AlarmTopicProps {
  readonly email: string;
  /** Beginning of the names of all alarms that may publish. */
  readonly alarmNames: string;
}

export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, { email, alarmNames }: AlarmTopicProps) {
    // The key that AWS manages for topics does not let CloudWatch use it, and its policy cannot be changed.
    // https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html#compatibility-with-aws-services
    const masterKey = new Key(scope, `${id}Key`, {
      description: "Encrypts the messages of alarms",
      enableKeyRotation: true,
      // A message is encrypted for minutes only, so no later stack needs the key.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    super(scope, id, { displayName: "Club events: alarms", masterKey, enforceSSL: true });
    const { account, region, partition } = Stack.of(this);
    const ofAlarms = {
      StringEquals: { "aws:SourceAccount": account },
      ArnLike: { "aws:SourceArn": `arn:${partition}:cloudwatch:${region}:${account}:alarm:${alarmNames}*` },
    };
    const principals = [new ServicePrincipal("cloudwatch.amazonaws.com")];
    this.addToResourcePolicy(
      new PolicyStatement({ principals, actions: ["sns:Publish"], resources: [this.topicArn], conditions: ofAlarms }),
    );
    masterKey.addToResourcePolicy(
      new PolicyStatement({
        principals,
        actions: ["kms:Decrypt", "kms:GenerateDataKey*"],
        resources: ["*"],
        conditions: ofAlarms,
      }),
    );
    this.addSubscription(new EmailSubscription(email));
  }
}
