/**
 * The stages of the service, one const each. A club sets its own values in `delivery`, `common`, `production` and `staging`,
 * and in no other file. They have placeholders on `.example` domains (docs/deploy.md). The laptop stage has fixed values, which
 * README and tests use; do not change them.
 */

import type { MembershipPrices } from "#domain/payments/checkout/membership-price.ts";
import type { RefundMode } from "#domain/payments/refunds/refund-rules.ts";
import type { TermRule } from "#domain/people/members/terms.ts";
import type { HoldDurations } from "#domain/registrations/holds/holds.ts";

export type StageName = "production" | "staging" | "local";

export interface CampaignConfig {
  /** The share of SES's sending rate for campaigns, in mails per second. Tickets and notices need the rest. */
  readonly mailsPerSecond: number;
  /** People write to this address to unsubscribe. The club must read its mails (docs/deploy.md). */
  readonly unsubscribeAddress: string;
}

/** A user pool that the stack creates. */
export interface NewPool {
  /** Prefix of the sign-in page's host name, followed by the AWS account id. */
  readonly domainPrefix: string;
  /** The allowed redirect URLs of the sign-in page; compared exactly. */
  readonly callbackUrls: readonly string[];
  readonly logoutUrls: readonly string[];
  /**
   * Name of the Secrets Manager secret `{ "clientId", "clientSecret" }` of the Google client; absent = no sign-in with
   * Google.
   */
  readonly googleSecretName?: string;
  /** Whether clients may send plain passwords (USER_PASSWORD_AUTH) instead of using SRP. */
  readonly passwordInPlain: boolean;
  /**
   * How the mail after a sign-up confirms the account: with a code or a link. Other mails, such as for a forgotten password,
   * always have a code.
   */
  readonly verification: "code" | "link";
  readonly existing?: undefined;
}

/**
 * An existing user pool, so that people keep their passwords. The stack does not change it (docs/web-app.md).
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

/**
 * How many mails with codes are sent in an hour to people who need no account for them: sign-ups, codes that are sent
 * again, changed emails (docs/contract.md, "Sign-up"). So many again go to guests. SES's quota of a day, and its bounces,
 * are those of tickets too.
 */
export interface SignUpLimits {
  /** To all addresses together, but those of `openDomains`. */
  readonly perHour: number;
  /** To all addresses of one domain, such as gmail.com. */
  readonly perHourAndDomain: number;
  /** The domains of most people, such as the university's; compared exactly. Mails there are not counted in `perHour`; each domain gets five times as many. */
  readonly openDomains: readonly string[];
}

/** `rate`: requests per second; `burst`: concurrent requests. */
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

export type IdentityConfig = NewPool | ExistingPool;

/** The pages that the stack hosts. */
export interface HostedPages {
  /** The club's mailbox for questions; every page has it. */
  readonly contact: string;
  /** `#rrggbb` */
  readonly colours?: { readonly accent: string };
  /** Host name of the pages, such as `events.` and the club's domain. Absent = CloudFront's. */
  readonly domainName?: string;
  /** ARN of the certificate for `domainName`, in us-east-1. Both or neither. */
  readonly certificateArn?: string;
  /** Where the laptop serves them. Only there. */
  readonly laptopUrl?: string;
}

