/** The names of the environment variables, so that another one does not compile. No bundle contains this. */

/** What a stage sets. `lib/settings.ts` has the values, and a function gets those that its declaration names. */
export type Setting =
  | "ACCEPTANCE_HOLD_MS"
  | "ADMIN_EMAIL_DOMAIN"
  | "ALLOWED_ORIGINS"
  | "ANSWERS_KEPT_DAYS"
  | "CAMPAIGN_MAIL_INTERVAL_MS"
  | "CURRENCY"
  | "DOOR_PAGE"
  | "EVENT_PAGE"
  | "GUESTS"
  | "LINK_PAGE"
  | "MAIL_SENDER"
  | "MAIL_SENDER_NAME"
  | "MEMBERSHIP_PRICE"
  | "MEMBERSHIP_PRICES"
  | "MEMBERSHIP_TERM"
  | "NEW_REGISTRATION_HOLD_MS"
  | "PAGES"
  | "PARTNER_SEATS"
  | "PROMOTION_HOLD_MS"
  | "REFUNDS"
  | "REMINDERS"
  | "REPLY_TO"
  | "SEE_DIET_AND_PHONE"
  | "SIGN_UP_LIMITS"
  | "TIME_ZONE"
  | "UNSUBSCRIBE_ADDRESS"
  | "VERIFIED_EMAIL_ONLY"
  | "WEB_APP_URL";

/** What a function gets with a resource that it uses. */
type OfResource =
  | "BUS_NAME"
  | "CHAT_WEBHOOK_SECRET"
  | "DEAD_LETTER_QUEUE"
  | "IMAGE_BUCKET"
  | "IMAGE_PUBLIC_URL"
  | "MAIL_CONFIGURATION_SET"
  | "PAYMENTS_SECRET"
  | "TICKET_KEY_SECRET";

declare module "#kit/env.ts" {
  interface Variables extends Readonly<Record<Setting | OfResource, string>> {}
}
