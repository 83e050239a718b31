/** The environment variables that the stack gives to functions. Constructs, functions and tests share these names. */
export type SettingName =
  | "ACCEPTANCE_HOLD_MS"
  | "ADMIN_EMAIL_DOMAIN"
  | "ALLOWED_ORIGINS"
  | "ANSWERS_KEPT_DAYS"
  | "BUS_NAME"
  | "CAMPAIGN_MAIL_INTERVAL_MS"
  | "CHAT_WEBHOOK_SECRET"
  | "CURRENCY"
  | "DOOR_PAGE"
  | "EVENT_PAGE"
  | "GUESTS"
  | "IMAGE_BUCKET"
  | "IMAGE_PUBLIC_URL"
  | "LINK_PAGE"
  | "MAIL_CONFIGURATION_SET"
  | "MAIL_SENDER"
  | "MAIL_SENDER_NAME"
  | "MEMBERSHIP_PRICE"
  | "MEMBERSHIP_PRICES"
  | "NEW_REGISTRATION_HOLD_MS"
  | "PAYMENTS_SECRET"
  | "PROMOTION_HOLD_MS"
  | "PUBLIC_ROUTES"
  | "REFUNDS"
  | "REMINDERS"
  | "SEE_DIET_AND_PHONE"
  | "SIGN_UP_LIMITS"
  | "STAGE"
  | "TABLE_NAME"
  | "TICKET_KEY_SECRET"
  | "TIME_ZONE"
  | "TOKEN_AUDIENCE"
  | "TOKEN_ISSUER"
  | "UNSUBSCRIBE_ADDRESS"
  | "VERIFIED_EMAIL_ONLY"
  | "WEB_APP_URL";

/** The settings of one function. */
export type Settings = Readonly<Partial<Record<SettingName, string>>>;

/**
 * The value of a required environment variable.
 * @throws Error the variable is missing; the function then fails at startup
 */
export function requiredEnv(name: SettingName): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}