export interface StageConfig {
  readonly name: StageName;
  /** Origins of the web application, for CORS; compared exactly. */
  readonly allowedOrigins: readonly string[];
  /**
   * A caller with a verified email in exactly this domain is an admin (`docs/contract.md`, "Access"). Empty = the stage
   * has no admins.
   */
  readonly adminEmailDomain: string;
  /** The displayed name of the sender: the club's name. One line of at most 45 bytes. */
  readonly senderName: string;
  /** Sender of every mail; its domain is a verified SES identity of the account. */
  readonly mailSender: string;
  /** Answers to mails go there, unless the event says otherwise. Absent: to `mailSender`. */
  readonly replyTo?: string;
  /**
   * Name of the Secrets Manager secret with the URL of the chat's incoming webhook, created manually (docs/deploy.md,
   * "Chat"). Absent = the stage has no chat.
   */
  readonly chatWebhookSecret?: string;
  /**
   * Name of the Secrets Manager secret `{ "apiKey", "webhookSecrets" }` of the payment provider, created manually
   * (docs/deploy.md).
   */
  readonly paymentsSecret: string;
  /** `elsewhere`: the club hosts all pages itself, and says below where they are. */
  readonly pages: HostedPages | "elsewhere";
  /** The base URL of the web application, for links in mails. Absent, as are the next three: the hosted pages. */
  readonly webAppUrl?: string;
  /**
   * The path of an event's page below `webAppUrl`, where people pay, confirm and cancel. `{id}` and `{year}` are replaced by
   * the event's id and year. Links in mails and calendar entries lead there.
   */
  readonly eventPage?: string;
  /** The address of the door's page. Links for volunteers lead there. */
  readonly doorPage?: string;
  /** The address of the page of one registration. Mails lead there (`docs/contract.md`, "Links"). */
  readonly linkPage?: string;
  /** Hours before the start at which an event's seat holders get a mail, unless the event says otherwise. */
  readonly reminders: readonly number[];
  /** Who may register without an account, unless the event says otherwise (`docs/contract.md`, "Guests"). */
  readonly guests: "nobody" | "partners" | "everyone";
  /**
   * Seats that an event gets for partners (`partnerCapac`) when it is given questions for them, unless it says otherwise.
   * Absent: none, so partners take seats like everybody.
   */
  readonly partnerSeats?: number;
  /**
   * Days after an event's end for which what people entered in registrations stays: answers, diet, phone, student number.
   * At least 30. Absent: for good. `npm run ops -- retention` says what it would remove.
   */
  readonly answersKeptDays?: number;
  /** Emails of the admins whose lists have diets and phone numbers. Absent: those of all admins. */
  readonly seeDietAndPhone?: readonly string[];
  /** IANA name. Dates without an offset are in this zone (`docs/contract.md`, "Dates"). */
  readonly timeZone: string;
  /** ISO 4217. */
  readonly currency: string;
  /** In cents of the currency. */
  readonly membershipPrice: number;
  /** Other prices of a membership, in cents, by a field of its form and the field's value. */
  readonly membershipPrices?: MembershipPrices;
  /**
   * How long a membership lasts (`docs/contract.md`, "Members"): `forever`, until a day of each year, such as
   * `{ endsOn: "08-31", remindDays: 30 }`, or from its payment, such as `{ months: 12, remindDays: 30 }`. The person is
   * reminded, and may renew it, `remindDays` before its end. What was given before a change of this setting keeps its end.
   */
  readonly membershipTerm: TermRule;
  /**
   * `automatic`: what has to be refunded is sent to the provider at once. `by hand`: the treasurer is told, and sends it by
   * `POST /payments/{paymentId}/refunds` or at the provider.
   */
  readonly refunds: RefundMode;
  readonly holds: HoldDurations;
  readonly campaigns: CampaignConfig;
  readonly signUps: SignUpLimits;
  /** Of the whole API. */
  readonly throttle: Throttle;
  /**
   * Of each route that the gateway lets pass without a token: `public`, the payment provider's webhook among them, and those of
   * devices at the door. A flood on one of them does not affect the others, and costs at most what its limit lets pass.
   */
  readonly routeThrottle: Readonly<Record<"public" | "door", Throttle>>;
  /**
   * The most that the table serves in a second, in units of DynamoDB; it refuses what is above. It bounds the price of a
   * flood or a loop.
   */
  readonly tableThroughput: { readonly reads: number; readonly writes: number };
  /**
   * A shared mailbox of the club for alarms and the budget. The address must be confirmed once (docs/deploy.md). Only the
   * laptop stage has none.
   */
  readonly alarmEmail?: string;
  /**
   * In USD, of the whole AWS account. The mailbox gets a mail when a month costs half of it, all of it, or is going to.
   * Two idle stages in one account cost 16 (`npm run upkeep -- price`). Absent where `alarmEmail` is.
   */
  readonly monthlyBudget?: number;
  /** The address of this repository. Alarms link entries of its docs/runbook.md. Absent where `alarmEmail` is. */
  readonly repository?: string;
  /**
   * Host name of the API, such as `api.` and the club's domain (docs/deploy.md, "Custom domain"). Absent = only the default
   * endpoint, which changes when the API is created again.
   */
  readonly domainName?: string;
  /** ARN of the certificate for `domainName`, in the region of the stack. Both or neither. */
  readonly certificateArn?: string;
  readonly identity: IdentityConfig;
  /** All functions use this table instead of the stack's own, which is kept. */
  readonly restoredTable?: RestoredTable;
  /** Whether `GET /events` and `GET /events/{eventId}/{year}` need no token (`docs/contract.md`, "Access"). */
  readonly publicEvents: boolean;
  /** Whether `GET /profiles/profile/{profileID}` needs no token. */
  readonly publicProfiles: boolean;
  /** URL scheme of uploaded images. The laptop stage has no certificate. */
  readonly imageUrlScheme: "https" | "http";
  readonly logRetentionDays: 7 | 30 | 90;
  /** Whether table, bucket, accounts and logs are retained when the stack is deleted. */
  readonly removalPolicy: "retain" | "destroy";
  /** While true, AWS refuses to delete the table, the accounts and the stack. */
  readonly deletionProtection: boolean;
}

