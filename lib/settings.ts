/** The values of the settings that functions declare. */
import type { Setting } from "#domain/settings.ts";
import { batchesAtOnce } from "./consumer.ts";
import type { StageConfig } from "./stages.ts";

/** A queue of messages, and one of later tries. */
const campaignQueues = 2;

/**
 * The environment variables of a stage, by name. A function gets those that it declares; one without a value is left out.
 */
export const settingsOf = (stage: StageConfig): Readonly<Record<Setting, string | undefined>> => ({
  ACCEPTANCE_HOLD_MS: `${stage.holds.acceptance}`,
  ADMIN_EMAIL_DOMAIN: stage.adminEmailDomain,
  ALLOWED_ORIGINS: stage.allowedOrigins.join(","),
  ANSWERS_KEPT_DAYS: `${stage.answersKeptDays ?? ""}`,
  CAMPAIGN_MAIL_INTERVAL_MS: `${Math.ceil((1_000 * batchesAtOnce * campaignQueues) / stage.campaigns.mailsPerSecond)}`,
  CURRENCY: stage.currency,
  DOOR_PAGE: stage.doorPage,
  EVENT_PAGE: stage.eventPage,
  GUESTS: stage.guests,
  LINK_PAGE: stage.linkPage,
  MAIL_SENDER: stage.mailSender,
  MAIL_SENDER_NAME: stage.senderName,
  MEMBERSHIP_PRICE: `${stage.membershipPrice}`,
  MEMBERSHIP_PRICES: JSON.stringify(stage.membershipPrices ?? {}),
  NEW_REGISTRATION_HOLD_MS: `${stage.holds.newRegistration}`,
  PARTNER_SEATS: `${stage.partnerSeats ?? ""}`,
  PROMOTION_HOLD_MS: `${stage.holds.promotion}`,
  REFUNDS: stage.refunds,
  REMINDERS: JSON.stringify(stage.reminders),
  SEE_DIET_AND_PHONE: (stage.seeDietAndPhone ?? []).join(","),
  SIGN_UP_LIMITS: JSON.stringify(stage.signUps),
  TIME_ZONE: stage.timeZone,
  UNSUBSCRIBE_ADDRESS: stage.campaigns.unsubscribeAddress,
  // The stack cannot ensure that an existing pool keeps an email until the new one is verified.
  VERIFIED_EMAIL_ONLY: stage.identity.existing ? "true" : undefined,
  WEB_APP_URL: stage.webAppUrl,
});
