/**
 * The environment variables of the club's rules, beside those of every service (`lambda/kit/env.ts`). They are read where
 * a rule needs them, with `requiredEnv`.
 * https://www.typescriptlang.org/docs/handbook/declaration-merging.html#module-augmentation
 */
declare module "#kit/env.ts" {
  interface KnownSettings {
    readonly ACCEPTANCE_HOLD_MS: string;
    readonly ANSWERS_KEPT_DAYS: string;
    readonly CAMPAIGN_MAIL_INTERVAL_MS: string;
    readonly CHAT_WEBHOOK_SECRET: string;
    readonly CURRENCY: string;
    readonly DOOR_PAGE: string;
    readonly EVENT_PAGE: string;
    readonly GUESTS: string;
    readonly IMAGE_BUCKET: string;
    readonly IMAGE_PUBLIC_URL: string;
    readonly LINK_PAGE: string;
    readonly MAIL_CONFIGURATION_SET: string;
    readonly MAIL_SENDER: string;
    readonly MAIL_SENDER_NAME: string;
    readonly MEMBERSHIP_PRICE: string;
    readonly MEMBERSHIP_PRICES: string;
    readonly NEW_REGISTRATION_HOLD_MS: string;
    readonly PARTNER_SEATS: string;
    readonly PAYMENTS_SECRET: string;
    readonly PROMOTION_HOLD_MS: string;
    readonly REFUNDS: string;
    readonly REMINDERS: string;
    readonly SEE_DIET_AND_PHONE: string;
    readonly SIGN_UP_LIMITS: string;
    readonly TICKET_KEY_SECRET: string;
    readonly UNSUBSCRIBE_ADDRESS: string;
    readonly WEB_APP_URL: string;
  }
}

export {};
