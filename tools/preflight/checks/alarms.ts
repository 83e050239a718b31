/** Whether an alarm reaches a person. */
import { paginateListSubscriptionsByTopic } from "@aws-sdk/client-sns";
import { stackName } from "../../../lib/stage-names.ts";
import { type Finding, ok, problem, warning } from "../../kit/finding.ts";
import type { Account, Check } from "../account.ts";
import { asking } from "../asking.ts";
import { all, stackResources } from "../stack.ts";

/** The list's value instead of an ARN until the subscription is confirmed. */
const unconfirmed = "PendingConfirmation";

async function heard({ clients, stage }: Account, topic: string): Promise<Finding> {
  const pages = paginateListSubscriptionsByTopic({ client: clients.topics }, { TopicArn: topic });
  const lists = await asking("sns:ListSubscriptionsByTopic", all(pages));
  const subscriptions = lists.flatMap(({ Subscriptions = [] }) => Subscriptions);
  const waiting = subscriptions.filter(({ SubscriptionArn }) => SubscriptionArn === unconfirmed);
  // The list also contains ended subscriptions, which have no ARN.
  const confirmed = subscriptions.filter(({ SubscriptionArn }) => SubscriptionArn?.startsWith("arn:"));
  const silent = stage.name === "production" ? problem : warning;
  if (waiting.length + confirmed.length === 0) {
    return silent(
      // https://aws.amazon.com/about-aws/whats-new/2023/05/amazon-sns-automatic-deletion-unconfirmed-subscriptions/
      `the topic ${topic} has no subscription; SNS removes one that was not confirmed within 48 hours.`,
      `aws sns subscribe --topic-arn ${topic} --protocol email --notification-endpoint <address>`,
    );
  }
  if (waiting.length === 0) return ok(`confirmed subscriptions of ${topic}: ${confirmed.length}.`);
  const addresses = waiting.map(({ Endpoint }) => Endpoint).join(", ");
  return silent(
    `${addresses} has not confirmed the subscription of ${topic}.`,
    'open the link in the mail "AWS Notification - Subscription Confirmation".',
  );
}

export const alarms: Check = {
  name: "alarms",
  isForDeploy: false,
  look: async (account) => {
    const name = stackName(account.stage.name);
    const resources = await stackResources(account);
    if (resources === undefined) return [ok(`looked at after the first deploy; there is no ${name} yet.`)];
    const topics = resources
      .filter(
        ({ ResourceType, ResourceStatus }) =>
          ResourceType === "AWS::SNS::Topic" && ResourceStatus !== "DELETE_COMPLETE",
      )
      .flatMap(({ PhysicalResourceId }) => PhysicalResourceId ?? []);
    if (topics.length === 0) {
      return [
        warning(
          `${name} has no topic: its alarms reach no person.`,
          "deploy the stage again: the stack makes a topic for the alarmEmail of lib/stages.ts.",
        ),
      ];
    }
    return Promise.all(topics.map((topic) => heard(account, topic)));
  },
};
