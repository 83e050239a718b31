/** The topic that takes the messages of all alarms of a stage to a shared mailbox. */
import { Stack } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
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
    // Without a key of its own, which would cost a dollar a month, and more with each rotation: a message names an alarm
    // and no person, and leaves AWS as a mail.
    super(scope, id, { displayName: "Club events: alarms", enforceSSL: true });
    const { account, region, partition } = Stack.of(this);
    const ofAlarms = {
      StringEquals: { "aws:SourceAccount": account },
      ArnLike: { "aws:SourceArn": `arn:${partition}:cloudwatch:${region}:${account}:alarm:${alarmNames}*` },
    };
    const principals = [new ServicePrincipal("cloudwatch.amazonaws.com")];
    this.addToResourcePolicy(
      new PolicyStatement({ principals, actions: ["sns:Publish"], resources: [this.topicArn], conditions: ofAlarms }),
    );
    this.addSubscription(new EmailSubscription(email));
  }
}
