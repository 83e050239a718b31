/**
 * The stages of the service, one const each. This file is the one place where a club writes down its own values:
 * production and staging carry placeholders on `.example` domains until it does (docs/deploy.md).
 */

export type StageName = "production" | "staging" | "local";

/** How long a seat waits for its payment or confirmation, in milliseconds. */
export interface HoldDurations {
  /** A new registration for a priced event. */
  readonly newRegistration: number;
  /** Somebody who moved up from the waitlist of a priced event. */
  readonly promotion: number;
  /** An accepted application. */
  readonly acceptance: number;
}

/** Mails to many people at once. */
export interface CampaignConfig {
  /** What campaigns may take of SES's sending rate, in mails a second. Tickets and notices need the rest. */
  readonly mailsPerSecond: number;
  /** Where people write who want no more of them; somebody must read it. */
  readonly unsubscribeAddress: string;
}

export interface IdentityConfig {
  /** Start of the sign-in page's host name; the account id follows it, because it must be unique in a region. */
  readonly domainPrefix: string;
  /** Where the sign-in page may send people back to, exactly. */
  readonly callbackUrls: readonly string[];
  readonly logoutUrls: readonly string[];
  /** Secrets Manager secret `{ "clientId", "clientSecret" }` of the Google client; absent = no Google sign-in. */
  readonly googleSecretName?: string;
  /** Whether a client may send a password in plain (USER_PASSWORD_AUTH) instead of proving it with SRP. */
  readonly passwordInPlain: boolean;
}

export interface StageConfig {
  readonly name: StageName;
  /** Origins of the web application that browsers may call from, exactly. */
  readonly allowedOrigins: readonly string[];
  /** Whoever has a verified email in exactly this domain is an admin. Empty = nobody is. */
  readonly adminEmailDomain: string;
  /** Sender of every mail; its domain is a verified SES identity of the account. */
  readonly mailSender: string;
  /**
   * Secrets Manager secret with the address of the chat's incoming webhook, which a person stores (docs/deploy.md);
   * absent = nothing goes to a chat.
   */
  readonly chatWebhookSecret?: string;
  /**
   * Secrets Manager secret `{ "apiKey", "webhookSecrets" }` of the payment provider, which a person stores
   * (docs/deploy.md).
   */
  readonly paymentsSecret: string;
  /** Where links in mails lead. */
  readonly webAppUrl: string;
  /** IANA name: dates without an offset are in this zone. */
  readonly timeZone: string;
  /** ISO 4217. */
  readonly currency: string;
  /** In cents of the currency. */
  readonly membershipPrice: number;
  readonly holds: HoldDurations;
  readonly campaigns: CampaignConfig;
  /** Of the whole API: requests per second, and how many may come at once. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  readonly identity: IdentityConfig;
  /** Scheme of the address that uploaded images are read from. The laptop has no certificate. */
  readonly imageUrlScheme: "https" | "http";
  readonly logRetentionDays: 7 | 30 | 90;
  /** What becomes of table, bucket, accounts and logs when the stack is deleted. */
  readonly removalPolicy: "retain" | "destroy";
  /** Refuse to delete the table, the accounts and the stack until this is switched off. */
  readonly deletionProtection: boolean;
}

const minutes = 60_000;
const hours = 60 * minutes;

/** What all stages have in common. */
const common = {
  timeZone: "America/Vancouver",
  currency: "CAD",
  membershipPrice: 15_00,
  holds: { newRegistration: 30 * minutes, promotion: 24 * hours, acceptance: 72 * hours },
  throttle: { rate: 1_000, burst: 2_000 },
} satisfies Partial<StageConfig>;

export const production: StageConfig = {
  ...common,
  name: "production",
  allowedOrigins: ["https://app.club.example"],
  adminEmailDomain: "club.example",
  mailSender: "events@club.example",
  chatWebhookSecret: "club-events/production/chat-webhook",
  paymentsSecret: "club-events/production/payments",
  webAppUrl: "https://app.club.example",
  // SES begins with 14 outside its sandbox.
  campaigns: { mailsPerSecond: 10, unsubscribeAddress: "unsubscribe@club.example" },
  identity: {
    domainPrefix: "club-events",
    callbackUrls: ["https://app.club.example/login/callback"],
    logoutUrls: ["https://app.club.example/"],
    passwordInPlain: false,
  },
  imageUrlScheme: "https",
  logRetentionDays: 90,
  removalPolicy: "retain",
  deletionProtection: true,
};

export const staging: StageConfig = {
  ...common,
  name: "staging",
  // Developers point the web application on their laptop at staging.
  allowedOrigins: ["https://staging.club.example", "http://localhost:3000"],
  adminEmailDomain: "club.example",
  mailSender: "events@staging.club.example",
  chatWebhookSecret: "club-events/staging/chat-webhook",
  paymentsSecret: "club-events/staging/payments",
  webAppUrl: "https://staging.club.example",
  // All that SES's sandbox gives.
  campaigns: { mailsPerSecond: 1, unsubscribeAddress: "unsubscribe@staging.club.example" },
  identity: {
    domainPrefix: "club-events-staging",
    callbackUrls: ["https://staging.club.example/login/callback", "http://localhost:3000/login/callback"],
    logoutUrls: ["https://staging.club.example/", "http://localhost:3000/"],
    passwordInPlain: false,
  },
  imageUrlScheme: "https",
  logRetentionDays: 30,
  removalPolicy: "destroy",
  deletionProtection: true,
};

/**
 * The stage on the laptop. `ADMIN_EMAIL_DOMAIN` and `ALLOWED_ORIGINS` (comma-separated) may be set here, and only
 * here: a deployed stage never depends on the shell it was deployed from.
 */
export function localStage(environment: Readonly<Record<string, string | undefined>> = process.env): StageConfig {
  const origins = environment.ALLOWED_ORIGINS ?? "http://localhost:3000";
  return {
    ...common,
    name: "local",
    allowedOrigins: origins.split(",").map((origin) => origin.trim()),
    adminEmailDomain: environment.ADMIN_EMAIL_DOMAIN ?? "club.example",
    mailSender: "events@club.example",
    chatWebhookSecret: "club-events/local/chat-webhook",
    paymentsSecret: "club-events/local/payments",
    webAppUrl: "http://localhost:3000",
    campaigns: { mailsPerSecond: 500, unsubscribeAddress: "unsubscribe@club.example" },
    identity: {
      domainPrefix: "club-events-local",
      callbackUrls: ["http://localhost:3000/login/callback"],
      logoutUrls: ["http://localhost:3000/"],
      passwordInPlain: true,
    },
    imageUrlScheme: "http",
    logRetentionDays: 7,
    removalPolicy: "destroy",
    deletionProtection: false,
  };
}

export const local: StageConfig = localStage();

export const stages: Readonly<Record<StageName, StageConfig>> = { production, staging, local };
