/** The confirmed subscription of the alarms' mailbox, which only the account can end. */
import { ConfirmSubscriptionCommand, GetSubscriptionAttributesCommand } from "@aws-sdk/client-sns";
import { type Mend, Obstacle } from "../../kit/finding.ts";
import type { Account } from "../check-kit/account.ts";
import { asking, changing } from "../check-kit/asking.ts";

const mail = 'the mail "AWS Notification - Subscription Confirmation"';

/** How a person gives the link to `--mend`. */
export const giveLink = `copy, and do not open, the link of ${mail}: read -r ALARM_LINK; export ALARM_LINK, then --mend --apply.`;

/** How the mailbox gets a new link. */
export const again = (topic: string): string =>
  `aws sns unsubscribe --subscription-arn <its ARN> ends the old one; aws sns subscribe --topic-arn ${topic} --protocol email --notification-endpoint <address> sends a new mail.`;

/** The token of the link; undefined when it is of another topic, or no such link. */
function tokenIn(link: string, topic: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const { searchParams } = new URL(link);
  return searchParams.get("TopicArn") === topic ? (searchParams.get("Token") ?? undefined) : undefined;
}

/**
 * Confirms with the account's signature, so that only the account can end the subscription. A token is valid for two days.
 * https://docs.aws.amazon.com/sns/latest/api/API_ConfirmSubscription.html
 */
export function confirmation({ clients, alarmLink }: Account, topic: string): Mend {
  const what = `confirm the subscription of ${topic} by the link in ALARM_LINK, so that only the account can end it`;
  const Token = tokenIn(alarmLink ?? "", topic);
  if (Token === undefined) {
    const obstacle = new Obstacle(`there is no link of ${topic} in ALARM_LINK.`, giveLink);
    return {
      what: `${what}. Before that: ${obstacle.message} Fix: ${obstacle.fix}`,
      apply: () => Promise.reject(obstacle),
    };
  }
  return {
    what: `${what}.`,
    async apply() {
      const request = new ConfirmSubscriptionCommand({ TopicArn: topic, Token, AuthenticateOnUnsubscribe: "true" });
      const { SubscriptionArn } = await changing("sns:ConfirmSubscription", clients.topics.send(request));
      const attributes = clients.topics.send(new GetSubscriptionAttributesCommand({ SubscriptionArn }));
      const { Attributes = {} } = await asking("sns:GetSubscriptionAttributes", attributes);
      // The link was opened before: a mail filter may have done it.
      if (Attributes.ConfirmationWasAuthenticated !== "true") {
        throw new Obstacle("the subscription was confirmed before, without the account's signature.", again(topic));
      }
      return `the subscription of ${topic} is confirmed, and only the account can end it.`;
    },
  };
}
