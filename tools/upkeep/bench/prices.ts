/**
 * AWS's on-demand prices of US East (N. Virginia), in USD, without taxes, discounts and the free tier. Other regions
 * differ by some percent. Looked up on 2026-11-22: change the day together with a price, also in docs/performance.md.
 */

const million = 1_000_000;

export interface Price {
  /** USD for one. */
  readonly usd: number;
  readonly unit: string;
  /** Where the price was read. */
  readonly page: string;
}

export const prices = {
  queueRequest: {
    usd: 0.4 / million,
    unit: "request to a standard queue",
    page: "https://cloudburn.io/blog/amazon-sqs-pricing",
  },
  secret: {
    usd: 0.4,
    unit: "secret for a month",
    page: "https://hivebook.wiki/wiki/aws-secrets-manager-rotated-secrets-dynamic-db-credentials-kms",
  },
  metricInAlarm: {
    usd: 0.1,
    unit: "metric in an alarm for a month",
    page: "https://aws.amazon.com/cloudwatch/pricing/",
  },
  dashboard: {
    usd: 3,
    unit: "dashboard of more than 50 metrics for a month",
    page: "https://aws.amazon.com/cloudwatch/pricing/",
  },
  key: {
    usd: 1,
    unit: "key for a month",
    page: "https://aws.amazon.com/kms/pricing/",
  },
} as const satisfies Readonly<Record<string, Price>>;
