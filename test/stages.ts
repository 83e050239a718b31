/**
 * The stages that the tests synthesize and look at. What a club writes into `lib/stages.ts` changes no test. The laptop's
 * stage is the real one.
 */
import { localStage, type StageConfig, type StageName } from "../lib/stages.ts";

const minutes = 60_000;
const hours = 60 * minutes;

const common = {
  senderName: "Club Events",
  reminders: [24],
  guests: "partners",
  timeZone: "America/Vancouver",
  currency: "CAD",
  membershipPrice: 15_00,
  membershipTerm: "forever",
  refunds: "by hand",
  holds: { newRegistration: 30 * minutes, promotion: 24 * hours, acceptance: 72 * hours },
  signUps: { perHour: 300, perHourAndDomain: 150, openDomains: ["student.example"] },
  throttle: { rate: 1_000, burst: 2_000 },
  routeThrottle: {
    public: { rate: 300, burst: 600 },
    door: { rate: 30, burst: 100 },
  },
  tableThroughput: { reads: 12_000, writes: 4_000 },
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
  pages: { contact: "events@club.example" },
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
  repository: "https://github.test/club/events",
  imageUrlScheme: "https",
  logRetentionDays: 90,
  removalPolicy: "retain",
  deletionProtection: true,
};

export const staging: StageConfig = {
  ...common,
  name: "staging",
  allowedOrigins: ["https://staging.club.example", "http://localhost:3000"],
  adminEmailDomain: "club.example",
  mailSender: "events@staging.club.example",
  chatWebhookSecret: "club-events/staging/chat-webhook",
  paymentsSecret: "club-events/staging/payments",
  pages: { contact: "events@staging.club.example" },
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
  repository: "https://github.test/club/events",
  imageUrlScheme: "https",
  logRetentionDays: 30,
  removalPolicy: "destroy",
  deletionProtection: true,
};

export const local: StageConfig = localStage({});

export const stages: Readonly<Record<StageName, StageConfig>> = { production, staging, local };
