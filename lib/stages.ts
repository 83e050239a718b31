/**
 * The stages of the service, one const each. A club writes its own values into `common`, `production` and `staging`, and
 * into no other file. Until then they have placeholders on `.example` domains (docs/deploy.md). The laptop's stage has
 * values of its own, which README and tests show; they stay as they are.
 */

import type { HoldDurations } from "#domain/registrations/holds/holds.ts";

export type StageName = "production" | "staging" | "local";

/** Mails to many people at once. */
export interface CampaignConfig {
  /** The part of SES's sending rate that campaigns may use, in mails a second. Tickets and notices need the rest. */
  readonly mailsPerSecond: number;
  /** People who want no more campaigns write to this address. The club must read its mails (docs/deploy.md). */
  readonly unsubscribeAddress: string;
}

/** A user pool that the stack makes. */
export interface NewPool {
  /** Beginning of the sign-in page's host name, which must be unique in a region. The AWS account id follows it. */
  readonly domainPrefix: string;
  /** The addresses that the sign-in page may send people back to; compared exactly. */
  readonly callbackUrls: readonly string[];
  readonly logoutUrls: readonly string[];
  /**
   * Name of the Secrets Manager secret `{ "clientId", "clientSecret" }` of the Google client; absent = no sign-in with
   * Google.
   */
  readonly googleSecretName?: string;
  /** Whether a client may send a password in plain (USER_PASSWORD_AUTH) instead of proving it with SRP. */
  readonly passwordInPlain: boolean;
  /**
   * How the mail after a sign-up confirms the account: by a code to type, or by a link to open. Other mails, such as for
   * a forgotten password, always have a code.
   */
  readonly verification: "code" | "link";
  readonly existing?: undefined;
}

/**
 * A user pool that exists before the stack, so that people keep their passwords. The stack does not change it
 * (docs/web-app.md).
 */
export interface ExistingPool {
  readonly existing: {
    /** `<region>_<name>`. */
    readonly userPoolId: string;
    /** The client of the web application. It has no secret. */
    readonly clientId: string;
    /** Region of the pool, which is also the region of the stack. */
    readonly region: string;
  };
}

/** `rate` is requests a second, `burst` is requests at once. */
export interface Throttle {
  readonly rate: number;
  readonly burst: number;
}

/** A table that was restored to a point in time (docs/runbook.md, "The whole table"). */
export interface RestoredTable {
  readonly tableName: string;
  /** Its `LatestStreamArn`. The relay reads this stream. */
  readonly streamArn: string;
}

/** Where people sign in. */
export type IdentityConfig = NewPool | ExistingPool;

export interface StageConfig {
  readonly name: StageName;
  /** Origins of the web application from which browsers may call the API; compared exactly. */
  readonly allowedOrigins: readonly string[];
  /**
   * A caller with a verified email in exactly this domain is an admin (`docs/contract.md`, "Access"). Empty = the stage
   * has no admins.
   */
  readonly adminEmailDomain: string;
  /** The name that mail programs show for the sender: the club's name. One line of at most 45 bytes. */
  readonly senderName: string;
  /** Sender of every mail; its domain is a verified SES identity of the account. */
  readonly mailSender: string;
  /**
   * Name of the Secrets Manager secret with the address of the chat's incoming webhook. A person stores the secret
   * (docs/deploy.md, "Chat"). Absent = the stage has no chat.
   */
  readonly chatWebhookSecret?: string;
  /**
   * Name of the Secrets Manager secret `{ "apiKey", "webhookSecrets" }` of the payment provider. A person stores the
   * secret (docs/deploy.md).
   */
  readonly paymentsSecret: string;
  /** The address of the web application; links in mails begin with it. */
  readonly webAppUrl: string;
  /**
   * The path of the page below `webAppUrl` where a person sees an event, pays, confirms and cancels. `{id}` and `{year}`
   * stand for the event's id and year. Links in mails and calendar entries lead there.
   */
  readonly eventPage: string;
  /** IANA name. Dates without an offset are in this zone (`docs/contract.md`, "Dates"). */
  readonly timeZone: string;
  /** ISO 4217. */
  readonly currency: string;
  /** In cents of the currency. */
  readonly membershipPrice: number;
  readonly holds: HoldDurations;
  readonly campaigns: CampaignConfig;
  /** Of the whole API. */
  readonly throttle: Throttle;
  /**
   * Of single routes: of each route that needs no token, and of the webhook of the payment provider. A flood of one of
   * them does not use up the requests of the others.
   */
  readonly routeThrottle: { readonly public: Throttle; readonly webhook: Throttle };
  /**
   * A shared mailbox of the club: alarms and the budget write to it. A person must confirm the address once
   * (docs/deploy.md). Only the laptop has none.
   */
  readonly alarmEmail?: string;
  /** In USD. The mailbox gets a mail when the AWS account costs more in a month, or is going to. Absent where `alarmEmail` is. */
  readonly monthlyBudget?: number;
  /** The address of this repository. Alarms link entries of its docs/runbook.md. Absent where `alarmEmail` is. */
  readonly repository?: string;
  /**
   * Host name under which the API answers, such as `api.` and the club's domain (docs/deploy.md, "Custom
   * domain"). Absent = only the address that AWS gives the API, which is another one when the API is made anew.
   */
  readonly domainName?: string;
  /** ARN of the certificate for `domainName`, in the region of the stack. Both or neither. */
  readonly certificateArn?: string;
  readonly identity: IdentityConfig;
  /** All functions use this table in place of the stack's own, which stays as it is. */
  readonly restoredTable?: RestoredTable;
  /** Whether `GET /events` and `GET /events/{eventId}/{year}` need no token (`docs/contract.md`, "Access"). */
  readonly publicEvents: boolean;
  /** Whether `GET /profiles/profile/{profileID}` needs no token. */
  readonly publicProfiles: boolean;
  /** Scheme of the address of uploaded images. The laptop has no certificate. */
  readonly imageUrlScheme: "https" | "http";
  readonly logRetentionDays: 7 | 30 | 90;
  /** Whether table, bucket, accounts and logs stay when the stack is deleted. */
  readonly removalPolicy: "retain" | "destroy";
  /** While true, AWS refuses to delete the table, the accounts and the stack. */
  readonly deletionProtection: boolean;
}

