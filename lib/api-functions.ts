/** The functions behind the routes of the API, and their permissions. */

import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { Settings } from "#kit/env.ts";
import type { PublicSetting } from "#kit/request/contract.ts";
import { ClubFunction } from "./function.ts";
import type { ImageBucket } from "./image-bucket.ts";
import type { StageConfig } from "./stages.ts";
import type { StoredSecret } from "./stored-secret.ts";
import { type ClubTable, transactions } from "./table.ts";
import type { TicketKey } from "./ticket-key.ts";

export interface ApiFunctionsProps {
  readonly stage: StageConfig;
  readonly table: ClubTable;
  readonly images: ImageBucket;
  readonly ticketKey: TicketKey;
  readonly paymentsSecret: StoredSecret;
  /** Environment variables: the durations of holds, in milliseconds. */
  readonly holds: Settings;
  /** Issuer and audience of the tokens that the gateway accepts. */
  readonly tokens: { readonly issuer: string; readonly audience: string };
}

/**
 * Creates the functions behind the gateway, each under its own name in the scope.
 * @returns the function of each capability in `lambda/api/routes.ts`, by the capability's name
 */
export function addApiFunctions(
  scope: Construct,
  { stage, table, images, ticketKey, paymentsSecret, holds, tokens }: ApiFunctionsProps,
): Readonly<Record<string, ClubFunction>> {
  // 512 MB: the larger share of a CPU halves the cold start. Shorter runs make up for the price.
  const answering = { stage, memory: 512 };
  const admins: Settings = {
    ADMIN_EMAIL_DOMAIN: stage.adminEmailDomain,
    // The stack cannot ensure that an existing pool keeps an email until the new one is verified.
    ...(stage.identity.existing && { VERIFIED_EMAIL_ONLY: "true" }),
  };

  /** For a function with lists of people. */
  const lists: Settings = { SEE_DIET_AND_PHONE: (stage.seeDietAndPhone ?? []).join(",") };

  /** For a function with routes that the stage makes public: it verifies the tokens that are sent to them. */
  const publicRoutes = (setting: PublicSetting): Settings =>
    stage[setting] ? { PUBLIC_ROUTES: setting, TOKEN_ISSUER: tokens.issuer, TOKEN_AUDIENCE: tokens.audience } : {};

  const events = new ClubFunction(scope, "Events", {
    ...answering,
    bundle: "events",
    description: "Creates, lists, changes and removes events",
    // A raised capacity moves people up from the waitlist. As with registrations, the function retries for 15 s.
    timeout: Duration.seconds(25),
    environment: {
      ...admins,
      ...holds,
      ...publicRoutes("publicEvents"),
      TIME_ZONE: stage.timeZone,
      CURRENCY: stage.currency,
      PARTNER_SEATS: `${stage.partnerSeats ?? ""}`,
    },
  }).uses(table, ["GetItem", "BatchGetItem", "Query", "Query GSI1", "Query REGISTRATIONS", ...transactions]);

  const registrations = new ClubFunction(scope, "Registrations", {
    ...answering,
    bundle: "registrations",
    description: "Registers people for events, and gives free seats to waiting people",
    // The function retries a contended seat for 15 s. The gateway times out after 30 s.
    timeout: Duration.seconds(25),
    environment: {
      ...{ ...admins, ...holds, ...lists, TIME_ZONE: stage.timeZone },
      GUESTS: stage.guests,
      SIGN_UP_LIMITS: JSON.stringify(stage.signUps),
    },
  })
    .uses(table, [
      "GetItem",
      "BatchGetItem",
      "Query",
      "Query GSI1",
      "Query REGISTRATIONS",
      "Query LEADERBOARD",
      ...transactions,
    ])
    .uses(ticketKey, ["read"]);

  const door = new ClubFunction(scope, "Door", {
    ...answering,
    bundle: "door",
    description: "Devices at the doors of events: their list of tickets, and their scans",
    // As with registrations, the function retries for 15 s.
    timeout: Duration.seconds(25),
    environment: { ...admins, DOOR_PAGE: stage.doorPage },
  })
    .uses(table, ["GetItem", "BatchGetItem", "Query", "Query REGISTRATIONS", ...transactions])
    .uses(ticketKey, ["read"]);

  const calendar = new ClubFunction(scope, "Calendar", {
    ...answering,
    bundle: "calendar",
    description: "Calendars to subscribe to: of the visible events, and of a person's registrations",
    environment: {
      ...admins,
      ...publicRoutes("publicEvents"),
      WEB_APP_URL: stage.webAppUrl,
      EVENT_PAGE: stage.eventPage,
      MAIL_SENDER: stage.mailSender,
      MAIL_SENDER_NAME: stage.senderName,
    },
  })
    .uses(table, ["GetItem", "Query", "Query GSI1", "PutItem"])
    .uses(ticketKey, ["read"]);

  const feedback = new ClubFunction(scope, "Feedback", {
    ...answering,
    bundle: "feedback",
    description: "Feedback forms of events, and their submissions",
    environment: { ...admins, TIME_ZONE: stage.timeZone, ANSWERS_KEPT_DAYS: `${stage.answersKeptDays ?? ""}` },
  })
    .uses(table, ["GetItem", "BatchGetItem", "Query GSI1", "PutItem"])
    .uses(ticketKey, ["read"]);

  const presigner = new ClubFunction(scope, "Presigner", {
    ...answering,
    bundle: "images",
    description: "Presigns the upload of event banners",
    environment: admins,
  })
    .uses(images, ["PutObject"])
    .uses(table, ["PutItem"]);

  const payments = new ClubFunction(scope, "Payments", {
    ...answering,
    bundle: "payments",
    description: "Opens checkouts at the payment provider, lists payments, and takes refunds and what was paid by hand",
    // The function waits up to 15 s for each response of the provider. The gateway times out after 30 s.
    timeout: Duration.seconds(28),
    environment: {
      ...admins,
      ALLOWED_ORIGINS: stage.allowedOrigins.join(","),
      WEB_APP_URL: stage.webAppUrl,
      CURRENCY: stage.currency,
      TIME_ZONE: stage.timeZone,
      MEMBERSHIP_PRICE: `${stage.membershipPrice}`,
      MEMBERSHIP_PRICES: JSON.stringify(stage.membershipPrices ?? {}),
      ...holds,
    },
  })
    .uses(table, ["GetItem", "BatchGetItem", "Query", "Query GSI1", ...transactions, "ConditionCheckItem"])
    .uses(paymentsSecret, ["read"]);

  const paymentWebhook = new ClubFunction(scope, "PaymentWebhook", {
    ...answering,
    bundle: "payment-webhook",
    description: "Handles the events of the payment provider: paid seats and memberships, ended checkouts, refunds",
    // The function retries a contended seat for 15 s.
    timeout: Duration.seconds(25),
    environment: { ...admins, ...holds },
  })
    .uses(table, ["GetItem", "BatchGetItem", "Query", ...transactions, "ConditionCheckItem"])
    .uses(paymentsSecret, ["read"]);

  const users = new ClubFunction(scope, "Users", {
    ...answering,
    bundle: "users",
    description: "Account records",
    // The function retries concurrent writes of an account for 15 s.
    timeout: Duration.seconds(20),
    environment: { ...admins, ...lists, TIME_ZONE: stage.timeZone },
  })
    .uses(table, ["GetItem", "BatchGetItem", "Query", "Query GSI1", ...transactions, "ConditionCheckItem"])
    // Marks of tickets lead to a person's scans at the door.
    .uses(ticketKey, ["read"]);

  const members = new ClubFunction(scope, "Members", {
    ...answering,
    bundle: "members",
    description: "Memberships",
    // The function retries concurrent writes for 15 s.
    timeout: Duration.seconds(25),
    environment: { ...admins, ...lists },
  }).uses(table, ["GetItem", "Query", "Query GSI1", ...transactions, "ConditionCheckItem"]);

  const profiles = new ClubFunction(scope, "Profiles", {
    ...answering,
    bundle: "profiles",
    description: "Profiles of members and other people with an account",
    timeout: Duration.seconds(25),
    environment: { ...admins, ...publicRoutes("publicProfiles") },
  }).uses(table, ["GetItem", "Query", "PutItem", "ConditionCheckItem"]);

  const prizes = new ClubFunction(scope, "Prizes", {
    ...answering,
    bundle: "prizes",
    description: "Prizes to exchange for points",
    environment: admins,
  }).uses(table, ["GetItem", "Query", "PutItem", "DeleteItem"]);

  const emails = new ClubFunction(scope, "Emails", {
    stage,
    // One vCPU: an admin waits while 10,000 recipients are read and stored, which is CPU-bound.
    // https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
    memory: 1_769,
    bundle: "emails",
    description: "Mail templates and campaigns",
    timeout: Duration.seconds(25),
    environment: {
      ...admins,
      TIME_ZONE: stage.timeZone,
      WEB_APP_URL: stage.webAppUrl,
      EVENT_PAGE: stage.eventPage,
      UNSUBSCRIBE_ADDRESS: stage.campaigns.unsubscribeAddress,
    },
  }).uses(table, ["GetItem", "Query", "Query GSI1", "Query REGISTRATIONS", "PutItem", "UpdateItem", "DeleteItem"]);

  const btx = new ClubFunction(scope, "Btx", {
    ...answering,
    bundle: "btx",
    description: "The investment game: projects, trades, portfolios and the leaderboard",
    // The function retries a contended price for 15 s. The gateway times out after 30 s.
    timeout: Duration.seconds(25),
    environment: admins,
  }).uses(table, ["GetItem", "BatchGetItem", "Query", "Query GSI1", "PutItem", "UpdateItem"]);

  return {
    ...{
      btx,
      calendar,
      door,
      emails,
      events,
      feedback,
      images: presigner,
      members,
      payments,
      prizes,
      profiles,
      registrations,
      users,
    },
    "payment-webhook": paymentWebhook,
  };
}
