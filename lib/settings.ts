/** The values of the settings that functions declare. */
import type { Setting } from "#domain/settings.ts";
import { batchesAtOnce } from "./consumer.ts";
import type { StageConfig } from "./stages.ts";

/** A queue of messages, and one of later tries. */
const campaignQueues = 2;

/** A page below the address of the hosted ones; undefined where they are elsewhere. */
const at = (pagesUrl: string | undefined, path: string) => (pagesUrl === undefined ? undefined : `${pagesUrl}${path}`);

/**
 * The environment variables of a stage, by name. A function gets those that it declares; one without a value is left out.
 * @param pagesUrl base address of the hosted pages, without a slash at its end
 */
export const settingsOf = (stage: StageConfig, pagesUrl?: string): Readonly<Record<Setting, string | undefined>> => ({
  ACCEPTANCE_HOLD_MS: `${stage.holds.acceptance}`,
  ADMIN_EMAIL_DOMAIN: stage.adminEmailDomain,
  ALLOWED_ORIGINS: [...stage.allowedOrigins, ...(pagesUrl === undefined ? [] : [pagesUrl])].join(","),
  ANSWERS_KEPT_DAYS: `${stage.answersKeptDays ?? ""}`,
  CAMPAIGN_MAIL_INTERVAL_MS: `${Math.ceil((1_000 * batchesAtOnce * campaignQueues) / stage.campaigns.mailsPerSecond)}`,
  CURRENCY: stage.currency,
  DOOR_PAGE: stage.doorPage ?? at(pagesUrl, "/door/"),
  EVENT_PAGE: stage.eventPage ?? "/event/{id}/{year}",
  GUESTS: stage.guests,
  LINK_PAGE: stage.linkPage ?? at(pagesUrl, "/registration/"),
  MAIL_SENDER: stage.mailSender,
  MAIL_SENDER_NAME: stage.senderName,
  MEMBERSHIP_PRICE: `${stage.membershipPrice}`,
  MEMBERSHIP_PRICES: JSON.stringify(stage.membershipPrices ?? {}),
  MEMBERSHIP_TERM: JSON.stringify(stage.membershipTerm),
  NEW_REGISTRATION_HOLD_MS: `${stage.holds.newRegistration}`,
  /** The stack sets it when it knows the user pool (`stack/club-stack.ts`). */
  PAGES: undefined as string | undefined,
  PARTNER_SEATS: `${stage.partnerSeats ?? ""}`,
  PROMOTION_HOLD_MS: `${stage.holds.promotion}`,
  REFUNDS: stage.refunds,
  REMINDERS: JSON.stringify(stage.reminders),
  REPLY_TO: stage.replyTo ?? "",
  SEE_DIET_AND_PHONE: (stage.seeDietAndPhone ?? []).join(","),
  SIGN_UP_LIMITS: JSON.stringify(stage.signUps),
  TIME_ZONE: stage.timeZone,
  UNSUBSCRIBE_ADDRESS: stage.campaigns.unsubscribeAddress,
  // The stack cannot ensure that an existing pool keeps an email until the new one is verified.
  VERIFIED_EMAIL_ONLY: stage.identity.existing ? "true" : undefined,
  WEB_APP_URL: stage.webAppUrl ?? pagesUrl,
});