const minutes = 60_000;
const hours = 60 * minutes;

/** Values that production and staging share. */
const common = {
  senderName: "Club Events",
  eventPage: "/event/{id}/{year}/register",
  timeZone: "America/Vancouver",
  repository: "https://github.club.example/club-events",
  currency: "CAD",
  membershipPrice: 15_00,
  holds: { newRegistration: 30 * minutes, promotion: 24 * hours, acceptance: 72 * hours },
  throttle: { rate: 1_000, burst: 2_000 },
  // All who register open the public page in the same minute. The provider sends an event or two for each payment.
  routeThrottle: { public: { rate: 300, burst: 600 }, webhook: { rate: 50, burst: 100 } },
  publicEvents: false,
  publicProfiles: false,
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
  // Outside its sandbox SES often begins with 14 mails a second; npm run preflight compares.
  campaigns: { mailsPerSecond: 10, unsubscribeAddress: "unsubscribe@club.example" },
  identity: {
    domainPrefix: "club-events",
    callbackUrls: ["https://app.club.example/login/callback"],
    logoutUrls: ["https://app.club.example/"],
    passwordInPlain: false,
    verification: "code",
  },
  alarmEmail: "alarms@club.example",
  monthlyBudget: 30,
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
  // SES's sandbox allows one mail a second.
  campaigns: { mailsPerSecond: 1, unsubscribeAddress: "unsubscribe@staging.club.example" },
  identity: {
    domainPrefix: "club-events-staging",
    callbackUrls: ["https://staging.club.example/login/callback", "http://localhost:3000/login/callback"],
    logoutUrls: ["https://staging.club.example/", "http://localhost:3000/"],
    passwordInPlain: false,
    verification: "code",
  },
  alarmEmail: "alarms@staging.club.example",
  monthlyBudget: 30,
  imageUrlScheme: "https",
  logRetentionDays: 30,
  removalPolicy: "destroy",
  deletionProtection: true,
};

/** The variables of the shell that the stage on the laptop depends on. `ALLOWED_ORIGINS` is separated by commas. */
export const localVariables = [
  "ADMIN_EMAIL_DOMAIN",
  "ALLOWED_ORIGINS",
  "PUBLIC_EVENTS",
  "PUBLIC_PROFILES",
  "VERIFICATION",
] as const;

/**
 * The stage on the laptop, with fixed values: the tests run on it. Only here variables count: a deployed stage must not
 * depend on the shell that deployed it.
 */
export function localStage(
  environment: { readonly [name in (typeof localVariables)[number]]?: string | undefined } = process.env as object,
): StageConfig {
  const origins = environment.ALLOWED_ORIGINS ?? "http://localhost:3000";
  return {
    name: "local",
    senderName: "Club Events",
    eventPage: "/event/{id}/{year}/register",
    timeZone: "America/Vancouver",
    currency: "CAD",
    membershipPrice: 15_00,
    holds: { newRegistration: 30 * minutes, promotion: 24 * hours, acceptance: 72 * hours },
    throttle: { rate: 1_000, burst: 2_000 },
    routeThrottle: { public: { rate: 300, burst: 600 }, webhook: { rate: 50, burst: 100 } },
    allowedOrigins: origins.split(",").map((origin) => origin.trim()),
    adminEmailDomain: environment.ADMIN_EMAIL_DOMAIN ?? "club.example",
    mailSender: "events@club.example",
    chatWebhookSecret: "club-events/local/chat-webhook",
    paymentsSecret: "club-events/local/payments",
    webAppUrl: "http://localhost:3000",
    publicEvents: environment.PUBLIC_EVENTS === "true",
    publicProfiles: environment.PUBLIC_PROFILES === "true",
    campaigns: { mailsPerSecond: 500, unsubscribeAddress: "unsubscribe@club.example" },
    identity: {
      domainPrefix: "club-events-local",
      callbackUrls: ["http://localhost:3000/login/callback"],
      logoutUrls: ["http://localhost:3000/"],
      passwordInPlain: true,
      // An unknown word is refused by the rules of stages.
      verification: (environment.VERIFICATION ?? "code") as NewPool["verification"],
    },
    imageUrlScheme: "http",
    logRetentionDays: 7,
    removalPolicy: "destroy",
    deletionProtection: false,
  };
}

const local: StageConfig = localStage();

export const stages: Readonly<Record<StageName, StageConfig>> = { production, staging, local };