/** How GitHub deploys the stages, and where their mail domains are (docs/deploy.md). Only `bin/delivery.ts` reads it. */
export interface DeliveryConfig {
  /**
   * The repository as tokens of its workflows name it: `<owner>@<its id>/<repository>@<its id>`; without the ids if it was
   * created before 15 July 2026, and neither renamed nor transferred since. `npm run preflight -- --github` compares.
   * https://docs.github.com/en/actions/reference/security/oidc#immutable-subject-claims
   */
  readonly gitHub: string;
  /** The zone of Route 53 that has the mail domains. Absent = the DNS is elsewhere, and an operator enters the records. */
  readonly hostedZone?: {
    readonly id: string;
    /** The zone's domain, without a dot at the end. */
    readonly name: string;
    /** The mailbox for reports of DMARC. Absent = the domain has a DMARC record already. */
    readonly dmarcReports?: string;
  };
}

const minutes = 60_000;
const hours = 60 * minutes;

export const delivery: DeliveryConfig = { gitHub: "club.example/club-events" };

/** Values that production and staging share. */
const common = {
  senderName: "Club Events",
  reminders: [24],
  guests: "everyone",
  timeZone: "America/Vancouver",
  repository: "https://github.club.example/club-events",
  currency: "CAD",
  membershipPrice: 15_00,
  membershipPrices: { education: { UBC: 12_00 } },
  membershipTerm: "forever",
  refunds: "by hand",
  holds: { newRegistration: 30 * minutes, promotion: 24 * hours, acceptance: 72 * hours },
  // With one open domain at most 3,600 mails an hour, which a flood would need 13 hours long to use up the 50,000 mails of a
  // day that SES begins with outside of its sandbox. Higher for an evening on which many people are new.
  signUps: { perHour: 300, perHourAndDomain: 150, openDomains: ["student.example"] },
  throttle: { rate: 1_000, burst: 2_000 },
  // Everybody opens the public page in the same minute. A device sends a scan a second, and repeats what is refused. The
  // provider sends few events, but a stranger's requests must not take their place.
  routeThrottle: {
    public: { rate: 300, burst: 600 },
    door: { rate: 30, burst: 100 },
  },
  // What a new table on demand serves at once.
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html
  tableThroughput: { reads: 12_000, writes: 4_000 },
  publicEvents: true,
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
  pages: { contact: "events@club.example" },
  // Outside the sandbox SES often starts with 14 mails per second; npm run preflight compares.
  campaigns: { mailsPerSecond: 10, unsubscribeAddress: "unsubscribe@club.example" },
  identity: {
    domainPrefix: "club-events",
    callbackUrls: ["https://app.club.example/login/callback"],
    logoutUrls: ["https://app.club.example/"],
    passwordInPlain: false,
    verification: "code",
  },
  alarmEmail: "alarms@club.example",
  monthlyBudget: 40,
  imageUrlScheme: "https",
  logRetentionDays: 90,
  removalPolicy: "retain",
  deletionProtection: true,
};

