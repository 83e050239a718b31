/** Whether an alarm reaches a person. */
import { GetSubscriptionAttributesCommand, paginateListSubscriptionsByTopic } from "@aws-sdk/client-sns";
import { stackName } from "../../../lib/stage-names.ts";
import { type Finding, ok, problem, warning } from "../../kit/finding.ts";
import type { Account, Check } from "../check-kit/account.ts";
import { asking } from "../check-kit/asking.ts";
import { all, stackResources } from "../check-kit/stack.ts";

/** The list's value instead of an ARN until the subscription is confirmed. */
const unconfirmed = "PendingConfirmation";

/**
 * Confirms with the account's signature, so that only the account can end the subscription. A token is valid for two days.
 * https://docs.aws.amazon.com/sns/latest/api/API_ConfirmSubscription.html
 */
const confirm = (topic: string): string =>
  `copy, and do not open, the link of the mail "AWS Notification - Subscription Confirmation": aws sns confirm-subscription --topic-arn ${topic} --authenticate-on-unsubscribe true --token <its Token>`;

const subscribe = (topic: string): string =>
  `aws sns subscribe --topic-arn ${topic} --protocol email --notification-endpoint <address>`;

/**
 * Whether only the account can end the subscription. Otherwise the link in each alarm's mail does, and mail filters open
 * links. https://docs.aws.amazon.com/sns/latest/api/API_GetSubscriptionAttributes.html
 */
async function isProtected({ clients }: Account, SubscriptionArn: string): Promise<boolean> {
  const request = clients.topics.send(new GetSubscriptionAttributesCommand({ SubscriptionArn }));
  const { Attributes = {} } = await asking("sns:GetSubscriptionAttributes", request);
  return Attributes.ConfirmationWasAuthenticated === "true";
}

async function heard(account: Account, topic: string): Promise<Finding> {
  const { clients, stage } = account;
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
      subscribe(topic),
    );
  }
  const addressesOf = (some: typeof subscriptions) => some.map(({ Endpoint }) => Endpoint).join(", ");
  if (waiting.length > 0) {
    return silent(`${addressesOf(waiting)} has not confirmed the subscription of ${topic}.`, confirm(topic));
  }
  const areProtected = await Promise.all(
    confirmed.map(({ SubscriptionArn = "" }) => isProtected(account, SubscriptionArn)),
  );
  const endable = confirmed.filter((_, index) => !areProtected[index]);
  if (endable.length === 0) return ok(`confirmed subscriptions of ${topic}: ${confirmed.length}.`);
  return warning(
    `the link in any alarm's mail ends the subscription of ${addressesOf(endable)}.`,
    `aws sns unsubscribe --subscription-arn <its ARN>; ${subscribe(topic)}; then ${confirm(topic)}`,
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
