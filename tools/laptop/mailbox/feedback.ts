/**
 * What SES publishes about a mail after it has taken it. Only the addresses of its mailbox simulator bounce or complain,
 * also with a label, as `bounce+one@simulator.amazonses.com`.
 * https://docs.aws.amazon.com/ses/latest/dg/send-an-email-from-console.html
 * https://docs.aws.amazon.com/ses/latest/dg/monitoring-eventbridge.html
 */
import { randomUUID } from "node:crypto";
import type { SentEvent } from "../bus/index.ts";
import { type Template, TemplateProblem } from "../template/index.ts";

/** A mail that SES has taken. */
export interface TakenMail {
  readonly messageId: string;
  /** The sender's bare address. */
  readonly from: string;
  readonly to: readonly string[];
  /** Name of the configuration set. A mail without one publishes nothing. */
  readonly configurationSet?: string | undefined;
}

type Feedback = "bounce" | "complaint";

/** What each address of the simulator does. The other ones only take mails. */
const simulated: Readonly<Record<string, { readonly feedback: Feedback; readonly fields: object }>> = {
  bounce: { feedback: "bounce", fields: { bounceType: "Permanent", bounceSubType: "General" } },
  suppressionlist: { feedback: "bounce", fields: { bounceType: "Permanent", bounceSubType: "Suppressed" } },
  // The answer of a person who is out of the office counts as a transient bounce.
  ooto: { feedback: "bounce", fields: { bounceType: "Transient", bounceSubType: "General" } },
  complaint: {
    feedback: "complaint",
    fields: {
      complaintFeedbackType: "abuse",
      complaintSubType: null,
      userAgent: "Amazon SES Mailbox Simulator",
    },
  },
};

/** What the recipient does with a mail; undefined when the recipient only takes it. */
function reactionOf(address: string) {
  const [, name = ""] = /^([a-z]+)(?:\+[^@]*)?@simulator\.amazonses\.com$/.exec(address) ?? [];
  return Object.hasOwn(simulated, name) ? simulated[name] : undefined;
}

const detailTypes: Readonly<Record<Feedback, string>> = {
  bounce: "Email Bounced",
  complaint: "Email Complaint Received",
};

const recipientsOf: Readonly<Record<Feedback, (emailAddress: string) => object>> = {
  bounce: (emailAddress) => ({
    bouncedRecipients: [
      { emailAddress, action: "failed", status: "5.1.1", diagnosticCode: "smtp; 550 5.1.1 user unknown" },
    ],
  }),
  complaint: (emailAddress) => ({ complainedRecipients: [{ emailAddress }] }),
};

/** The configuration sets of a template. */
export interface ConfigurationSets {
  has(name: string): boolean;
  /** The events that go to the default bus after a mail. @param now epoch milliseconds */
  eventsAfter(mail: TakenMail, now: number): SentEvent[];
}

/**
 * Reads the configuration sets and where they publish.
 * @throws TemplateProblem for a destination other than the default bus
 */
export function configurationSetsOf(template: Template): ConfigurationSets {
  const names = template
    .resourcesOf("AWS::SES::ConfigurationSet")
    .map(({ logicalId }) => template.physicalName(logicalId));
  const published = new Map<string, readonly string[]>();
  for (const resource of template.resourcesOf("AWS::SES::ConfigurationSetEventDestination")) {
    const { ConfigurationSetName: name, EventDestination: destination } = resource.all();
    const { Enabled, EventBridgeDestination, MatchingEventTypes } = destination;
    if (EventBridgeDestination?.EventBusArn.split("/").at(-1) !== "default") {
      throw new TemplateProblem(`${resource.logicalId}: the local stage publishes to the default event bus only.`);
    }
    if (Enabled !== false) published.set(name, [...(published.get(name) ?? []), ...MatchingEventTypes]);
  }
  const { accountId } = template.place;
  return {
    has: (name) => names.includes(name),
    eventsAfter: ({ messageId, from, to, configurationSet = "" }, now) => {
      const timestamp = new Date(now).toISOString();
      const set = template.arn("ses", `configuration-set/${configurationSet}`);
      const domain = from.split("@").at(-1) ?? "";
      const mail = {
        timestamp,
        messageId,
        source: from,
        sourceArn: template.arn("ses", `identity/${domain}`),
        sendingAccountId: accountId,
        destination: to,
        tags: { "ses:configuration-set": [configurationSet], "ses:from-domain": [domain] },
      };
      return to.flatMap((address) => {
        const reaction = reactionOf(address);
        if (!reaction || !published.get(configurationSet)?.includes(reaction.feedback)) return [];
        const { feedback, fields } = reaction;
        const told = { ...fields, ...recipientsOf[feedback](address), timestamp, feedbackId: randomUUID() };
        const eventType = feedback === "bounce" ? "Bounce" : "Complaint";
        return [
          {
            source: "aws.ses",
            "detail-type": detailTypes[feedback],
            resources: [set],
            detail: { eventType, mail, [feedback]: told },
          },
        ];
      });
    },
  };
}