export const staging: StageConfig = {
  ...common,
  name: "staging",
  // Developers use staging from the web application on their laptop.
  allowedOrigins: ["https://staging.club.example", "http://localhost:3000"],
  adminEmailDomain: "club.example",
  mailSender: "events@staging.club.example",
  chatWebhookSecret: "club-events/staging/chat-webhook",
  paymentsSecret: "club-events/staging/payments",
  pages: { contact: "events@staging.club.example" },
  // SES's sandbox allows one mail per second.
  campaigns: { mailsPerSecond: 1, unsubscribeAddress: "unsubscribe@staging.club.example" },
  identity: {
    domainPrefix: "club-events-staging",
    callbackUrls: ["https://staging.club.example/login/callback", "http://localhost:3000/login/callback"],
    logoutUrls: ["https://staging.club.example/", "http://localhost:3000/"],
    passwordInPlain: false,
    verification: "code",
  },
  alarmEmail: "alarms@staging.club.example",
  monthlyBudget: 40,
  imageUrlScheme: "https",
  logRetentionDays: 30,
  removalPolicy: "destroy",
  deletionProtection: true,
};

/** The environment variables of the laptop stage. `ALLOWED_ORIGINS` is comma-separated. */
export const localVariables = [
  "ADMIN_EMAIL_DOMAIN",
  "ALLOWED_ORIGINS",
  "GUESTS",
  "MEMBERSHIP_TERM",
  "PORT",
  "PUBLIC_EVENTS",
  "PUBLIC_PROFILES",
  "REFUNDS",
  "SEE_DIET_AND_PHONE",
  "VERIFICATION",
] as const;

/**
 * The laptop stage, with fixed values for tests. Only this stage uses environment variables: a deployed stage must not
 * depend on the shell that deployed it.
 */
export function localStage(
  environment: { readonly [name in (typeof localVariables)[number]]?: string | undefined } = process.env as object,
): StageConfig {
  const origins = environment.ALLOWED_ORIGINS ?? "http://localhost:3000";
  return {
    name: "local",
    senderName: "Club Events",
    reminders: [24],
    // `stageProblems` rejects other values.
    guests: (environment.GUESTS ?? "partners") as StageConfig["guests"],
    ...(environment.SEE_DIET_AND_PHONE && { seeDietAndPhone: environment.SEE_DIET_AND_PHONE.split(",") }),
    timeZone: "America/Vancouver",
    currency: "CAD",
    membershipPrice: 15_00,
    membershipPrices: { education: { UBC: 12_00 } },
    membershipTerm: JSON.parse(environment.MEMBERSHIP_TERM ?? '"forever"') as TermRule,
    // `stageProblems` rejects other values.
    refunds: (environment.REFUNDS ?? "by hand") as RefundMode,
    holds: { newRegistration: 30 * minutes, promotion: 24 * hours, acceptance: 72 * hours },
    // Smoke runs and the suites on a running stage make accounts at SES's simulator.
    signUps: { perHour: 300, perHourAndDomain: 150, openDomains: ["student.example", "simulator.amazonses.com"] },
    throttle: { rate: 1_000, burst: 2_000 },
    routeThrottle: {
      public: { rate: 300, burst: 600 },
      door: { rate: 30, burst: 100 },
    },
    tableThroughput: { reads: 12_000, writes: 4_000 },
    allowedOrigins: origins.split(",").map((origin) => origin.trim()),
    adminEmailDomain: environment.ADMIN_EMAIL_DOMAIN ?? "club.example",
    mailSender: "events@club.example",
    chatWebhookSecret: "club-events/local/chat-webhook",
    paymentsSecret: "club-events/local/payments",
    pages: { contact: "events@club.example", laptopUrl: `http://localhost:${environment.PORT ?? "4000"}` },
    publicEvents: environment.PUBLIC_EVENTS === "true",
    publicProfiles: environment.PUBLIC_PROFILES === "true",
    campaigns: { mailsPerSecond: 500, unsubscribeAddress: "unsubscribe@club.example" },
    identity: {
      domainPrefix: "club-events-local",
      callbackUrls: ["http://localhost:3000/login/callback"],
      logoutUrls: ["http://localhost:3000/"],
      passwordInPlain: true,
      // `stageProblems` rejects other values.
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
